"""All companies by their figures, by the API: as the page ranks them, each figure with its facts."""

import pytest
from django.test import Client

from filings.models import Company, Fact
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

SCREENER = "/api/v1/screener"


@pytest.fixture(autouse=True)
def three(sample: Sample) -> None:
    Company.objects.exclude(tickers__symbol__in=["AAPL", "MSFT", "NVDA"]).update(active=False)


def test_companies_are_ranked_with_their_facts(alices: Client) -> None:
    found = alices.get(SCREENER, {"measures": "operating_margin,revenue", "year": 2023}).json()
    assert [(one["rank"], one["name"], one["fiscal_year"]) for one in found["items"]] == [
        (1, "NVIDIA", 2024),
        (2, "Microsoft", 2024),
        (3, "Apple", 2023),
    ]
    margin, revenue = found["items"][2]["figures"]
    assert (margin["key"], margin["formula"]) == ("operating_margin", "100 * (operating_income / revenue)")
    assert Fact.objects.get(pk=revenue["facts"][0]["fact"]).value == 383_285_000_000
    assert (found["total"], found["compared"], found["unranked"]) == (3, 3, {"count": 0, "ciks": []})
    assert found["web"] == "/screener?measures=operating_margin,revenue&year=2023"


def test_bounds_order_and_pages_are_parameters(alices: Client) -> None:
    wanted = {"measures": "revenue", "year": 2023, "where": "operating_margin>=40", "order": "lowest", "size": 1}
    first = alices.get(SCREENER, wanted).json()
    assert ([one["name"] for one in first["items"]], first["pages"], first["total"]) == (["NVIDIA"], 2, 2)
    second = alices.get(SCREENER, wanted | {"page": 2}).json()
    assert [one["name"] for one in second["items"]] == ["Microsoft"]
    assert alices.get(SCREENER, wanted | {"page": 3}).json()["items"] == []


@pytest.mark.parametrize(
    ("wanted", "fields"),
    [
        ({}, {"measures"}),
        ({"measures": "nonsense"}, {"measures"}),
        ({"measures": "nonsense", "where": "revenue", "sic": "x"}, {"measures", "where", "sic"}),
        ({"measures": "revenue", "where": "revenue"}, {"where"}),
        ({"measures": "revenue", "where": "revenue>many"}, {"where"}),
        ({"measures": "revenue,net_income,rnd,cfo,capex,fcf", "where": "equity>1"}, {"measures"}),
        ({"measures": "revenue", "sort": "rnd"}, {"sort"}),
        ({"measures": "revenue", "order": "upwards"}, {"order"}),
        ({"measures": "revenue", "year": 1999}, {"year"}),
        ({"measures": "revenue", "size": 51}, {"size"}),
    ],
)
def test_a_wrong_parameter_is_named(alices: Client, wanted: dict[str, object], fields: set[str]) -> None:
    response = alices.get(SCREENER, wanted)
    assert response.status_code == 422
    assert {one["field"] for one in response.json()["errors"]} == fields
