"""Deleting an account, or a question, while a worker or its owner works on it: on PostgreSQL, row by row."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from decimal import Decimal
from threading import Event
from typing import Any

import pytest
from django.db import connection, connections

from accounts import account_deletion
from accounts.identity import Identity
from accounts.models import Meter, Reservation, User
from agent.models import Run, Step
from agent.runs import create_run, lifecycle
from agent.runs.claim import claim
from tests.services.conftest import PATIENCE, until

USED = {"tokens": 5, "cost": Decimal(0), "answered": False}
LEAVE = "leave"
# Of this database: others on the server wait too.
WAITING = """
SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND pid IN (
  SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database())
"""
OUTCOMES = {"status": Run.Status.DONE, "outcome": Run.Outcome.REFUSED}


@pytest.fixture
def alice(transactional_db: None) -> User:
    return User.objects.create_user("alice@example.com", "wonderland-42")


def write(run: Run) -> bool:
    recorder = lifecycle.Recorder(run.pk, 1)
    recorder.sequence = 1
    try:
        recorder.write(Step(node="fetch", ms=1))
    except lifecycle.SupersededError:
        return False
    return True


def finish(run: Run) -> bool:
    return lifecycle.finish(run.pk, 1, USED, **OUTCOMES)


def delete(run: Run, what: str) -> None:
    account_deletion.delete(User.objects.get()) if what == LEAVE else Run.objects.get(pk=run.pk).delete()


def waits() -> bool:
    """Whether a connection waits for another; not by pg_stat_activity, which a transaction sees as it was at first."""
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return bool(cursor.fetchone()[0])


def meeting(first: Callable[[], Any], statement: str, second: Callable[[], Any]) -> tuple[Any, Any]:
    """What both return, where `second` starts just before a statement of `first`, which goes on once it waits."""
    there = Event()

    def stop(execute: Any, sql: str, *args: Any) -> Any:
        if sql.startswith(statement) and not there.is_set():
            there.set()
            until(lambda: others.done() or waits(), "the other one waits, or is through")
        return execute(sql, *args)

    def in_thread(call: Callable[[], Any], *wrappers: Any) -> Any:
        try:
            if not wrappers:
                assert there.wait(PATIENCE)
                return call()
            with connection.execute_wrapper(*wrappers):
                return call()
        finally:
            there.set()
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        others: Future[Any] = pool.submit(in_thread, second)
        mine = pool.submit(in_thread, first, stop)
        return mine.result(PATIENCE), others.result(PATIENCE)


@pytest.mark.parametrize("work", [write, finish])
@pytest.mark.parametrize("what", [LEAVE, "run"])
def test_what_a_worker_does_meanwhile_neither_stops_a_deletion_nor_fails(
    alice: User, what: str, work: Callable[[Run], bool]
) -> None:
    run = create_run.start(Identity(user=alice), "Northwind revenue")
    assert claim(run.pk) == 1
    Step.objects.create(run=run, attempt=1, sequence=1, node="plan", ms=1)
    _, worked = meeting(lambda: delete(run, what), 'DELETE FROM "agent_run" ', lambda: work(run))
    assert worked is False
    assert (Run.objects.count(), Step.objects.count()) == (0, 0)
    if what == LEAVE:
        assert (User.objects.count(), Meter.objects.count(), Reservation.objects.count()) == (0, 0, 0)


def test_a_question_that_goes_on_from_another_is_asked_and_goes_with_its_account(alice: User) -> None:
    me = Identity(user=alice)
    before = create_run.start(me, "Northwind revenue")
    asked, _ = meeting(
        lambda: create_run.start(me, "And in fiscal 2023?", continues=before),
        'INSERT INTO "agent_run" ',
        lambda: account_deletion.delete(User.objects.get()),
    )
    assert asked.continues == before
    assert [model.objects.count() for model in (User, Run, Meter, Reservation)] == [0, 0, 0, 0]
