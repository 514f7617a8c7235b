"""Idempotency keys: what is sent twice is asked once."""

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from kombu.exceptions import OperationalError
from pytest_django import DjangoDbBlocker

from accounts.models import Reservation, User
from agent import tasks
from agent.models import IdempotencyKey, Run
from agent.runs import create_run
from tests.agent.api.conftest import program
from tests.support.answers import number_answer, run_with
from tests.support.people import PHRASE, confirm, sign_in, sign_up
from tests.support.processes import forked
from tests.support.sample import copied_into

ASK = "/api/v1/ask"


def ask(client: Client, key: str, question: str = "Northwind revenue 2024", **more: str):
    return client.post(
        ASK,
        {"question": question, **more},
        content_type="application/json",
        headers={"Idempotency-Key": key, "Prefer": "respond-async"},
    )


def test_a_question_sent_again_with_its_key_is_the_same_run(alices: Client) -> None:
    first, again = ask(alices, "one"), ask(alices, "one")
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json()["id"] == again.json()["id"]
    assert Run.objects.count() == 1
    assert Reservation.objects.count() == 1


def test_another_key_is_another_run(alices: Client) -> None:
    assert ask(alices, "one").json()["id"] != ask(alices, "two").json()["id"]


def test_a_key_is_of_one_account(alices: Client, bobs: Client) -> None:
    assert ask(alices, "one").json()["id"] != ask(bobs, "one").json()["id"]


def test_visitors_of_one_address_have_keys_of_their_own(db: None) -> None:
    first, second = Client(), Client()
    for client in (first, second):
        client.post(ASK, {"question": "Northwind revenue 2023"}, content_type="application/json")
    assert ask(first, "one").json()["id"] != ask(second, "one").json()["id"]
    assert ask(first, "one").json()["id"] == ask(first, "one").json()["id"]


def test_nobody_has_a_key_before_something_says_who_they_are(client: Client, db: None) -> None:
    """Each such request would be of a new visitor, and ask once more."""
    response = ask(client, "one")
    assert (response.status_code, response.json()["reason"]) == (422, "idempotency_needs_identity")
    assert not Run.objects.exists()
    assert "sessionid" not in client.cookies
    client.post(ASK, {"question": "Northwind revenue 2024"}, content_type="application/json")
    assert ask(client, "one").json()["id"] == ask(client, "one").json()["id"]
    assert Run.objects.count() == 2


def test_a_key_still_stands_for_its_run_when_the_one_that_it_continued_is_deleted(alices: Client, alice: User) -> None:
    before = run_with(number_answer(), alice)
    continues = str(before.pk)
    first = ask(alices, "one", continues=continues)
    before.delete()
    again = ask(alices, "one", continues=continues)
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json()["id"] == again.json()["id"]
    assert Run.objects.count() == 1


@pytest.mark.parametrize("key", ["", "one"])
def test_what_continues_no_run_uses_up_no_key_and_makes_nobody_a_visitor(
    alices: Client, bob: User, client: Client, key: str
) -> None:
    before = run_with(number_answer(), bob)
    for caller in (alices, client):
        assert ask(caller, key, continues=str(before.pk)).status_code == 422
    assert not IdempotencyKey.objects.exists()
    assert "sessionid" not in client.cookies
    assert ask(alices, key).status_code == 202


def test_the_keys_of_a_visitor_who_signs_up_stand_for_their_runs_as_before(client: Client, db: None) -> None:
    other = Client()
    for browser in (client, other):
        browser.post(ASK, {"question": "Northwind revenue 2023"}, content_type="application/json")
    first, of_another = ask(client, "one"), ask(other, "one")
    sign_up(client)
    confirm(client)
    assert ask(client, "one").json()["id"] == first.json()["id"]
    assert ask(other, "one").json()["id"] == of_another.json()["id"]
    assert Run.objects.count() == 4


def test_a_key_that_the_account_has_used_meanwhile_stands_for_what_it_asked(client: Client, db: None) -> None:
    client.post(ASK, {"question": "Northwind revenue 2023"}, content_type="application/json")
    ask(client, "one")
    second = ask(client, "two")
    sign_up(client)
    confirm(Client())
    elsewhere = ask(program(User.objects.get()), "one")
    assert sign_in(client, "dana@example.com", PHRASE).status_code == 302
    assert ask(client, "one").json()["id"] == elsewhere.json()["id"]
    assert ask(client, "two").json()["id"] == second.json()["id"]


