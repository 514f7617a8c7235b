"""The list of filings by kind, quarter and title, and what it gives without them."""

from datetime import date

import pytest
from django.test import Client

from filings.models import Filing
from filings.models.report import imported_accession
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

FILINGS = "/api/v1/filings"
NORTHWIND = 9_999_999_901


@pytest.fixture
def call(sample: Sample) -> Filing:
    company = Filing.objects.filter(company__cik=NORTHWIND).first()
    assert company
    return Filing.objects.create(
        company=company.company,
        source="call",
        accession=imported_accession(b"a call"),
        filed=date(2026, 2, 3),
        fiscal_year=2025,
        fiscal_quarter=4,
        title="The fourth quarter, spoken",
        address="https://example.com/call",
        chunks_stored=2,
    )


def listed(client: Client, **query: object) -> list[dict[str, object]]:
    shown = client.get(FILINGS, {"company": NORTHWIND, "size": 100, **query}).json()
    items: list[dict[str, object]] = shown["items"]
    return items


def test_without_a_kind_the_annual_reports_are_listed_as_before(client: Client, call: Filing) -> None:
    found = listed(client)
    assert found
    assert {one["kind"] for one in found} == {"10-K"}
    assert {one["title"] for one in found} == {""}
    assert found == listed(client, kind="10-K")
    assert all(one["kind"] == "10-Q" for one in listed(client, report="quarterly"))


def test_documents_of_a_kind_are_listed_with_quarter_and_title(client: Client, call: Filing) -> None:
    (found,) = listed(client, kind="call")
    assert (found["accession"], found["kind"], found["form"]) == (call.accession, "call", "")
    assert (found["fiscal_year"], found["fiscal_quarter"], found["title"]) == (2025, 4, "The fourth quarter, spoken")
    # It came from elsewhere.
    assert found["sec_url"] == ""
    assert listed(client, kind="call", fiscal_quarter=4) == [found]
    assert listed(client, kind="call", fiscal_quarter=3) == []
    assert listed(client, kind="8-K") == []
    one = client.get(found["url"]).json()
    assert (one["kind"], one["title"]) == ("call", "The fourth quarter, spoken")


@pytest.mark.parametrize("query", [{"kind": "11-K"}, {"fiscal_quarter": 5}, {"fiscal_quarter": "x"}])
def test_an_unknown_kind_or_quarter_is_a_problem(client: Client, sample: Sample, query: dict[str, object]) -> None:
    reply = client.get(FILINGS, query)
    assert reply.status_code == 422
    assert [one["field"] for one in reply.json()["errors"]] == [*query]


def test_a_search_takes_a_kind_and_a_quarter_and_tells_them(alices: Client, sample: Sample) -> None:
    from filings.models import SearchRequest
    from filings.search import requests

    sent = {"q": "supply risks", "company": str(NORTHWIND), "kind": "10-K", "item": "1A", "fiscal_quarter": None}
    reply = alices.post("/api/v1/search", sent, content_type="application/json")
    assert reply.status_code == 202
    search = SearchRequest.objects.get()
    assert (search.source, search.fiscal_quarter) == ("10-K", None)
    requests.run(search.pk)
    first = alices.get(reply["Location"]).json()["passages"][0]
    assert (first["kind"], first["fiscal_quarter"], first["title"]) == ("10-K", None, "")


@pytest.mark.parametrize(
    ("wanted", "field"),
    [({"kind": "11-K"}, "kind"), ({"fiscal_quarter": 5}, "fiscal_quarter"), ({"kind": "10-Q", "item": "1A"}, "item")],
)
def test_a_search_of_an_unknown_kind_or_quarter_is_a_problem(
    alices: Client, sample: Sample, wanted: dict[str, object], field: str
) -> None:
    reply = alices.post("/api/v1/search", {"q": "supply", **wanted}, content_type="application/json")
    assert reply.status_code == 422
    assert [one["field"] for one in reply.json()["errors"]] == [field]
