"""Search by the API: a task that is started and polled, of whoever started it."""

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import Session, User
from filings.models import SearchRequest
from filings.search import requests as searches
from tests.agent.api.conftest import program
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

SEARCH = "/api/v1/search"


def start(client: Client, **wanted: object):
    return client.post(SEARCH, {"q": "supply risks", **wanted}, content_type="application/json")


def test_a_search_is_started_and_polled(alices: Client, alice: User, sample: Sample) -> None:
    response = start(alices, company="9999999901", item="1A")
    assert response.status_code == 202
    search = SearchRequest.objects.get()
    assert (search.user, search.text, search.cik, search.item) == (alice, "supply risks", 9_999_999_901, "1A")
    assert (response["Location"], response["Retry-After"]) == (f"{SEARCH}/{search.pk}", "1")
    assert alices.get(response["Location"]).json()["status"] == "queued"
    searches.run(search.pk)
    shown = alices.get(response["Location"])
    assert "Retry-After" not in shown
    found = shown.json()
    assert found["status"] == "done"
    first = found["passages"][0]
    assert (first["cik"], first["item"]) == (9_999_999_901, "1A")
    section = alices.get(first["section_url"]).json()
    assert " ".join(first["snippet"].split())[:40] in " ".join(section["text"].split())


def test_a_search_is_shown_to_whoever_started_it(alices: Client, bobs: Client, sample: Sample) -> None:
    address = start(alices)["Location"]
    assert alices.get(address).status_code == 200
    assert bobs.get(address).status_code == 404
    assert Client().get(address).status_code == 404


def test_a_search_takes_the_scope_that_it_is_read_with(alice: User, sample: Sample) -> None:
    for scope, lacks in (("ask", "read"), ("read", "ask")):
        refused = start(program(alice, scope))
        assert (refused.status_code, refused.json()["reason"]) == (403, "insufficient_scope")
        assert f'scope="{lacks}"' in refused["WWW-Authenticate"]
    assert not SearchRequest.objects.exists()
    both = program(alice, "ask", "read")
    assert both.get(start(both)["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"q": ""}, "q"),
        ({"q": "x" * 301}, "q"),
        ({"company": "NOBODY"}, "company"),
        ({"fiscal_year": 1066}, "fiscal_year"),
        ({"item": "42"}, "item"),
        ({"accession": "1"}, "accession"),
        ({"accession": "0000000000-00-000000"}, "accession"),
        ({"limit": 3}, "limit"),
        *(
            ({field: f"a{never}b"}, field)
            for field in ("q", "company", "item", "accession")
            for never in "\0\ud800\udfff"
        ),
    ],
)
def test_what_cannot_be_searched_is_a_problem(
    alices: Client, sample: Sample, wanted: dict[str, object], field: str
) -> None:
    response = start(alices, **wanted)
    assert response.status_code == 422
    assert [one["field"] for one in response.json()["errors"]] == [field]
    assert not SearchRequest.objects.exists()


def test_a_search_counts_among_the_requests_of_its_minute_and_nowhere_else(
    alices: Client, sample: Sample, settings: Settings
) -> None:
    settings.PLANS = {"user": {"requests_per_minute": 2, "answers_per_month": 1, "unfinished_runs": 1}}
    assert start(alices)["RateLimit"].startswith('"requests_per_minute";r=1, "answers_per_month";r=1')
    asked = alices.post("/api/v1/ask", {"question": "Northwind revenue"}, content_type="application/json")
    assert asked.status_code in {200, 202}
    refused = start(alices)
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert 0 < int(refused["Retry-After"]) <= 60
    told = refused.json()
    assert (told["reason"], told["auth_required"], told["limit"]["used"]) == ("too_many_questions", False, 2)
    assert SearchRequest.objects.count() == 1
    limits = {one["name"]: one["used"] for one in alices.get("/api/v1/usage").json()["limits"]}
    assert limits["requests_per_minute"] == 2


def test_a_refused_search_makes_no_session(client: Client, settings: Settings) -> None:
    settings.PLANS = {"anon": {"requests_per_minute": 1, "questions_in_all": 1}}
    assert start(client).status_code == 202
    other = Client()
    refused = start(other)
    assert (refused.status_code, refused.json()["auth_required"]) == (429, True)
    assert "sessionid" not in other.cookies
    assert Session.objects.count() == 1


def test_a_failed_search_says_why(alices: Client, alice: User) -> None:
    search = SearchRequest.objects.create(user=alice, text="x", status="failed", problem="The index is away.")
    shown = alices.get(f"{SEARCH}/{search.pk}").json()
    assert (shown["status"], shown["problem"], shown["passages"]) == ("failed", "The index is away.", [])


def test_what_was_found_costs_the_same_whatever_it_is(
    alices: Client, alice: User, sample: Sample, django_assert_num_queries
) -> None:
    start(alices)
    search = SearchRequest.objects.get()
    searches.run(search.pk)
    search.refresh_from_db()
    assert len(search.results) > 3
    few = SearchRequest.objects.create(user=alice, text="x", status="done", results=search.results[:1])
    with django_assert_num_queries(3):
        alices.get(f"{SEARCH}/{few.pk}")
    with django_assert_num_queries(3):
        alices.get(f"{SEARCH}/{search.pk}")
