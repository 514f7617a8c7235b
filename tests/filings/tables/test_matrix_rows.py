"""Tables whose columns name measures, and those that say beside their headings on which basis their figures are."""

from datetime import date
from decimal import Decimal

import pytest

from tests.filings.tables.test_every_table import UNIT, cells, tables
from tests.support.printed_report import table

HEADS = (
    "<tr><td></td><td colspan=2>Year Ended December 31, 2023</td><td colspan=2>Year Ended December 31, 2024</td></tr>"
    "<tr><td>{unit}</td><td>EBITDA</td><td>Net income</td><td>EBITDA</td><td>Net income</td></tr>"
)


def matrix(*rows: tuple[str, ...], unit: str = "") -> str:
    markup = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{HEADS.format(unit=unit)}{markup}</table>"


def test_a_row_that_lists_the_measures_of_the_columns_is_one_of_each() -> None:
    items = ("Tax", "$ 2", "", "$ 3", "")
    read = cells(UNIT + matrix(items, ("Adjusted EBITDA and net income", "$ 81", "$ 40", "$ 90", "$ 50")))
    ebitda = read["Adjusted EBITDA", "Year Ended December 31, 2024 EBITDA"]
    income = read["Adjusted net income", "Year Ended December 31, 2023 Net income"]
    assert (ebitda.value, ebitda.period.end) == (Decimal(90_000_000), date(2024, 12, 31))
    assert (income.value, income.period.end) == (Decimal(40_000_000), date(2023, 12, 31))
    assert ("Tax", "Year Ended December 31, 2024 EBITDA") in read
    assert not [label for label, _ in read if "and" in label]


@pytest.mark.parametrize(
    ("label", "called"),
    [
        ("Comparable (non-GAAP)", "Comparable net income"),
        ("Reported (GAAP)", "Reported net income"),
        ("Non-GAAP", "Non-GAAP net income"),
        ("EBITDA and net income", "Net income"),
        ("Adjusted EBITDA, segment profit and net income", "Adjusted EBITDA, segment profit and net income"),
        ("Adjusted net income", "Adjusted net income"),
        ("Core laboratories", "Core laboratories"),
    ],
)
def test_a_row_of_a_basis_alone_is_named_by_its_column_too(label: str, called: str) -> None:
    read = cells(UNIT + matrix((label, "$ 81", "$ 40", "$ 90", "$ 50")))
    assert read[called, "Year Ended December 31, 2024 Net income"].value == 50_000_000


def test_items_between_two_bases_head_neither() -> None:
    rows = [
        ("Reported (GAAP)", "$ 81", "$ 40", "$ 90", "$ 50"),
        ("Items impacting comparability:", "", "", "", ""),
        ("Duties", "$ 1", "$ 2", "$ 3", "$ 4"),
        ("Comparable (non-GAAP)", "$ 82", "$ 42", "$ 93", "$ 54"),
    ]
    headings = {row.label: row.heading for read in tables(UNIT + matrix(*rows)) for row in read.rows}
    assert headings["Duties"] == "Items impacting comparability"
    assert headings["Comparable net income"] == ""


def test_a_part_heads_the_bases_below_it() -> None:
    rows = [
        ("Optics:", "", "", "", ""),
        ("Reported (GAAP)", "$ 81", "$ 40", "$ 90", "$ 50"),
        ("Comparable (non-GAAP)", "$ 82", "$ 42", "$ 93", "$ 54"),
    ]
    headings = {row.label: row.heading for read in tables(UNIT + matrix(*rows)) for row in read.rows}
    assert headings["Comparable net income"] == "Optics"


def test_columns_that_name_places_are_no_measures() -> None:
    heads = "<tr><td></td><td colspan=2>Year Ended December 31, 2024</td></tr><tr><td></td><td>Europe</td><td>Asia</td></tr>"
    read = cells(f"{UNIT}<table>{heads}<tr><td>Reported (GAAP)</td><td>$ 90</td><td>$ 30</td></tr></table>")
    assert ("Reported (GAAP)", "Year Ended December 31, 2024 Asia") in read


def test_a_basis_beside_the_headings_is_said_of_every_row() -> None:
    rows = [("Net income", "$ 90", "$ 80"), ("Per share:", "", ""), ("Dividends", "$ 0.90", "$ 0.80")]
    read = tables(f"{UNIT}{table(('Adjusted non-GAAP results', '2024', '2023'), rows)}")[0]
    headings = {row.label: row.heading for row in read.rows}
    assert headings == {
        "Net income": "Adjusted non-GAAP results",
        "Dividends": "Adjusted non-GAAP results, Per share",
    }


@pytest.mark.parametrize(("unit", "value"), [("($ million)", 90_000_000), ("(in millions)", None)])
def test_a_sign_with_the_scale_shows_that_figures_are_of_money(unit: str, value: int | None) -> None:
    elsewhere = "<p>Duties came to $4 million in 2024.</p>"
    read = cells(elsewhere + matrix(("Adjusted EBITDA and net income", "81", "40", "90", "50"), unit=unit))
    found = read.get(("Adjusted EBITDA", "Year Ended December 31, 2024 EBITDA"))
    assert (found and found.value) == value


def test_things_among_amounts_with_a_sign_for_all_stay_uncertain() -> None:
    elsewhere = "<p>Duties came to $4 million in 2024.</p>"
    read = cells(f"{elsewhere}<p>($ million)</p>{table(('', '2024', '2023'), [('Stores', '90', '80')])}")
    assert not read
