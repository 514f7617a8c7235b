"""Registrants: names, tickers, foreign filers, and who a typed ticker means."""

import csv
from pathlib import Path

import pytest

from filings.edgar.edgar_files import ListedTicker
from filings.edgar.registrants import (
    FOREIGN_REGISTRANTS,
    UnknownCompany,
    close_matches,
    find_company,
    store_foreign_registrants,
    store_registrants,
)
from filings.models import Company, ForeignRegistrant, Ticker
from tests.support.sample import Sample

WIDGETS, GADGETS = 9_000_000_001, 9_000_000_002


def test_each_registrant_of_the_list_becomes_a_company_once(db: None) -> None:
    listed = [
        ListedTicker(WIDGETS, "TWIDG", "Tiny Widgets Inc."),
        ListedTicker(GADGETS, "GADGX", "Grand Gadgets Corp"),
        ListedTicker(WIDGETS, "TWIDG-B", "Tiny Widgets Inc."),
    ]
    assert store_registrants(listed) == 2
    assert store_registrants(listed) == 0
    company = Company.objects.get(cik=WIDGETS)
    assert (company.name, company.symbols, company.status) == ("Tiny Widgets Inc.", ["TWIDG", "TWIDG-B"], "known")


def test_a_renamed_registrant_is_renamed_unless_its_filings_name_it(db: None) -> None:
    store_registrants([ListedTicker(WIDGETS, "TWIDG", "Old Name"), ListedTicker(GADGETS, "GADGX", "Old Gadgets")])
    Company.objects.filter(cik=GADGETS).update(filings_found=3)
    store_registrants([ListedTicker(WIDGETS, "TWIDG", "New Name"), ListedTicker(GADGETS, "GADGX", "New Gadgets")])
    assert Company.objects.get(cik=WIDGETS).name == "New Name"
    assert Company.objects.get(cik=GADGETS).name == "Old Gadgets"


def test_a_symbol_belongs_to_whom_the_list_gives_it(db: None) -> None:
    store_registrants([ListedTicker(WIDGETS, "TWIDG", "Tiny Widgets Inc.")])
    store_registrants([ListedTicker(GADGETS, "TWIDG", "Grand Gadgets Corp")])
    assert Ticker.objects.get(symbol="TWIDG").company.cik == GADGETS


@pytest.mark.parametrize("typed", ["AAPL", "aapl", " Aapl ", "320193", "0000320193", "CIK320193", "Apple Inc."])
def test_a_company_is_found_by_ticker_cik_and_name(sample: Sample, typed: str) -> None:
    assert find_company(typed).cik == 320193


@pytest.mark.parametrize("typed", ["BRK.B", "brk-b", "BRK/B"])
def test_a_share_class_is_found_however_it_is_written(sample: Sample, typed: str) -> None:
    assert find_company(typed).cik == 1067983


@pytest.mark.parametrize(("typed", "meant"), [("AAPPL", "AAPL (Apple Inc.)"), ("Microsft", "MSFT (MICROSOFT CORP)")])
def test_an_unknown_ticker_names_close_matches(sample: Sample, typed: str, meant: str) -> None:
    with pytest.raises(UnknownCompany) as caught:
        find_company(typed)
    assert typed in str(caught.value)
    assert meant in str(caught.value)


def test_nothing_is_suggested_for_what_resembles_nothing(sample: Sample) -> None:
    assert close_matches("QXQXQXQXQXQX") == []
    with pytest.raises(UnknownCompany, match=r"is called 'QXQXQXQXQXQX'\.$"):
        find_company("QXQXQXQXQXQX")


def test_the_data_file_of_foreign_registrants_is_sound() -> None:
    with FOREIGN_REGISTRANTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 80
    assert len({row["cik"] for row in rows}) == len(rows)
    assert {row["form"] for row in rows} == {"20-F", "40-F"}
    assert all(row["name"] for row in rows)


def test_foreign_registrants_are_loaded_once_and_edits_survive(db: None, tmp_path: Path) -> None:
    file = tmp_path / "foreign.csv"
    file.write_text(f"cik,name,form\n{WIDGETS},Fjord Widgets ASA,20-F\n{GADGETS},Gadgets Canada,40-F\n")
    store_registrants(
        [ListedTicker(WIDGETS, "TWIDG", "Fjord Widgets ASA"), ListedTicker(WIDGETS + 5, "NOTEX", "Noted")]
    )
    assert store_foreign_registrants(file) == 2
    assert Company.objects.get(cik=WIDGETS).foreign
    ForeignRegistrant.objects.filter(cik=GADGETS).update(name="Gadgets of Canada", form="20-F")
    ForeignRegistrant.objects.create(cik=WIDGETS + 5, name="Noted in admin")
    assert store_foreign_registrants(file) == 0
    assert str(ForeignRegistrant.objects.get(cik=GADGETS)) == "Gadgets of Canada (20-F)"
    assert Company.objects.get(cik=WIDGETS + 5).foreign
