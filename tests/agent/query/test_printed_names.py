"""What rows of a company's documents are called names its figures, as they are stored now."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from agent.query.words.printed_names import names_in
from filings.ingest.store_printed import store_tables
from filings.models import Filing
from filings.tables.cell_meanings import ReadCell, ReadRow
from filings.tables.column_periods import Period
from filings.tables.every_table import ReadTable
from tests.support.company_filings import filing

pytestmark = pytest.mark.django_db

CELL = ReadCell(10, 13, "120", Decimal(120), "USD", 6, 0, Period(date(2024, 1, 1), date(2024, 12, 31)), "2024")


def named(held: Filing, question: str) -> list[str]:
    return [label for label, _ in names_in(question, [held.company.cik])]


def test_tables_that_are_read_anew_name_figures_at_once() -> None:
    held = filing()
    store_tables(held, [])
    assert named(held, "Service backlog in 2024") == []
    store_tables(held, [ReadTable(1, "table", 0, 900, "Orders", "4", (ReadRow("Service backlog", "", (CELL,)),))])
    assert named(held, "Service backlog in 2024") == ["Service backlog"]


def test_a_withdrawn_document_names_no_figures() -> None:
    held = filing()
    store_tables(held, [ReadTable(1, "table", 0, 900, "Orders", "4", (ReadRow("Service backlog", "", (CELL,)),))])
    assert named(held, "Service backlog in 2024") == ["Service backlog"]
    held.withdrawn = datetime(2025, 1, 1, tzinfo=UTC)
    held.save()
    assert named(held, "Service backlog in 2024") == []


def test_a_label_that_says_nothing_names_a_figure_with_the_line_that_heads_it_alone() -> None:
    held = filing()
    rows = (
        ReadRow("Thereafter", "Fleet leases", (CELL,)),
        ReadRow("Other", "", (CELL,)),
        ReadRow("2026", "", (CELL,)),
    )
    store_tables(held, [ReadTable(1, "table", 0, 900, "Obligations", "4", rows)])
    assert named(held, "Fleet leases thereafter") == ["Fleet leases Thereafter"]
    assert [named(held, said) for said in ("thereafter", "other", "2026", "other in 2026")] == [[], [], [], []]


@pytest.mark.parametrize("question", ["How many inns has it?", "The number of inns in 2024"])
def test_what_is_counted_is_no_amount_of_money_of_that_name(question: str) -> None:
    held = filing()
    rent = ReadTable(1, "table", 0, 900, "Rent", "4", (ReadRow("Inns", "", (CELL,)),))
    store_tables(held, [rent])
    assert names_in("Inns in 2024", [held.company.cik]) == (("Inns", "USD"),)
    assert names_in(question, [held.company.cik]) == ()
    counted = ReadRow("Inns", "", (replace(CELL, unit="count"),))
    store_tables(held, [rent, ReadTable(1, "table", 900, 1800, "Inns", "4", (counted,))])
    assert names_in(question, [held.company.cik]) == (("Inns", "count"),)
