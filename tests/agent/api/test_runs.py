"""Runs by the API: one's own alone, in pages, under a tag once they are finished."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.test import Client

from accounts.identity_middleware import SESSION_KEY
from accounts.models import User
from agent.models import Run
from tests.support.answers import (
    conflict_answer,
    derived_answer,
    meta_answer,
    number_answer,
    open_run,
    refusal_answer,
    run_with,
)

pytestmark = pytest.mark.django_db

RUNS = "/api/v1/runs"


def test_a_run_is_shown_to_its_owner_alone(alices: Client, bobs: Client, as_alice: Client, alice: User) -> None:
    run = run_with(number_answer(), alice)
    address = f"{RUNS}/{run.pk}"
    assert alices.get(address).json()["id"] == str(run.pk)
    assert as_alice.get(address).status_code == 200
    for stranger in (bobs, Client(), Client(headers={"Cookie": "sessionid=x"})):
        response = stranger.get(address)
        assert (response.status_code, response.json()["reason"]) == (404, "not_found")
    missing = bobs.get(f"{RUNS}/{uuid4()}").json()
    assert missing == bobs.get(address).json()


def test_staff_see_no_more_than_others(as_charlie: Client, alice: User) -> None:
    assert as_charlie.get(f"{RUNS}/{run_with(number_answer(), alice).pk}").status_code == 404


def test_an_open_run_says_when_to_come_back_and_has_no_tag(alices: Client, alice: User) -> None:
    run = open_run(alice)
    response = alices.get(f"{RUNS}/{run.pk}")
    assert (response.status_code, response.json()["status"], response["Retry-After"]) == (200, "running", "1")
    assert "ETag" not in response


def test_a_finished_run_is_not_sent_twice(alices: Client, alice: User) -> None:
    run = run_with(number_answer(), alice)
    first = alices.get(f"{RUNS}/{run.pk}")
    again = alices.get(f"{RUNS}/{run.pk}", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    Run.objects.filter(pk=run.pk).update(starred=True)
    other = alices.get(f"{RUNS}/{run.pk}", headers={"If-Match": '"another"'})
    assert (other.status_code, other.json()["reason"]) == (412, "changed")
    changed = alices.get(f"{RUNS}/{run.pk}", headers={"If-None-Match": first["ETag"]})
    assert (changed.status_code, changed.json()["starred"]) == (200, True)


def test_a_tag_opens_nothing_to_a_stranger(alices: Client, bobs: Client, alice: User) -> None:
    run = run_with(number_answer(), alice)
    etag = alices.get(f"{RUNS}/{run.pk}")["ETag"]
    assert bobs.get(f"{RUNS}/{run.pk}", headers={"If-None-Match": etag}).status_code == 404


def test_replies_are_kept_by_nobody_in_between(alices: Client, alice: User) -> None:
    response = alices.get(f"{RUNS}/{run_with(number_answer(), alice).pk}")
    assert "private" in response["Cache-Control"]
    assert {"Authorization", "Cookie"} <= {one.strip() for one in response["Vary"].split(",")}


def test_a_computed_number_has_its_formula_and_facts(alices: Client, alice: User) -> None:
    run = run_with(derived_answer(), alice)
    (value,) = alices.get(f"{RUNS}/{run.pk}").json()["answer"]["parts"][0]["values"]
    assert (value["value"], value["formula"], value["fact"]) == ("35013500", "revenue - cost_of_revenue", None)
    assert [one["fact"]["tag"] for one in value["operands"]] == ["us-gaap:Revenues", "us-gaap:CostOfRevenue"]


def test_a_refusal_is_typed_as_on_the_page(alices: Client, alice: User) -> None:
    run = run_with(refusal_answer(), alice)
    shown = alices.get(f"{RUNS}/{run.pk}").json()
    assert (shown["refused"], shown["refusal_code"]) == (True, "concept_not_reported")
    refusal = shown["refusal"]
    assert refusal["stage"] == "locate"
    assert refusal["looked_for"][0] == {"what": "Filing", "value": "10-K for the year ended 31 Dec 2024"}
    assert refusal["tags"][0] == "us-gaap:AdvertisingExpense"
    assert refusal["alternatives"][0]["question"] == "Northwind revenue in fiscal 2024"


def test_a_conflict_lists_the_facts_that_disagree(alices: Client, alice: User) -> None:
    run = run_with(conflict_answer(), alice)
    candidates = alices.get(f"{RUNS}/{run.pk}").json()["refusal"]["candidates"]
    assert [one["value"] for one in candidates] == ["9412000", "483000"]


def test_a_failed_run_has_no_answer(alices: Client, alice: User) -> None:
    run = run_with(number_answer(), alice)
    Run.objects.filter(pk=run.pk).update(status="failed", outcome="error", answer=None)
    shown = alices.get(f"{RUNS}/{run.pk}").json()
    assert (shown["status"], shown["outcome"], shown["answer"], shown["refused"]) == ("failed", "error", None, False)


def test_words_of_diligence_itself_are_a_part(alices: Client, alice: User) -> None:
    shown = alices.get(f"{RUNS}/{run_with(meta_answer(), alice).pk}").json()
    assert shown["outcome"] == "meta"
    assert shown["answer"]["parts"][0]["text"].startswith("Figures of 13 companies")


# --- the list ---


def test_the_list_is_ones_own_newest_first(alices: Client, alice: User, bob: User) -> None:
    mine = [run_with(number_answer(), alice, question=f"Question {number}") for number in range(3)]
    run_with(number_answer(), bob)
    run_with(number_answer(), visitor=uuid4())
    shown = alices.get(RUNS).json()
    assert [one["id"] for one in shown["items"]] == [str(run.pk) for run in reversed(mine)]
    assert (shown["total"], shown["page"], shown["pages"], shown["next"]) == (3, 1, 1, "")
    assert "answer" not in shown["items"][0]


def test_a_stranger_has_an_empty_list_and_no_session(db: None, alice: User) -> None:
    run_with(number_answer(), alice)
    response = Client().get(RUNS)
    assert response.json()["items"] == []
    assert "sessionid" not in response.cookies


def test_a_visitor_has_a_list_of_their_own(client: Client) -> None:
    visitor = uuid4()
    run = run_with(number_answer(), visitor=visitor)
    session = client.session
    session[SESSION_KEY] = str(visitor)
    session.save()
    assert [one["id"] for one in client.get(RUNS).json()["items"]] == [str(run.pk)]


def test_pages_follow_one_another_and_end(alices: Client, alice: User) -> None:
    for number in range(5):
        run_with(number_answer(), alice, question=f"Question {number}")
    address, seen = f"{RUNS}?size=2&outcome=answered", []
    while address:
        page = alices.get(address).json()
        seen += [one["question"] for one in page["items"]]
        address = page["next"]
    assert seen == [f"Question {number}" for number in (4, 3, 2, 1, 0)]
    assert alices.get(f"{RUNS}?page=9&size=2").json()["items"] == []


@pytest.mark.parametrize(
    "query",
    [
        "page=0",
        "page=10001",
        "size=0",
        "size=101",
        "size=x",
        "outcome=x",
        f"q={'x' * 201}",
        "origin=mail",
        "since=yesterday",
        "until=2025-02-30",
        "until=2025-02-01&since=2025-02-02",
    ],
)
def test_bounds_of_a_page_are_kept(alices: Client, query: str) -> None:
    response = alices.get(f"{RUNS}?{query}")
    assert (response.status_code, response["Content-Type"]) == (422, "application/problem+json")
    assert [one["field"] for one in response.json()["errors"]] == [query.partition("=")[0]]


def test_the_list_is_searched_and_narrowed(alices: Client, alice: User) -> None:
    from agent.runs.history_index import remember

    for answer in (number_answer(), refusal_answer()):
        remember(run_with(answer, alice).pk)
    assert alices.get(f"{RUNS}?outcome=refused").json()["total"] == 1
    assert [one["refused"] for one in alices.get(f"{RUNS}?q=advertising").json()["items"]] == [True]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("origin=page", [3]),
        ("origin=api", [2]),
        ("origin=mcp", [1]),
        ("since=2025-06-02", [3, 2]),
        ("until=2025-06-02", [2, 1]),
        ("since=2025-06-02&until=2025-06-02", [2]),
        ("since=2025-06-03&origin=mcp", []),
    ],
)
def test_the_list_is_narrowed_by_where_and_when_a_question_was_asked(
    alices: Client, alice: User, query: str, found: list[int]
) -> None:
    for day, origin in ((1, "mcp"), (2, "api"), (3, "page")):
        run = run_with(number_answer(), alice)
        created = datetime(2025, 6, day, 23, 59, 59, 999_999, tzinfo=UTC)
        Run.objects.filter(pk=run.pk).update(question=f"{day}", origin=origin, created=created)
    shown = alices.get(f"{RUNS}?{query}").json()
    assert [int(one["question"]) for one in shown["items"]] == found
    assert shown["total"] == len(found)


def test_the_list_costs_the_same_whatever_its_length(
    alices: Client, alice: User, django_assert_num_queries, django_assert_max_num_queries
) -> None:
    run_with(number_answer(), alice)
    alices.get(RUNS)  # writes down that the token is in use
    with django_assert_max_num_queries(3) as few:
        alices.get(RUNS)
    for _ in range(20):
        run_with(refusal_answer(), alice)
    with django_assert_num_queries(len(few)):
        assert len(alices.get(RUNS).json()["items"]) == 21


def test_a_run_costs_the_same_however_much_it_says(
    alices: Client, alice: User, django_assert_num_queries, django_assert_max_num_queries
) -> None:
    small, large = run_with(number_answer(), alice), run_with(conflict_answer(), alice)
    alices.get(RUNS)  # writes down that the token is in use
    with django_assert_max_num_queries(2) as few:
        alices.get(f"{RUNS}/{small.pk}")
    with django_assert_num_queries(len(few)):
        alices.get(f"{RUNS}/{large.pk}")
