"""The address of a company by its ticker leads to its page; an unknown ticker names the nearest companies."""

import pytest
from django.http import HttpRequest
from django.test import Client

from diligence.not_found_page import NotFoundPage, PlainNotFound
from filings.edgar.edgar_files import ListedTicker
from filings.edgar.registrants import store_registrants
from tests.support.sample import Sample

WIDGETS = 9_000_000_001


@pytest.mark.parametrize("ticker", ["AAPL", "aapl", "Aapl"])
def test_a_ticker_in_any_case_leads_to_the_company(client: Client, sample: Sample, ticker: str) -> None:
    response = client.get(f"/companies/{ticker}")
    assert (response.status_code, response.headers["Location"]) == (302, "/companies/320193")
    assert client.get("/companies/320193").status_code == 200


@pytest.mark.parametrize("ticker", ["BRK.B", "BRK-B", "brk.b", "BRK-A"])
def test_each_share_class_leads_to_the_one_company(client: Client, sample: Sample, ticker: str) -> None:
    assert client.get(f"/companies/{ticker}").headers["Location"] == "/companies/1067983"
    assert client.get(f"/api/v1/companies/{ticker}").json()["cik"] == 1067983


def test_what_the_address_asks_of_the_page_is_kept(client: Client, sample: Sample) -> None:
    found = client.get("/companies/AAPL?year=2023&statement=income")
    assert found.headers["Location"] == "/companies/320193?year=2023&statement=income"


def test_a_ticker_is_no_address_of_another_kind(client: Client, db: None) -> None:
    store_registrants([ListedTicker(WIDGETS, "ADD", "Tiny Widgets Inc.")])
    assert client.get("/companies/ADD").headers["Location"] == f"/companies/{WIDGETS}"
    assert client.get("/companies/add").status_code == 405


def test_an_unknown_ticker_names_the_nearest_companies(client: Client, sample: Sample) -> None:
    response = client.get("/companies/AAPPL")
    page = response.content.decode()
    assert response.status_code == 404
    assert "No company has the ticker <q>AAPPL</q>" in page
    assert '<a href="/companies/320193">Apple</a>' in page


def test_a_name_for_a_ticker_names_its_company(client: Client, sample: Sample) -> None:
    assert '<a href="/companies/789019">Microsoft</a>' in client.get("/companies/microsoft").content.decode()


def test_what_resembles_nothing_is_repeated_safely(client: Client, sample: Sample) -> None:
    page = client.get("/companies/<b>qxqxqxqxqx" + "q" * 5000).content.decode()
    assert "&lt;b&gt;qxqx" in page
    assert "q" * 100 not in page
    assert "Closest companies" not in page


def test_the_page_stays_under_debug() -> None:
    page = NotFoundPage("No company has this ticker")
    assert PlainNotFound(lambda request: page)(HttpRequest()) is page


def test_the_api_names_the_nearest_companies(client: Client, sample: Sample) -> None:
    response = client.get("/api/v1/companies/AAPPL")
    assert response.status_code == 404
    assert "Closest: AAPL (Apple Inc.)" in response.json()["detail"]
