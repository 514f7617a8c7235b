"""Which figure of a printed row is of a year: only where the filing's own structure leaves no doubt."""

from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.document.blocks import Block, Cell
from filings.tables.printed_numbers import is_figure
from filings.tables.table import PrintedTable
from filings.tables.year_column import figure_of_year

END = date(2024, 12, 31)
Row = list[Any]


def table(*rows: Row, header: int = 1) -> PrintedTable:
    """A table of rows of cells, each a text or (text, columns spanned)."""
    text, laid = "", []
    for row in rows:
        cells = []
        for cell in row:
            said, span = cell if isinstance(cell, tuple) else (cell, 1)
            cells.append(Cell(len(text), len(text) + len(said), span))
            text += f"{said}\t"
        laid.append(tuple(cells))
        text = f"{text[:-1]}\n"
    return PrintedTable(text, Block("table", 0, len(text), header=header, rows=tuple(laid)))


def chosen(found: PrintedTable, place: int = -1, said: str = "", year: int = 2024, end: date = END) -> str:
    one = figure_of_year(found, place % len(found.rows), year, end, said)
    return one.figure.text if one else ""


PLAIN = table(["(in millions)", "2024", "2023"], ["Membership fees", "$ 410", "$ 385"])


def test_the_column_of_the_year_is_told_by_its_heading():
    assert chosen(PLAIN) == "$ 410"
    turned = table(["", "2022", "2023", "2024"], ["Lockers", "1,204", "1,300", "1,410"])
    assert chosen(turned) == "1,410"


@pytest.mark.parametrize(
    "heads",
    [
        [["", "December 31, 2024", "December 31, 2023"]],
        [["", ("December 31,", 2)], ["", "2024", "2023"]],
        [["", ("Years ended December 31,", 2)], ["", "2024", "2023"]],
        [["", "Lockers open as of Dec. 31, 2024", "Lockers open as of Dec. 31, 2023"]],
        [["", ("Fiscal year", 2)], ["", "2024 (a)", "2023 (b)"], ["", ("(in thousands)", 2)]],
    ],
)
def test_days_units_and_notes_of_a_heading_are_read(heads):
    assert chosen(table(*heads, ["Lockers", "1,410", "1,300"], header=len(heads))) == "1,410"


@pytest.mark.parametrize(
    ("heads", "row"),
    [
        # The last column is of no year, the second of a year to come.
        ([["", "2025", "2024", "Thereafter"]], ["Leases", "10", "20", "30"]),
        # Beside quarters, a year that is not said to be a whole one.
        (
            [["", ("Three months ended", 2), ("", 2)], ["", "2024", "2023", "2024", "2023"]],
            ["Orders", "1", "2", "3", "4"],
        ),
        # Two columns of the year.
        ([["", ("Grid", 2), ("Services", 2)], ["", "2024", "2023", "2024", "2023"]], ["Orders", "1", "2", "3", "4"]),
        # An amount and a share below one year.
        ([["", ("2024", 2), ("2023", 2)]], ["Orders", "10", "50 %", "8", "40 %"]),
        # A figure is missing, so that the others may have slipped.
        ([["", "2024", "2023", "2022"]], ["Orders", "10", "8"]),
        # The columns are parts of the company.
        ([["", "Grid", "Services", "Total"]], ["Orders", "10", "8", "18"]),
        # What changed in the year is not what stood at its end.
        ([["", "Change to December 31, 2024", "Change to December 31, 2023"]], ["Orders", "10", "8"]),
        ([["", "Quarter ended December 31, 2024", "Quarter ended December 31, 2023"]], ["Orders", "10", "8"]),
        # Another day than the year's last.
        ([["", "June 30, 2024", "June 30, 2023"]], ["Orders", "10", "8"]),
        # Words where a figure should stand.
        ([["", "2024", "2023"]], ["Orders", "see Note 4", "8"]),
        ([["", "2024", "2023"]], ["Orders", "\u2014", "8"]),
        # Another year's filing.
        ([["", "2023", "2022"]], ["Orders", "10", "8"]),
        # Several years in one heading.
        ([["", "2024 vs. 2023", "2023 vs. 2022"]], ["Orders", "10", "8"]),
        ([["", "2024 target", "2023"]], ["Orders", "10", "8"]),
    ],
)  # fmt: skip
def test_without_certainty_no_column_is_chosen(heads, row):
    assert chosen(table(*heads, row, header=len(heads))) == ""


