"""Rows that documents print are found by what they and their tables are called."""

from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.printed.printed_rows import rows_near
from filings.ingest.store_printed import store_tables
from filings.models import Filing
from filings.tables.cell_meanings import ReadCell, ReadRow
from filings.tables.column_periods import Period
from filings.tables.every_table import ReadTable
from tests.support.company_filings import filing

pytestmark = pytest.mark.django_db

YEAR = Period(date(2024, 1, 1), date(2024, 12, 31))


def row(label: str, value: str = "120", heading: str = "", start: int = 10) -> ReadRow:
    return ReadRow(label, heading, (ReadCell(start, start + 3, value, Decimal(value), "USD", 6, 0, YEAR, "2024"),))


def printing(*rows: ReadRow, title: str = "Reconciliation") -> Filing:
    held = filing()
    store_tables(held, [ReadTable(1, "table", 0, 900, title, "4", rows)])
    return held


def test_the_row_called_as_asked_is_first() -> None:
    held = printing(row("EBITDA"), row("Adjusted EBITDA", start=30), row("Net income", start=50))
    first, second = rows_near([held.pk], "adjusted EBITDA", 5)
    assert (first.label, second.label) == ("Adjusted EBITDA", "EBITDA")
    assert (first.filing, first.section, first.page, first.title) == (held.pk, 1, "4", "Reconciliation")
    assert first.columns == (("2024", YEAR, "USD"),)
    assert first.cells[0].value == Decimal(120)


def test_words_above_the_table_and_the_row_count_too() -> None:
    held = printing(row("Lenses", heading="Northern works"), row("Lenses", heading="Other", start=40), title="Backlog")
    assert rows_near([held.pk], "backlog of lenses of the northern works", 1)[0].heading == "Northern works"


def test_no_more_rows_are_found_than_wanted() -> None:
    held = printing(*(row(f"Lens {number}", start=10 * number) for number in range(1, 9)))
    assert len(rows_near([held.pk], "lens", 3)) == 3


def test_tables_that_are_stored_anew_are_read_anew() -> None:
    held = printing(row("Backlog"))
    assert rows_near([held.pk], "backlog", 1)
    store_tables(held, [])
    assert not rows_near([held.pk], "backlog", 1)


@pytest.mark.parametrize(
    ("title", "nearest"),
    [
        ("", ""),
        ("(In millions)", ""),
        ("Note 9. Orders \u203a Orders by kind \u203a (In millions)", "Orders by kind"),
        ("Orders \u203a The table below shows them by kind.", ""),
    ],
)
def test_the_line_right_above_a_table_names_it_where_it_is_a_heading(title: str, nearest: str) -> None:
    held = printing(row("Backlog"), title=title)
    (found,) = rows_near([held.pk], "backlog", 1)
    assert found.table.nearest == nearest
