"""Asking by the API: the same form, quotas and runs as on the page."""

import json
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from accounts.identity_middleware import SESSION_KEY
from accounts.models import User
from agent.models import Run
from agent.web import waiting
from tests.agent.api.conftest import program
from tests.support.answers import number_answer, run_with
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

ASK = "/api/v1/ask"
QUESTION = "What was Apple's R&D spend in FY2024?"
AT_ONCE = {"Prefer": "respond-async"}


def ask(client: Client, question: str = QUESTION, **more: object):
    headers = more.pop("headers", AT_ONCE)
    return client.post(ASK, {"question": question, **more}, content_type="application/json", headers=headers)


def test_a_question_is_a_run_of_the_account_and_its_address_is_told(alices: Client, alice: User) -> None:
    response = ask(alices)
    run = Run.objects.get()
    assert (run.user, run.question, run.status) == (alice, QUESTION, Run.Status.QUEUED)
    assert response.status_code == 202
    assert response["Location"] == f"/api/v1/runs/{run.pk}"
    assert response["Retry-After"] == "1"
    shown = response.json()
    assert (shown["id"], shown["status"], shown["answer"], shown["refused"]) == (str(run.pk), "queued", None, False)


def test_it_waits_for_the_answer(alices: Client, sample: Sample, worker: Callable[[], None]) -> None:
    response = ask(alices, headers={})
    assert response.status_code == 200
    shown = response.json()
    (value,) = shown["answer"]["parts"][0]["values"]
    assert (shown["status"], shown["outcome"], shown["type"]) == ("done", "answered", "numeric")
    assert (value["value"], value["shown"], value["unit"]) == ("31370000000", "$31,370 million", "USD")
    assert value["fact"]["tag"] == "us-gaap:ResearchAndDevelopmentExpense"
    assert value["fact"]["accession"] == sample.filing("AAPL", 2024).accession


def test_a_refusal_is_an_answer_with_its_type(alices: Client, sample: Sample, worker: Callable[[], None]) -> None:
    response = ask(alices, "JPMorgan gross profit in fiscal 2024", headers={})
    assert response.status_code == 200
    shown = response.json()
    assert (shown["refused"], shown["refusal_code"]) == (True, "not_meaningful")
    refusal = shown["refusal"]
    assert refusal == shown["answer"]["parts"][0]["refusal"]
    assert (refusal["code"], refusal["stage"]) == ("not_meaningful", "locate")
    assert refusal["looked_for"]
    assert refusal["alternatives"]
    assert shown["answer"]["parts"][0]["values"] == []


def test_a_question_goes_on_from_a_run_of_ones_own(
    alices: Client, bobs: Client, sample: Sample, worker: Callable[[], None]
) -> None:
    first = ask(alices, headers={}).json()["id"]
    stolen = ask(bobs, "and in FY2023?", continues=first)
    assert (stolen.status_code, stolen.json()["errors"][0]["field"]) == (422, "continues")
    shown = ask(alices, "and in FY2023?", continues=first, headers={}).json()
    assert str(Run.objects.get(pk=shown["id"]).continues_id) == first
    assert shown["continues"] == first
    assert {one["part"]: one["value"] for one in shown["taken"]}["Company"].startswith("Apple")
    assert shown["answer"]["parts"][0]["values"][0]["fiscal_year"] == 2023
    assert shown["read_as"].endswith("of Apple in fiscal 2023")


