"""Registrants that were reorganised: who files in whose place, old tickers, and what a company's filings are."""

from datetime import date

import pytest

from filings.edgar import registrants
from filings.edgar.edgar_files import ListedTicker
from filings.edgar.predecessors import link, link_listed, link_namesake, store_former_tickers
from filings.edgar.registrants import UnknownCompany, find_company, store_registrants
from filings.models import Company, Filing, Succession, Ticker
from filings.web.company_directory import with_held
from tests.support.holdings import NORTHWIND, annual_report, known, northwind
from tests.support.searchable import store

pytestmark = pytest.mark.django_db

NEW, EXXON = 9_999_988_899, 34088


def listed(cik: int, symbol: str, name: str) -> None:
    store_registrants([ListedTicker(cik, symbol, name)])


def successor(name: str = "Northwind Instruments Holdings Corp", **filing: object) -> Company:
    """The registrant to which a ticker moved, with one filing of 2026."""
    return Company.objects.create(cik=NEW, name=name)


def state(cik: int = NORTHWIND) -> tuple[int | None, str]:
    found = Company.objects.get(cik=cik)
    return found.successor_cik, found.succession


def test_a_registrant_of_a_like_name_that_takes_the_last_ticker_files_in_its_place() -> None:
    northwind()
    listed(NEW, "NWI", "NORTHWIND INSTRUMENTS HOLDINGS CORP")
    assert state() == (NEW, Succession.TICKER)
    assert Company.objects.get(cik=NEW).symbols == ["NWI"]


def test_a_ticker_given_to_a_company_of_another_name_says_nothing() -> None:
    northwind()
    listed(NEW, "NWI", "New Wave Imaging Inc.")
    assert state() == (None, "")


def test_a_company_that_keeps_a_ticker_goes_on() -> None:
    company = northwind()
    Ticker.objects.create(company=company, symbol="NWI-B")
    listed(NEW, "NWI", "NORTHWIND INSTRUMENTS HOLDINGS CORP")
    assert state() == (None, "")


@pytest.mark.parametrize(("year", "linked"), [(2026, True), (2024, False)])
def test_the_same_name_is_its_successors_where_one_files_after_the_other(year: int, linked: bool) -> None:
    company = northwind()
    company.tickers.all().delete()
    other = known("NORTHWIND INSTRUMENTS HOLDINGS CORP", "NWI", NEW)
    annual_report(other, year)
    link_listed(other)
    assert state() == ((NEW, Succession.NAME) if linked else (None, ""))
    Company.objects.update(successor_cik=None, succession="")
    link_listed(company)
    assert state() == ((NEW, Succession.NAME) if linked else (None, ""))


@pytest.mark.parametrize(
    ("said", "linked"),
    [
        ("Vane Group became the successor issuer to Northwind Instruments, Inc. pursuant to Rule 12g-3(a).", True),
        ("Vane Group is the successor issuer to Westwind Instruments, Inc. pursuant to Rule 12g-3(a).", False),
        ("We bought Northwind Instruments, Inc.", False),
    ],
)
def test_a_report_that_says_whose_successor_it_is_is_believed(said: str, linked: bool) -> None:
    northwind().tickers.all().delete()
    other = known("Vane Group plc", "VANE", NEW)
    store(annual_report(other, 2025), [said], item="1")
    link_listed(other)
    assert state() == ((NEW, Succession.FILING) if linked else (None, ""))


@pytest.mark.parametrize("stored", [True, False])
def test_a_registrant_without_annual_reports_takes_the_place_of_who_is_called_so(stored: bool) -> None:
    if stored:
        Ticker.objects.filter(company__cik=EXXON).delete()
    else:
        Company.objects.filter(cik=EXXON).delete()
    link_namesake(Company.objects.create(cik=NEW, name="Exxon Mobil Holdings Corp"))
    assert state(EXXON) == (NEW, Succession.NAME)