def test_a_key_with_another_question_is_an_error(alices: Client) -> None:
    ask(alices, "one")
    response = ask(alices, "one", "Northwind net income 2024")
    assert (response.status_code, response.json()["reason"]) == (422, "idempotency_key_reused")
    assert Run.objects.count() == 1


def test_white_space_makes_no_other_question(alices: Client) -> None:
    assert ask(alices, "one").json()["id"] == ask(alices, "one", " Northwind  revenue 2024").json()["id"]


@pytest.mark.parametrize("key", ["x" * 201, "naïve"])
def test_a_key_that_cannot_be_kept_is_an_error(alices: Client, key: str) -> None:
    response = ask(alices, key.encode().decode("latin-1"))
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "Idempotency-Key")
    assert not Run.objects.exists()


def test_a_process_that_dies_between_run_and_reply_leaves_both_or_neither(
    alices: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = create_run.start

    def dies(*args: object) -> Run:
        started(*args)
        raise RuntimeError("the power is cut")

    alices.raise_request_exception = False
    monkeypatch.setattr(create_run, "start", dies)
    assert ask(alices, "one").status_code == 500
    assert (Run.objects.count(), IdempotencyKey.objects.count(), Reservation.objects.count()) == (0, 0, 0)
    monkeypatch.setattr(create_run, "start", started)
    assert ask(alices, "one").status_code == 202
    assert Run.objects.count() == 1


def test_a_question_over_a_limit_uses_up_no_key(alices: Client, settings) -> None:
    plans = settings.PLANS
    settings.PLANS = {**plans, "user": {**plans["user"], "input_tokens": 1}}
    assert ask(alices, "one").status_code == 413
    settings.PLANS = plans
    assert ask(alices, "one").status_code == 202


def test_a_broker_that_cannot_be_reached_leaves_the_run_to_the_sweep(
    alices: Client, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def unreachable(*_: object, **__: object) -> None:
        raise OperationalError("no route to the broker")

    monkeypatch.setattr(tasks.answer, "apply_async", unreachable)
    with django_capture_on_commit_callbacks(execute=True) as sent:
        first = ask(alices, "one")
    assert first.status_code == 202
    assert sent
    assert ask(alices, "one").json()["id"] == first.json()["id"]
    asked = Run.objects.get()
    assert (asked.status, asked.queued) == (Run.Status.QUEUED, None)


def test_the_key_goes_with_its_run(alices: Client, alice: User) -> None:
    ask(alices, "one")
    Run.objects.all().delete()
    assert not IdempotencyKey.objects.exists()


THREADS = """
import django; django.setup()
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from django.test import Client
from accounts import tokens
from accounts.models import User
from agent.models import Run
_, text = tokens.issue(User.objects.create_user("alice@example.com", "wonderland-42"), "A program", ("ask", "read"))
gate = Barrier(8)
def ask(_):
    gate.wait()
    reply = Client(SERVER_NAME="localhost").post(
        "/api/v1/ask", {"question": "Northwind revenue 2024"}, content_type="application/json",
        headers={"Authorization": f"Bearer {text}", "Idempotency-Key": "one", "Prefer": "respond-async"})
    return reply.status_code, reply.json().get("id")
with ThreadPoolExecutor(8) as pool:
    replies = set(pool.map(ask, range(8)))
print(len(replies), {status for status, _ in replies}, Run.objects.count())
"""


@pytest.mark.soak  # tests/services has it on PostgreSQL
@pytest.mark.skipif(connection.vendor != "sqlite", reason="starts a database of its own")
def test_of_many_that_send_one_key_at_the_same_time_one_asks(
    tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock():
        copied_into(tmp_path)
    done = forked("-c", THREADS, DATA_DIR=str(tmp_path), DEBUG="1", LOG_LEVEL="ERROR", timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[0] == "1 {202} 1", done.stdout + done.stderr
