"""Quarters and twelve months on pages: the company's key figures, the grid, and the card of an answer."""

import pytest
from django.test import Client

from agent.web.tables import grid as grids
from filings.xbrl.periods import FiscalPeriod, Place
from tests.agent.tables.cells import texts
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("periods", "first"), [("quarterly", "Q"), ("ttm", "TTM"), ("annual", "FY"), ("weekly", "FY"), ("", "FY")]
)
def test_key_figures_are_of_years_quarters_or_twelve_months(
    client: Client, sample: Sample, periods: str, first: str
) -> None:
    page = client.get(sample["AAPL"].get_absolute_url(), {"periods": periods} if periods else {})
    columns = page.context["figures"].columns
    assert all(column.label.startswith((first, "FY")) for column in columns)
    assert any(column.label.startswith(first) for column in columns)
    assert len(columns) == (8 if periods in ("quarterly", "ttm") else len(columns))
    shown = [label for _, label, chosen in page.context["periods"] if chosen]
    assert shown == [{"quarterly": "Quarterly", "ttm": "Trailing twelve months"}.get(periods, "Annual")]


def test_a_company_without_quarters_offers_none(client: Client, sample: Sample) -> None:
    page = client.get(sample["NWND"].get_absolute_url())
    assert page.context["periods"] == ()
    assert "Trailing twelve months" not in page.content.decode()


def test_a_grid_has_quarters_as_columns(client: Client, sample: Sample) -> None:
    wanted = {"companies": "AAPL,MSFT", "measures": "revenue", "from": "2024", "to": "2024", "per": "quarter"}
    wanted |= {"align": "fiscal"}
    page = client.get("/grid", wanted)
    assert [column.label for column in page.context["rows"].columns] == [f"Q{one} FY2024" for one in (1, 2, 3, 4)]
    assert texts(page.context["rows"])[0][1:] == ["119,575", "90,753", "85,777", "94,930"]
    # What is computed has its formula below, where its cell leads to.
    assert 'id="formula-grid-' in page.content.decode()
    months = client.get("/grid", {**wanted, "per": "ttm"})
    assert [column.label for column in months.context["rows"].columns][-1] == "FY2024"


def test_a_grid_of_quarters_is_sorted_by_one_and_keeps_its_columns_in_its_address() -> None:
    found = grids.read(
        {"companies": "", "measures": "revenue", "from": "2023", "to": "2024", "per": "quarter", "sort": "2023q4"}
    )
    assert found.sort == Place(2023, FiscalPeriod.Q4)
    assert "per=quarter" in found.address()
    assert "sort=2023q4" in found.address()
    assert grids.read({"from": "2023", "to": "2024", "per": "year", "sort": "2023q4"}).sort is None


def test_a_grid_of_too_many_quarters_is_told() -> None:
    found = grids.read({"from": "2015", "to": "2024", "per": "quarter"})
    assert found.problems == ("By the quarter, a grid has 5 years at most; these are 10.",)
    assert grids.read({"from": "2015", "to": "2024", "per": "decade"}).per == grids.YEAR


@pytest.mark.parametrize("code", ["2024", "2024q3", "2024m9", "2024ttm_q2", "2024H1"])
def test_a_place_is_found_by_its_code(code: str) -> None:
    place = Place.of_code(code)
    assert place is not None
    assert place.code == code.lower()


@pytest.mark.parametrize("code", ["", "24q3", "2024q7", "twenty", "2024 q3", "\u0662\u0660\u0662\u0664"])
def test_what_is_no_code_is_no_place(code: str) -> None:
    assert Place.of_code(code) is None


def test_a_filing_of_a_quarter_has_a_page(client: Client, sample: Sample) -> None:
    quarter = sample["AAPL"].filings.filter(source="10-Q").first()
    page = client.get(quarter.get_absolute_url())
    assert page.status_code == 200
    assert "10-Q" in page.content.decode()
