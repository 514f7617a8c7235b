"""The form of a search: kinds that are held, the parts of the chosen one, and quarters."""

import re

import pytest
from django.test import Client

from accounts.models import User
from filings.models import Filing, SearchRequest
from tests.support.holdings import NORTHWIND, annual_report, northwind
from tests.support.texts import ten_k


@pytest.fixture
def quarterly(db: None) -> Filing:
    company = northwind()
    ten_k(company.filings.get(fiscal_year=2025))
    Filing.objects.filter(company=company, fiscal_year=2025).update(chunks_stored=3)
    return annual_report(
        company,
        2025,
        accession=f"{NORTHWIND}-25-000077",
        form="10-Q",
        source="10-Q",
        fiscal_quarter=2,
        is_primary=False,
        chunks_stored=4,
    )


def options(page: str, name: str) -> list[str]:
    select = re.search(rf'<select name="{name}".*?</select>', page, re.DOTALL)
    assert select
    return re.findall(r'<option value="([^"]*)"', select[0])


def test_it_offers_the_kinds_that_have_text(client: Client, quarterly: Filing) -> None:
    Filing.objects.exclude(company=quarterly.company).update(chunks_stored=0)
    page = client.get("/search").content.decode()
    assert options(page, "kind") == ["", "10-K", "10-Q"]
    assert options(page, "quarter") == ["", "1", "2", "3", "4"]


def test_it_offers_the_parts_of_the_chosen_kind(client: Client, quarterly: Filing) -> None:
    everything = options(client.get("/search").content.decode(), "item")
    assert {"1A", "II.1A", "2.02", "questions"} <= set(everything)
    chosen = options(client.get("/search", {"kind": "10-Q"}).content.decode(), "item")
    assert "II.1A" in chosen
    assert not {"1A", "2.02", "questions"} & set(chosen)


def test_a_part_of_another_kind_is_told_beside_the_field(client: Client, quarterly: Filing) -> None:
    response = client.post("/search", {"q": "steel", "kind": "10-Q", "item": "1A"})
    assert response.status_code == 422
    assert "Item 1A, Risk Factors is no part of the kind Quarterly report (10-Q)." in response.content.decode()


def test_a_search_stores_its_filters_and_shows_them_again(as_alice: Client, alice: User, quarterly: Filing) -> None:
    sent = {"q": "steel", "kind": "10-Q", "item": "II.1A", "year": "2025", "quarter": "2", "company": str(NORTHWIND)}
    address = as_alice.post("/search", sent).headers["Location"]
    found = SearchRequest.objects.get()
    assert (found.source, found.fiscal_quarter, found.fiscal_year, found.item) == ("10-Q", 2, 2025, "II.1A")
    page = as_alice.get(address).content.decode()
    assert "10-Qs of Northwind Instruments, Q2 fiscal 2025, Part II, Item 1A, Risk Factors" in page
    for selected in ("10-Q", "2", "II.1A"):
        assert f'<option value="{selected}" selected>' in page


@pytest.mark.parametrize("sent", [{"kind": "11-K"}, {"quarter": "5"}, {"quarter": "x"}])
def test_an_unknown_kind_or_quarter_is_refused(client: Client, quarterly: Filing, sent: dict[str, str]) -> None:
    assert client.post("/search", {"q": "steel", **sent}).status_code == 422
    assert client.get("/search", sent).status_code == 200