def test_beside_quarters_the_whole_year_is_chosen():
    heads = [["", ("Three months ended", 2), ("Year ended", 2)], ["", "2024", "2023", "2024", "2023"]]
    assert chosen(table(*heads, ["Orders", "1", "2", "3", "4"], header=2)) == "3"


def test_where_the_text_above_speaks_of_quarters_none_is_chosen():
    assert chosen(PLAIN, said="For the fourth quarter:") == ""
    assert chosen(table(["Three months ended December 31,", "2024", "2023"], ["Orders", "10", "8"])) == ""


def test_rows_below_headings_of_their_own_are_not_of_the_years_above():
    parted = table(["", "2024", "2023"], ["Orders", "10", "8"], ["", "Grid", "Services"], ["Orders", "6", "4"])
    assert chosen(parted, 1) == "10"
    assert (chosen(parted, 3), parted.heads(3)) == ("", [0, 2])


def test_a_fiscal_year_that_ends_in_the_next_calendar_year_keeps_its_name():
    stores = table(["", "2024", "2023"], ["Stores", "410", "400"])
    assert chosen(stores, end=date(2025, 2, 1)) == "410"
    dated = table(["", "February 1, 2025", "February 3, 2024"], ["Stores", "410", "400"])
    assert chosen(dated, end=date(2025, 2, 1)) == "410"
    # Named by the calendar, the year is not the filing's.
    assert chosen(table(["", "2025", "2024"], ["Stores", "410", "400"]), end=date(2025, 2, 1)) == ""


def test_a_row_has_the_group_it_stands_in_and_none_behind_its_total():
    grouped = table(
        ["", "2024"], ["International:"], ["Japan", "3"], ["Total international", "3"], ["All stores", "9"],
    )  # fmt: skip
    assert [grouped.group(place) for place in (2, 3, 4)] == [1, 1, None]


def test_a_row_is_of_money_where_it_or_the_first_row_has_the_sign():
    money = table(["", "2024"], ["Own stores", "$ 30"], ["Licensed stores", "4"])
    mixed = table(["", "2024"], ["Stores", "410"], ["Average ticket", "$ 86"])
    assert [money.is_money(2), mixed.is_money(1), mixed.is_money(2)] == [True, False, True]


@pytest.mark.parametrize(
    "text", ["1,234", "$ 1,234", "(8)", "$ (8.5)", "12 %", "(3.4) %", "\u2014", "$ \u2014", "n/a", "1.2x", "410 (a)"]
)
def test_figures_are_known(text):
    assert is_figure(text)


@pytest.mark.parametrize("text", ["1,234 5,678", "see Note 4", "December 31, 2024", "Grid", "2.1% \u2013 3.4%"])
def test_what_is_no_figure_is_known(text):
    assert not is_figure(text)


@given(st.permutations([2020, 2021, 2022, 2023, 2024]), st.integers(2, 5))
def test_whatever_the_order_of_years_the_figure_is_the_one_below_its_year(years, count):
    of = [2024, *[year for year in years if year != 2024][: count - 1]]
    order = [year for year in years if year in of]
    found = table(["", *map(str, order)], ["Orders", *(f"{year}.5" for year in order)])
    assert chosen(found) == "2024.5"


@given(st.lists(st.integers(1, 3), min_size=2, max_size=4), st.integers(0, 3))
def test_a_row_that_lacks_a_figure_never_has_one_chosen(spans, gap):
    heads = [(str(2024 - place), span) for place, span in enumerate(spans)]
    gap %= len(spans)
    starts = [1, *(1 + sum(spans[: place + 1]) for place in range(len(spans)))]
    cells: Row = ["Orders"]
    for place, (first, last) in enumerate(pairwise(starts)):
        cells += [("" if place == gap else str(100 + place), last - first)]
    assert chosen(table(["", *heads], cells)) == ""


def test_a_row_is_named_by_its_columns_and_by_the_label_that_it_goes_on_from():
    paid = table(["Name", "Year", "Salary"], ["Ada Oakes Chief Executive", "2024", "900"], ["", "2023", "850"])
    text = "Name\tYear\tSalary\nAda Oakes Chief Executive\t2024\t900\n\t2023\t850"
    head, first, second = (text.index(one) for one in ("Name", "Ada", "\t2023"))
    assert paid.named(head, head + 4) == ""
    assert paid.named(first, first + 9) == "Name Year Salary"
    assert paid.named(second, second + 9) == "Name Year Salary Ada Oakes Chief Executive"