def test_it_does_not_wait_longer_than_it_may(
    alices: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.API_WAIT_SECONDS = 5
    waits: list[float] = []
    monkeypatch.setattr(waiting, "closed_within", lambda run, seconds, *_: waits.append(seconds) or False)
    for wanted in ("wait=2", "wait=60", "handling=lenient; wait=1, x=y", "wait=soon", "respond-async"):
        assert ask(alices, headers={"Prefer": wanted}).status_code == 202
    assert waits == [2, 5, 1, 5]


def test_a_process_waits_for_a_few_at_a_time_only(alices: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all places taken the address of the run is told at once."""
    monkeypatch.setattr(waiting, "closed_within", lambda *_: pytest.fail("waited"))
    taken = [waiting.places.acquire(blocking=False) for _ in range(settings.API_WAITS)]
    try:
        assert all(taken)
        assert ask(alices, headers={}).status_code == 202
    finally:
        for _ in taken:
            waiting.places.release()


def test_a_place_to_wait_is_given_back(alices: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bool:
        raise RuntimeError

    alices.raise_request_exception = False
    monkeypatch.setattr(waiting, "closed_within", broken)
    for _ in range(settings.API_WAITS + 1):
        assert ask(alices, headers={}).status_code == 500


@pytest.mark.parametrize("typed", ["", "  \n "])
def test_an_empty_question_is_a_problem(alices: Client, typed: str) -> None:
    response = ask(alices, typed)
    assert response.status_code == 422
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["errors"] == [
        {"field": "question", "message": "Type a question first. Name a company, a measure and a year."}
    ]
    assert not Run.objects.exists()


def test_too_long_a_question_has_the_shape_of_a_limit(alices: Client, settings) -> None:
    settings.QUESTION_MAX_LENGTH = 20
    response = ask(alices, "What was Northwind's revenue?")
    assert response.status_code == 413
    told = response.json()
    assert (told["reason"], told["auth_required"]) == ("question_too_long", False)
    assert (told["limit"]["limit"], told["limit"]["used"]) == (20, 29)
    assert not Run.objects.exists()


def test_too_large_a_body_has_it_too(alices: Client) -> None:
    response = alices.post(ASK, "x" * 70_000, content_type="application/json")
    assert response.status_code == 413
    assert "Retry-After" not in response
    assert response["RateLimit-Policy"] == f'"body_bytes";q={64 * 1024}'
    assert response["RateLimit"] == f'"body_bytes";r={64 * 1024}'
    told = response.json()
    assert (told["reason"], told["auth_required"]) == ("body_too_large", False)
    limit = {"name": "body_bytes", "limit": 64 * 1024, "used": 70_000, "window_s": None, "retry_after_s": None}
    assert told["limit"] == limit


def test_too_large_a_form_of_a_browser_has_it_too(alice: User) -> None:
    """With a session the check of CSRF is the first that would read it."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    response = client.post(ASK, "question=" + "x" * 3_000_000, content_type="application/x-www-form-urlencoded")
    assert (response.status_code, response["Content-Type"]) == (413, "application/problem+json")
    assert (response.json()["reason"], response.json()["limit"]["limit"]) == ("body_too_large", 64 * 1024)


@pytest.mark.parametrize(
    ("body", "status", "reason", "field"),
    [
        ("{", 400, "malformed", ""),
        ("[]", 422, "invalid", ""),
        ("{}", 422, "invalid", "question"),
        (json.dumps({"question": ["x"]}), 422, "invalid", "question"),
        (json.dumps({"question": "x", "mode": "deep_search"}), 422, "invalid", "mode"),
        (json.dumps({"question": "x", "user": 1}), 422, "invalid", "user"),
        (json.dumps({"question": "x\0y"}), 422, "invalid", "question"),
        (json.dumps({"question": "x" * 70_000}), 413, "body_too_large", ""),
    ],
)
def test_what_cannot_be_used_is_a_problem(alices: Client, body: str, status: int, reason: str, field: str) -> None:
    response = alices.post(ASK, body, content_type="application/json")
    assert response.status_code == status
    told = response.json()
    assert (told["status"], told["reason"]) == (status, reason)
    if field:
        assert [one["field"] for one in told["errors"]] == [field]
    assert not Run.objects.exists()


def test_only_json_is_taken(alices: Client) -> None:
    """A form of another site can send text that looks like JSON, with nobody asked."""
    response = alices.post(ASK, json.dumps({"question": QUESTION}), content_type="text/plain")
    assert (response.status_code, response.json()["reason"]) == (415, "unsupported_media_type")
    assert not Run.objects.exists()


# --- without a token ---


def test_a_stranger_asks_as_a_visitor_and_reads_with_the_cookies_of_the_reply(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    response = ask(client)
    run = Run.objects.get()
    assert response.status_code == 202
    assert str(run.visitor) == client.session[SESSION_KEY]
    assert client.get(response["Location"]).status_code == 200
    assert Client().get(response["Location"]).status_code == 404
    again = ask(client, headers={**AT_ONCE, "X-CSRFToken": client.cookies["csrftoken"].value})
    assert again.status_code == 202
    assert {one.visitor for one in Run.objects.all()} == {run.visitor}


def test_a_request_with_a_session_needs_the_csrf_token(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    response = ask(client)
    assert (response.status_code, response.json()["reason"]) == (403, "csrf_failed")
    assert response["Content-Type"] == "application/problem+json"
    assert not Run.objects.exists()


def test_a_token_needs_no_csrf_token_and_no_cookie_changes_whose_it_is(alice: User, bob: User) -> None:
    client = program(alice)
    client.handler.enforce_csrf_checks = True
    client.force_login(bob)
    assert ask(client).status_code == 202
    assert Run.objects.get().user == alice


def test_what_is_refused_by_a_limit_leaves_no_session(client: Client, settings) -> None:
    settings.PLANS = {**settings.PLANS, "anon": {**settings.PLANS["anon"], "input_tokens": 3}}
    response = ask(client)
    assert response.status_code == 413
    assert "sessionid" not in response.cookies


# --- limits ---


def test_a_limit_that_is_used_up_is_told_with_its_headers(alices: Client, settings) -> None:
    settings.PLANS = {**settings.PLANS, "user": {**settings.PLANS["user"], "requests_per_minute": 2}}
    first = ask(alices)
    assert first.status_code == 202
    assert '"requests_per_minute";r=1' in first["RateLimit"]
    ask(alices)
    response = ask(alices)
    assert response.status_code == 429
    told = response.json()
    assert told["limit"]["name"] == "requests_per_minute"
    assert (told["limit"]["limit"], told["limit"]["used"], told["auth_required"]) == (2, 2, False)
    assert int(response["Retry-After"]) == told["limit"]["retry_after_s"] <= 60
    assert Run.objects.count() == 2


def test_usage_tells_what_is_used(alices: Client, client: Client) -> None:
    ask(alices)
    response = alices.get("/api/v1/usage")
    assert response["RateLimit"].startswith('"requests_per_minute";r=')
    told = response.json()
    assert told["tier"] == "user"
    assert {one["name"]: one["used"] for one in told["limits"]}["requests_per_minute"] == 1
    assert client.get("/api/v1/usage").json()["tier"] == "anon"


def test_asking_costs_the_same_however_much_was_asked_before(
    alices: Client, alice: User, django_assert_num_queries, django_assert_max_num_queries
) -> None:
    ask(alices)
    Run.objects.update(status=Run.Status.DONE)
    with django_assert_max_num_queries(40) as few:
        ask(alices)
    for _ in range(20):
        run_with(number_answer(), alice)
    with django_assert_num_queries(len(few)):
        ask(alices)


# --- scopes ---


def test_a_token_that_reads_does_not_ask_and_the_other_way_round(alice: User) -> None:
    reads, asks = program(alice, "read"), program(alice, "ask")
    refused = ask(reads)
    assert (refused.status_code, refused.json()["reason"]) == (403, "insufficient_scope")
    assert ask(asks).status_code == 202
    run = Run.objects.get()
    assert reads.get(f"/api/v1/runs/{run.pk}").status_code == 200
    assert asks.get("/api/v1/runs").status_code == 403


def test_a_token_that_only_asks_comes_back_for_what_was_asked_with_it_and_for_nothing_else(
    alice: User, alices: Client, worker: Callable[[], None]
) -> None:
    asks, other = program(alice, "ask"), program(alice, "ask")
    asked = ask(asks)
    assert asked.status_code == 202
    worker()
    assert asks.get(asked["Location"]).json()["status"] == "done"
    on_the_page = run_with(number_answer(), alice)
    for client, pk in ((asks, on_the_page.pk), (other, asked.json()["id"])):
        assert client.get(f"/api/v1/runs/{pk}").status_code == 404
        assert ask(client, "and in FY2023?", continues=str(pk)).status_code == 422
        assert alices.get(f"/api/v1/runs/{pk}").status_code == 200
    assert ask(asks, "and in FY2023?", continues=asked.json()["id"]).status_code == 202
    # Nor by the key that another program sent with the same question.
    keyed = {"Prefer": "respond-async", "Idempotency-Key": "one"}
    replies = [ask(client, headers=keyed) for client in (alices, asks, asks, other)]
    assert {reply.status_code for reply in replies} == {202}
    assert [reply.json()["id"] for reply in replies].count(replies[1].json()["id"]) == 2
    assert len({reply.json()["id"] for reply in replies}) == 3


def test_a_wrong_token_is_never_an_anonymous_visitor(db: None) -> None:
    response = ask(Client(headers={"Authorization": "Bearer dlg_wrong"}))
    assert (response.status_code, response["Content-Type"]) == (401, "application/problem+json")
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert not Run.objects.exists()
