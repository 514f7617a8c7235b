"""What a figure says beside its value: later filings, splits, the document's own year, and where a fact stands."""

from datetime import date

import pytest

from agent.state import Cell
from agent.state.query import Concept
from filings.models import Filing
from tests.support.company_filings import END, fact, filing, filing_figures
from tests.support.tables import only, table, years

pytestmark = pytest.mark.django_db

NEXT = date(2025, 12, 31)


def cited(of: Filing, key: str) -> Cell:
    return only(table(of.company, years(of.fiscal_year or 0), Concept(key=key)))


def test_an_amendment_is_shown_beside_the_original_and_never_replaces_it() -> None:
    of = filing_figures({"Revenues": "1001000"})
    amended = filing(END, of.company, form="10-K/A", is_primary=False, accession="amended", filed=date(2025, 6, 1))
    fact(amended, "Revenues", "1002000")
    cell = cited(of, "revenue")
    assert cell.value == 1001000
    assert [(one.later.fact.form, one.later.change) for one in cell.restated] == [("10-K/A", 1000)]


@pytest.mark.parametrize(
    ("value", "decimals", "after", "change"),
    [
        ("1001000", -3, "1003000", 2000),
        ("1001000", -3, "1001000", None),
        ("1001400", -3, "1001000", None),
        ("1001000", -3, "1000000", -1000),
    ],
)
def test_a_later_value_is_told_with_its_change_unless_it_is_the_same_but_for_rounding(
    value: str, decimals: int, after: str, change: int | None
) -> None:
    of = filing()
    fact(of, "Revenues", value, decimals=decimals)
    fact(filing(NEXT, of.company), "Revenues", after, end=END, decimals=decimals)
    told = [(one.fiscal_year, one.later.fiscal_year, one.later.change) for one in cited(of, "revenue").restated]
    assert told == ([] if change is None else [(2024, 2025, change)])


@pytest.mark.parametrize(("after", "split"), [("2.97", True), ("11.89", False), ("11.50", False), ("5.95", True)])
def test_a_split_is_named_where_a_later_filing_restates_by_a_whole_factor(after: str, split: bool) -> None:
    of = filing()
    fact(of, "EarningsPerShareDiluted", "11.89", unit="USD/shares")
    fact(filing(NEXT, of.company), "EarningsPerShareDiluted", after, unit="USD/shares", end=END)
    assert any("split" in note for note in cited(of, "eps_diluted").notes) is split


def test_a_document_that_speaks_of_another_year_is_said_to() -> None:
    of = filing_figures({"Revenues": "1001000"}, of=filing(named_year=2025))
    assert any("fiscal 2025" in note for note in cited(of, "revenue").notes)
    assert not any(
        "document itself calls" in note
        for note in cited(filing_figures({"Revenues": "1"}, of=filing(NEXT)), "revenue").notes
    )
