"""Tables written to files and read back, for the tests of their formats."""

import csv
import io
from datetime import UTC, datetime

from agent.web.exports.file_formats import Format, written
from agent.web.exports.provenance import About
from agent.web.tables.table_card import TableCard
from tests.agent.exports import sheets
from tests.agent.tables.cells import card, cell

ABOUT = About(
    question="How did revenue move?",
    at=datetime(2026, 11, 18, 9, 14, tzinfo=UTC),
    url="https://diligence.example/runs/1",
)


YEARS = card(
    cell("383285000000", 2023), cell("391035000000", 2024), cell("-5", 2024, row=1, label="Loss", measure="x")
)


def site(path: str) -> str:
    return f"https://diligence.example{path}"


def book(*tables: TableCard, about: About = ABOUT) -> dict[str, sheets.Sheet]:
    return sheets.read(written(tables, Format.XLSX, about, site))


def table(*tables: TableCard) -> list[dict[str, str]]:
    text = written(tables, Format.CSV, ABOUT, site).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def markdown(*tables: TableCard) -> list[str]:
    return written(tables, Format.MD, ABOUT, site).decode().splitlines()
