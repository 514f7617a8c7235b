"""What a cited number says beside its value: later filings, splits, the document's own year."""

from datetime import date

import pytest

from agent.numbers.choice import Choice
from agent.numbers.cite import found
from agent.state import CompanyRef, FilingRef, Found, Period, PeriodForm, Reading, Target
from filings.models import Filing
from tests.support.ledger import END, book, fact, filing, selection

pytestmark = pytest.mark.django_db

NEXT = date(2025, 12, 31)


def cited(of: Filing, key: str) -> Found:
    target = Target(
        id=1,
        company=CompanyRef(cik=of.company.cik, name=of.company.name, covered=True),
        period=Period(form=PeriodForm.FISCAL, year=2024),
    )
    ref = FilingRef(
        target=1,
        filing=of.pk,
        accession=of.accession,
        form=of.form,
        filed=of.filed,
        fiscal_year=2024,
        period_end=END,
        url="",
    )
    decided = selection(of)
    choice = decided.annual(key)
    assert isinstance(choice, Choice)
    return found(target, ref, Reading(concept=key, label=key), choice, decided)


def test_a_later_value_that_differs_is_shown_with_its_change() -> None:
    of = book({"Revenues": "1001000"})
    fact(filing(NEXT, of.company), "Revenues", "1003000", end=END)
    later = cited(of, "revenue").later
    assert [(one.fiscal_year, one.change) for one in later] == [(2025, 2000)]


def test_an_amendment_is_shown_beside_the_original_and_never_replaces_it() -> None:
    of = book({"Revenues": "1001000"})
    amended = filing(END, of.company, form="10-K/A", is_primary=False, accession="amended", filed=date(2025, 6, 1))
    fact(amended, "Revenues", "1002000")
    number = cited(of, "revenue")
    assert number.value == 1001000
    assert [(one.fact.form, one.change) for one in number.later] == [("10-K/A", 1000)]


@pytest.mark.parametrize(("after", "split"), [("2.97", True), ("11.89", False), ("11.50", False), ("5.95", True)])
def test_a_split_is_named_where_a_later_filing_restates_by_a_whole_factor(after: str, split: bool) -> None:
    of = filing()
    fact(of, "EarningsPerShareDiluted", "11.89", unit="USD/shares")
    fact(filing(NEXT, of.company), "EarningsPerShareDiluted", after, unit="USD/shares", end=END)
    assert any("split" in note for note in cited(of, "eps_diluted").notes) is split


def test_a_document_that_speaks_of_another_year_is_said_to() -> None:
    of = book({"Revenues": "1001000"}, of=filing(named_year=2025))
    assert any("fiscal 2025" in note for note in cited(of, "revenue").notes)
    assert not any("mostly says" in note for note in cited(book({"Revenues": "1"}, of=filing(NEXT)), "revenue").notes)
