"""Tables as first reported and as last reported: pages, files, API, and the links from one to the other."""

from decimal import Decimal
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client

from agent.web.tables import grid as grids
from filings.models import Fact
from tests.agent.pages.test_other_choices import offered, page_of
from tests.agent.tables.cells import texts
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

CAPEX = "PaymentsToAcquirePropertyPlantAndEquipment"
GRID = {"companies": "AAPL", "measures": "capex", "from": "2022", "to": "2024"}
RESTATED = Decimal(12_000_000_000)


@pytest.fixture
def restated(sample: Sample) -> Sample:
    """Apple's 10-Ks from 2024 on give another capital expenditure for 2023 than that of 2023 did."""
    one = Fact.objects.filter(
        company__cik=320193, filing__fiscal_year__gte=2024, tag=CAPEX, end__year=2023, dimensions=""
    )
    assert one.filter(start__year=2022).update(value=RESTATED, raw=str(RESTATED))
    return sample


def test_a_grid_has_each_basis_one_click_from_the_other(as_alice: Client, restated: Sample) -> None:
    page = as_alice.get("/grid", GRID)
    assert texts(page.context["rows"])[0][2:] == ["12,000", "9,447"]
    ((first, label),) = page.context["others"]
    assert (label, "basis=first_reported" in first) == ("Show as first reported", True)
    page = as_alice.get(first)
    assert texts(page.context["rows"])[0][1:] == ["10,708", "10,959", "9,447"]
    assert '<input type="hidden" name="basis" value="first_reported">' in page.content.decode()
    assert "As first reported: each period from its own report." in page.content.decode()
    ((last, label),) = page.context["others"]
    assert (label, "basis=last_reported" in last) == ("Show as last reported", True)
    assert texts(as_alice.get(last).context["rows"])[0][2:] == ["12,000", "9,447"]


def test_a_grid_without_restated_years_offers_no_other_basis(as_alice: Client, sample: Sample) -> None:
    assert as_alice.get("/grid", GRID).context["others"] == []
    assert grids.read({"basis": "mine"}).basis is None


def test_a_file_of_a_grid_follows_its_basis(as_alice: Client, restated: Sample) -> None:
    assert "12000000000" in as_alice.get("/grid.csv", GRID).content.decode()
    assert "12000000000" not in as_alice.get("/grid.csv", {**GRID, "basis": "first_reported"}).content.decode()


def capex_of(page: HttpResponse) -> list[str]:
    return next(row for row in texts(page.context["figures"]) if row[0] == "Capital expenditures")


def test_key_figures_of_a_company_have_each_basis(client: Client, restated: Sample) -> None:
    address = restated["AAPL"].get_absolute_url()
    page = client.get(address)
    ((first, label),) = page.context["choices"]
    assert label == "Show as first reported"
    assert f'<a href="?{first}#figures">{label}</a>'.replace("&", "&amp;") in page.content.decode()
    shown = client.get(f"{address}?{first}")
    assert "10,959" in capex_of(shown)
    assert "12,000" in capex_of(page)


def test_an_answer_has_the_other_basis_one_click_away_and_its_grid_has_the_same(
    as_alice: Client, restated: Sample
) -> None:
    page = page_of(as_alice, "Apple capex 2022 to 2024")
    assert "Show as first reported" in page
    assert offered(page) == "Apple capex 2022 to 2024, as first reported"
    assert "<dd>As first reported, unless noted</dd>" in page
    other = page_of(as_alice, offered(page))
    assert "<dd>As first reported</dd>" in other
    assert "10,959" in other
    assert "/grid?companies=AAPL&measures=capex&from=2022&to=2024&basis=first_reported" in unescape(other)
    assert offered(other) == "Apple capex 2022 to 2024, as last reported"
    assert "12,000" in page_of(as_alice, offered(other))


def test_the_api_takes_a_basis(client: Client, restated: Sample) -> None:
    wanted = {"companies": "AAPL", "measures": "capex", "years": "2023-2024"}
    made = client.get("/api/v1/table", wanted).json()
    assert (made["basis"], [one["value"] for one in made["table"]]) == (
        "last_reported",
        ["12000000000", "9447000000"],
    )
    made = client.get("/api/v1/table", {**wanted, "basis": "first_reported"}).json()
    assert (made["basis"], [one["value"] for one in made["table"]]) == (
        "first_reported",
        ["10959000000", "9447000000"],
    )
    assert made["table"][1]["basis_break"] == "The fiscal 2024 10-K restates fiscal 2023."
    assert client.get("/api/v1/table", {**wanted, "basis": "mine"}).status_code == 422


# --- what was known on a day ---


def test_a_grid_and_the_api_have_what_was_known_on_a_day(as_alice: Client, restated: Sample) -> None:
    page = as_alice.get("/grid", {**GRID, "to": "2023", "as_of": "2023-12-31"})
    assert texts(page.context["rows"])[0][1:] == ["10,708", "10,959"]
    assert "As of 31 Dec 2023: only reports filed by then." in page.content.decode()
    assert '<input type="hidden" name="as_of" value="2023-12-31">' in page.content.decode()
    assert [(label, "as_of" in address) for address, label in page.context["others"]] == [("Use all reports", False)]
    assert grids.read({**GRID, "as_of": "soon"}).problems == ("“as_of” is a day such as 2024-03-31.",)
    wanted = {"companies": "AAPL", "measures": "capex", "years": "2022-2023", "as_of": "2023-12-31"}
    made = as_alice.get("/api/v1/table", wanted).json()
    assert [one["value"] for one in made["table"]] == ["10708000000", "10959000000"]
    assert as_alice.get("/api/v1/table", {**wanted, "as_of": "soon"}).status_code == 422


def test_the_grid_of_an_answer_has_its_day(as_alice: Client, restated: Sample) -> None:
    page = page_of(as_alice, "Apple capex 2022 to 2023 as of December 31, 2023")
    assert "10,959" in page
    assert "<dd>As first reported, unless noted, by 31 Dec 2023</dd>" in page
    assert "from=2022&to=2023&as_of=2023-12-31" in unescape(page)