def test_a_namesake_that_has_a_ticker_goes_on() -> None:
    link_namesake(Company.objects.create(cik=NEW, name="Exxon Mobil Holdings Corp"))
    assert state(EXXON) == (None, "")


def test_what_a_curator_set_or_removed_stays() -> None:
    northwind(succession=Succession.CURATOR)
    listed(NEW, "NWI", "NORTHWIND INSTRUMENTS HOLDINGS CORP")
    assert state() == (None, Succession.CURATOR)


def test_a_predecessor_of_a_predecessor_is_asked_about_as_the_last() -> None:
    first, second, third = (known(f"Company {number}", f"C{number}", NEW - number) for number in (3, 2, 1))
    link(first, second, Succession.NAME)
    link(second, third, Succession.TICKER)
    assert [state(one.cik)[0] for one in (first, second)] == [third.cik, third.cik]
    link(third, first, Succession.NAME)
    assert state(third.cik) == (None, "")


def test_the_filings_of_a_company_are_its_predecessors_too() -> None:
    company = northwind()
    other = successor()
    link(company, other, Succession.CURATOR)
    assert [one.fiscal_year for one in Filing.objects.askable(NEW)] == [2025, 2024, 2023]
    assert set(Filing.objects.with_figures([NEW])) == set(company.filings.filter(facts_stored__gt=0))
    assert list(Company.objects.covered().filter(cik__in=[NEW, NORTHWIND])) == [other]
    held = with_held(Company.objects.filter(cik=NEW)).get()
    assert (held.figures, held.figures_from, held.figures_to, held.held) == (3, 2023, 2025, True)
    filing = Filing.objects.get(company__cik=NORTHWIND, fiscal_year=2025)
    assert filing.filed_by == f"Northwind Instruments, Inc. (CIK {NORTHWIND})"


def test_a_filing_under_ones_own_cik_has_no_other_filer() -> None:
    assert {one.filed_by for one in northwind().filings.all()} == {""}


def test_a_ticker_that_the_list_has_no_more_is_a_former_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registrants, "WHOLE_LIST", 1)
    company = northwind()
    listed(NORTHWIND, "NWX", "Northwind Instruments, Inc.")
    assert company.symbols == ["NWX"]
    assert find_company("NWI") == company
    listed(NORTHWIND, "NWI", "Northwind Instruments, Inc.")
    assert Company.objects.get(cik=NORTHWIND).symbols == ["NWI"]


def test_a_ticker_of_an_old_cover_is_a_former_one_unless_another_has_it() -> None:
    company = northwind()
    known("Other Lamps", "LAMP", NEW)
    for year, symbol in ((2023, "nwg.a"), (2024, "LAMP"), (2025, "not a ticker")):
        company.filings.filter(fiscal_year=year).update(cover={"TradingSymbol": symbol})
    store_former_tickers(company)
    store_former_tickers(company)
    assert list(company.tickers.values_list("symbol", "former")) == [("NWI", False), ("NWG-A", True)]
    assert find_company("NWG.A") == company
    assert find_company("LAMP").cik == NEW


@pytest.mark.parametrize("typed", ["NWI", "NWI-B", "nwi.a", "NWIB", "nwi/b"])
def test_all_classes_of_shares_are_one_company(typed: str) -> None:
    company = known("Northwind Instruments, Inc.", "NWI-A", NORTHWIND)
    Ticker.objects.create(company=company, symbol="NWI-B")
    assert find_company(typed) == company


def test_a_ticker_of_several_companies_without_its_class_is_of_none() -> None:
    known("Northwind Instruments, Inc.", "NWI-A", NORTHWIND)
    known("Other Lamps", "NWI-B", NEW)
    with pytest.raises(UnknownCompany):
        find_company("NWI")


def test_the_day_of_the_last_filing_counts_for_a_company_page() -> None:
    company = northwind()
    link(company, successor(), Succession.CURATOR)
    assert with_held(Company.objects.filter(cik=NEW)).get().last_filed == date(2026, 2, 20)
