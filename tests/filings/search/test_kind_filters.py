"""A search keeps to a kind of document and to a period, in either index, without these being indexed."""

from datetime import date

import pytest
from django.utils.timezone import now

from filings.models import Company, Filing, SearchRequest
from filings.models.report import imported_accession
from filings.search import browsing, elastic_shape, requests
from filings.search.index import Query
from filings.search.indexing import index_filing
from filings.search.requests import Filters
from tests.support.searchable import MadeUp, store

SAID = "One mill rolls all of our sheet steel, and no other mill could."
KINDS = {
    "annual": {"form": "10-K", "source": "10-K", "fiscal_year": 2025, "is_primary": True},
    "quarterly": {"form": "10-Q", "source": "10-Q", "fiscal_year": 2025, "fiscal_quarter": 2},
    "older": {"form": "10-Q", "source": "10-Q", "fiscal_year": 2024, "fiscal_quarter": 2},
    "current": {"form": "8-K", "source": "8-K", "fiscal_year": 2025},
    "call": {"source": "call", "fiscal_year": 2025, "fiscal_quarter": 2, "title": "The call of a summer"},
}
PART = {"annual": "1A", "quarterly": "II.1A", "older": "II.1A", "current": "8.01", "call": "questions"}


@pytest.fixture
def documents(model: MadeUp, company: Company) -> dict[str, Filing]:
    """A document of each kind that says the same, indexed."""
    found = {}
    for number, (name, fields) in enumerate(KINDS.items(), 1):
        sec = f"{company.cik:010d}-25-{number:06d}"
        found[name] = Filing.objects.create(
            company=company,
            accession=sec if fields.get("form") else imported_accession(name.encode()),
            filed=date(2025, number, 1),
            **fields,
        )
        store(found[name], [SAID], item=PART[name])
        index_filing(found[name].pk)
    return found


def found_in(documents: dict[str, Filing], filters: Filters) -> set[str]:
    request = requests.start("sheet steel mill", filters)
    requests.run(request.pk)
    request.refresh_from_db()
    assert request.status == SearchRequest.Status.DONE, request.problem
    return {name for name, one in documents.items() if one.accession in {row["accession"] for row in request.results}}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), set(KINDS)),
        (Filters(source="10-Q"), {"quarterly", "older"}),
        (Filters(source="call"), {"call"}),
        (Filters(fiscal_quarter=2), {"quarterly", "older", "call"}),
        (Filters(fiscal_quarter=2, fiscal_year=2025), {"quarterly", "call"}),
        (Filters(source="10-Q", fiscal_quarter=2, fiscal_year=2024), {"older"}),
        (Filters(source="10-Q", item="II.1A", fiscal_year=2025), {"quarterly"}),
        (Filters(source="news"), set()),
        (Filters(source="8-K", fiscal_quarter=2), set()),
    ],
)
def test_it_keeps_to_kind_and_period(documents: dict[str, Filing], filters: Filters, expected: set[str]) -> None:
    assert found_in(documents, filters) == expected


def test_a_document_told_to_be_of_another_kind_is_found_as_such_at_once(documents: dict[str, Filing]) -> None:
    Filing.objects.filter(pk=documents["call"].pk).update(source="report")
    assert found_in(documents, Filters(source="call")) == set()
    assert found_in(documents, Filters(source="report")) == {"call"}


def test_what_is_withdrawn_is_in_no_scope(documents: dict[str, Filing]) -> None:
    Filing.objects.filter(pk=documents["call"].pk).update(withdrawn=now())
    assert found_in(documents, Filters(fiscal_quarter=2)) == {"quarterly", "older"}


def test_both_indexes_are_asked_for_the_same_documents(documents: dict[str, Filing]) -> None:
    scope = browsing.in_scope(SearchRequest(text="steel", source="10-Q"))
    assert scope == (documents["quarterly"].pk, documents["older"].pk)
    searches = elastic_shape.searches(Query("steel", filings=scope))
    assert {"terms": {"filing": list(scope)}} in searches["lexical"]["query"]["bool"]["filter"]


def test_a_result_says_kind_and_period(documents: dict[str, Filing]) -> None:
    from filings.web.search_views import results

    request = requests.start("sheet steel mill")
    requests.run(request.pk)
    request.refresh_from_db()
    titles = {one.title for one in results(request)}
    assert titles == {
        "Halden Optics (fictional) · FY2025 · Item 1A, Risk Factors",
        "Halden Optics (fictional) · 10-Q, Q2 fiscal 2025 · Part II, Item 1A, Risk Factors",
        "Halden Optics (fictional) · 10-Q, Q2 fiscal 2024 · Part II, Item 1A, Risk Factors",
        "Halden Optics (fictional) · 8-K, 1 Apr 2025 · Item 8.01, Other Events",
        "Halden Optics (fictional) · Earnings call, Q2 fiscal 2025 · Questions and answers",
    }
    assert "The call of a summer" in {one.below for one in results(request)}
