"""Stored tables: read again at their place in the stored text, and read anew by the command of operators."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command

from filings.models import Company, Filing, Section
from filings.models.report import FIGURES_READER
from filings.tables.cell_meanings import ReadCell, ReadRow
from filings.tables.column_periods import Period
from filings.tables.read_again import table_again, usual_in
from filings.tables.stored_tables import rows_of
from tests.filings.importing.conftest import halden, in_process, model
from tests.support.brought import brought
from tests.support.printed_report import report, table

__all__ = ["halden", "in_process", "model"]

WRITTEN = {"company": "HLDN", "kind": "10-K", "period": "2024", "date": "2025-02-14"}
PARTS = table(
    ("Years ended December 31,", "2024", "2023"), [("Optics", "$ 3,120", "2,870"), ("Coatings", "1,000", "1,000")]
)
NOTE = f"<h3>Note 4 - Parts</h3><p>(In millions)</p>{PARTS}<h2>Item 9."


@pytest.fixture
def printed(halden: Company) -> Filing:
    return brought(report().replace(b"<h2>Item 9.", NOTE.encode()), "halden-2024.html", **WRITTEN).filing


def stored(filing: Filing, label: str) -> tuple[Section, int, ReadRow]:
    for one in filing.printed_tables.all():
        for row in rows_of(one.content, one.start):
            if row.label == label:
                return filing.sections.get(number=one.section), one.start, row
    raise AssertionError(label)


def is_printed(rows: Iterable[ReadRow], label: str, heading: str, cell: ReadCell) -> bool:
    """Whether a row of this label and heading has a cell just so."""
    return any(cell in row.cells for row in rows if (row.label, row.heading) == (label, heading))


def again(filing: Filing, cell: ReadCell, label: str = "Optics") -> bool:
    section, start, row = stored(filing, "Optics")
    return is_printed(table_again(section, start, usual_in(filing)), label, row.heading, cell)


def test_each_stored_cell_is_printed_at_its_place(printed: Filing) -> None:
    assert printed.printed_tables.count() == 4
    usual = usual_in(printed)
    for one in printed.printed_tables.all():
        section = printed.sections.get(number=one.section)
        read = table_again(section, one.start, usual)
        for row in rows_of(one.content, one.start):
            assert all(is_printed(read, row.label, row.heading, cell) for cell in row.cells)
            assert all(section.text[cell.start : cell.end] == cell.text for cell in row.cells)


def test_another_cell_column_scale_or_period_is_not_printed(printed: Filing) -> None:
    _, _, row = stored(printed, "Optics")
    cell, neighbour = row.cells
    assert again(printed, cell)
    changed = [
        replace(cell, value=cell.value + 1),
        replace(cell, text="$ 3,121"),
        replace(neighbour, start=cell.start, end=cell.end),
        replace(cell, column=neighbour.column),
        replace(cell, power=3, value=Decimal(3_120_000)),
        replace(cell, unit="EUR"),
        replace(cell, period=Period(cell.period.start - timedelta(days=1), cell.period.end)),
    ]
    assert not any(again(printed, one) for one in changed)
    assert not again(printed, cell, "Coatings")


def test_a_changed_digit_of_the_stored_text_is_found(printed: Filing) -> None:
    section, _, row = stored(printed, "Optics")
    Section.objects.filter(pk=section.pk).update(text=section.text.replace("$ 3,120", "$ 3,720"))
    assert not again(printed, row.cells[0])
    assert again(printed, row.cells[1])


def test_a_changed_head_of_the_stored_text_is_found(printed: Filing) -> None:
    section, start, row = stored(printed, "Optics")
    text = section.text[:start] + section.text[start:].replace("2023", "2022", 1)
    Section.objects.filter(pk=section.pk).update(text=text)
    assert not again(printed, row.cells[1])


def test_no_table_begins_elsewhere(printed: Filing) -> None:
    section, start, _ = stored(printed, "Optics")
    assert table_again(section, start + 1, usual_in(printed)) == ()


def test_tables_of_an_earlier_release_are_read_from_the_stored_text(printed: Filing) -> None:
    before = list(printed.printed_tables.values("section", "start", "title", "content"))
    printed.printed_tables.all().delete()
    Filing.objects.update(figures_reader=None)
    out = StringIO()
    call_command("read_tables", stdout=out)
    assert "1 of 1" in out.getvalue()
    assert list(printed.printed_tables.values("section", "start", "title", "content")) == before
    printed.refresh_from_db()
    assert printed.figures_reader == FIGURES_READER
    call_command("read_tables", stdout=(second := StringIO()))
    assert second.getvalue() == "The figures of 0 filings read.\n"
