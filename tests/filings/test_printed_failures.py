"""What of a document cannot be read is named in the log, left out, and read again; nothing else of it is lost."""

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

from filings.document.blocks import Block, Cell, Page
from filings.document.layout import read_layout
from filings.ingest.store_printed import Printed, printed_in
from filings.models import Company, Section
from filings.models.report import FIGURES_READER
from filings.tables.column_periods import Subject
from filings.tables.read_again import StoredText
from tests.filings.importing.conftest import halden, in_process, model
from tests.support.brought import brought
from tests.support.printed_report import report, table

__all__ = ["halden", "in_process", "model"]

YEAR = Subject(date(2024, 12, 31), 2024, annual=True)
SAID = "<p>We had 120 stores at December 31, 2024.</p>"
HEADS = ("", "December 31, 2024", "December 31, 2023")
WRITTEN = {"company": "HLDN", "kind": "10-K", "period": "2024", "date": "2025-02-14"}


def text(markup: str) -> StoredText:
    layout = read_layout(f"<html><body>{markup}</body></html>".encode())
    return StoredText(layout.text, layout.blocks, layout.pages)


def broken(one: StoredText, number: int = 0) -> StoredText:
    """The text with a table, counted from 0, whose cells have no width."""
    blocks: list[Any] = list(one.blocks)
    place = [at for at, block in enumerate(blocks) if block.rows][number]
    rows = tuple(tuple(Cell(cell.start, cell.end, None) for cell in row) for row in blocks[place].rows)  # type: ignore[arg-type] # what is tested
    blocks[place] = replace(blocks[place], rows=rows)
    return replace(one, blocks=blocks)


def printed(sections: Sequence[Any], *, apart: bool = False) -> Printed:
    return printed_in("Halden 10-K", sections, YEAR, lambda: None, apart=apart, statements=False)


def told(read: Printed) -> list[tuple[int, str, str]]:
    return [(one.section, one.kind, row.label) for one in read.tables for row in one.rows]


def two_tables() -> StoredText:
    first, second = (table(HEADS, [(label, "$ 3,120", "2,870")]) for label in ("Optics assets", "Coatings assets"))
    return text(f"<p>(In millions)</p>{first}<h3>Coatings</h3><p>(In millions)</p>{second}")


def test_a_table_that_cannot_be_read_takes_no_other_with_it(caplog: pytest.LogCaptureFixture) -> None:
    whole = printed([two_tables()])
    assert told(whole) == [(1, "table", "Optics assets"), (1, "table", "Coatings assets")]
    read = printed([broken(two_tables())])
    assert told(read) == [(1, "table", "Coatings assets")]
    assert (whole.whole, read.whole) == (True, False)
    start = next(block.start for block in two_tables().blocks if block.rows)
    assert f"Halden 10-K: tables, section 1, the table at {start} could not be read" in caplog.text


def test_a_section_whose_sentences_cannot_be_read_takes_neither_tables_nor_other_sections(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said = text(SAID)
    cut = replace(said, blocks=[Block("paragraph", 0, None)])  # type: ignore[arg-type] # what is tested
    read = printed([two_tables(), cut, said])
    assert {(section, kind) for section, kind, _ in told(read)} == {(1, "table"), (3, "sentences")}
    assert "Halden 10-K: sentences, section 2 could not be read" in caplog.text
    assert not read.whole


class EndsTables:
    """A section whose tables end the process that reads them, as exhausted memory does."""

    def __init__(self, one: StoredText) -> None:
        self.text, self.blocks = one.text, one.blocks

    @property
    def pages(self) -> Sequence[Page]:
        os._exit(1)


def test_tables_that_end_the_process_leave_the_sentences(settings: Settings) -> None:
    settings.INGEST_FILING_DEADLINE = 60
    section = EndsTables(text(f"{SAID}<p>(In millions)</p>{table(HEADS, [('Optics assets', '$ 3,120', '2,870')])}"))
    read = printed([section], apart=True)
    assert told(read) == [(1, "sentences", "stores")]
    assert not read.whole


def test_a_document_of_which_some_could_not_be_read_is_read_again(halden: Company) -> None:
    filing = brought(report(), "halden-2024.html", **WRITTEN).filing
    assert filing.figures_reader == FIGURES_READER
    section = Section.objects.filter(filing=filing, text__contains="Net sales").first()
    assert section
    sound, count = section.blocks, filing.printed_tables.count()
    damaged = [
        [*one[:5], [[[*cell[:2], None] for cell in row] for row in one[5]]] if len(one) > 5 else one for one in sound
    ]
    Section.objects.filter(pk=section.pk).update(blocks=damaged)
    type(filing).objects.update(figures_reader=None)
    call_command("read_tables", stdout=(out := StringIO()))
    filing.refresh_from_db()
    assert "Of 1 of them some could not be read" in out.getvalue()
    assert filing.figures_reader is None
    Section.objects.filter(pk=section.pk).update(blocks=sound)
    call_command("read_tables", stdout=StringIO())
    filing.refresh_from_db()
    assert (filing.figures_reader, filing.printed_tables.count()) == (FIGURES_READER, count)
