"""The broker and the database stopped, restarted and emptied under a worker: every run ends, once."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

import psycopg
import pytest
from django.conf import settings
from django.core.cache import cache
from django.utils.timezone import now
from pytest_django import Settings
from redis import Redis

from agent import tasks
from agent.models import Run
from agent.runs import claim
from diligence.celery import app
from tests.services import servers
from tests.services.conftest import Worker, until
from tests.services.servers import Server, give_tables
from tests.support.holdings import northwind
from tests.support.killed_run import VISITOR, shown
from tests.support.model_behaviours import hang
from tests.support.model_server import LocalModel
from tests.support.processes import manage

FIGURE = "What was Northwind Instruments' revenue in FY2025?"
TEXT = "What does Northwind Instruments say about competition in fiscal 2025?"
ASK = """
from accounts.identity import Identity
from agent.runs import create_run
from tests.support.killed_run import VISITOR
print(create_run.start(Identity(visitor=VISITOR, address="192.0.2.1"), {!r}).pk)
"""
# What the page of a run that has ended is.
ANSWERED = {"status": 200, "answer": True, "polls": False, "open": False}


@pytest.fixture
def redis() -> Iterator[Server]:
    """A Redis that a test may stop and start."""
    with servers.redis() as found:
        yield found


@pytest.fixture
def postgres() -> Iterator[Server]:
    """A cluster that a test may stop and start."""
    with servers.postgres() as found:
        yield found


def closed(*runs: Run) -> bool:
    return not Run.objects.filter(pk__in=[run.pk for run in runs], status__in=["queued", "running"]).exists()


def aged(*runs: Run) -> None:
    """The time after which the sweep takes a message for lost, without waiting for it."""
    Run.objects.filter(pk__in=[run.pk for run in runs]).update(
        created=now() - timedelta(minutes=1), queued=now() - timedelta(minutes=1)
    )


def swept(run: Run, redis: Server) -> bool:
    """Sweep as beat does each minute, as if one had gone by: a connection that breaks may take a message with it."""
    aged(run)
    with app.connection_for_write(redis.url) as broker:
        tasks.sweep.apply_async(connection=broker)
    with suppress(AssertionError):
        until(lambda: closed(run), "its answer", 5.0)
    return closed(run)


def asked_of(worker: Worker) -> Run:
    """A run that a process of the worker's settings was asked for."""
    done = manage("shell", "-v", "0", "-c", ASK.format(FIGURE), **worker.variables)
    assert done.returncode == 0, done.stderr
    return Run.objects.get(pk=done.stdout.split()[-1])


def ready(worker: Worker) -> bool:
    return "The worker is ready" in worker.log.read_text()


def test_a_flushed_redis_loses_no_run_and_its_worker_goes_on(worker: Worker) -> None:
    northwind()
    emptied = Redis.from_url(settings.REDIS_URL)
    waiting = [Run.objects.create(question=FIGURE, visitor=VISITOR) for _ in range(8)]
    for run in waiting:
        tasks.answer.delay(str(run.pk))
    aged(*waiting)
    # While they wait their turn nothing is lost, but what may be the messages of others.
    assert len(claim.left_behind(tasks.waiting())) == tasks.OF_BEAT
    emptied.flushdb()
    worker.start()
    until(lambda: closed(*waiting), "what was queued when Redis was emptied")
    # Under a worker that listens, and for processes that have sent messages before.
    until(lambda: ready(worker), "a worker")
    emptied.flushdb()
    after = Run.objects.create(question=FIGURE, visitor=VISITOR)
    tasks.answer.delay(str(after.pk))
    until(lambda: closed(after), "a run that was asked after it")
    lost = Run.objects.create(question=FIGURE, visitor=VISITOR)
    aged(lost)
    tasks.sweep.delay()
    tasks.sweep.delay()
    until(lambda: closed(lost), "a run that only the sweep knows of")
    assert set(Run.objects.values_list("status", "attempt")) == {("done", 1)}
    assert [shown(run) for run in Run.objects.all()] == [ANSWERED] * 10


def test_a_broker_that_stops_or_hangs_and_goes_on_loses_no_run(worker: Worker, redis: Server) -> None:
    worker.variables["REDIS_URL"] = redis.url
    northwind()
    worker.start()
    until(lambda: ready(worker), "a worker")
    redis.stop()
    run = asked_of(worker)
    assert run.status == "queued"
    redis.start()
    until(lambda: closed(run) or swept(run, redis), "an answer once the broker is back")
    run.refresh_from_db()
    assert (run.status, run.attempt) == ("done", 1)
    assert shown(run) == ANSWERED

    process = int(Redis.from_url(redis.url).info("server")["process_id"])
    os.kill(process, signal.SIGSTOP)
    try:
        other = asked_of(worker)
    finally:
        os.kill(process, signal.SIGCONT)
    until(lambda: closed(other) or swept(other, redis), "an answer once the broker goes on")
    other.refresh_from_db()
    assert (other.status, other.attempt) == ("done", 1)


def test_the_cache_is_in_memory_while_redis_is_away(redis: Server, settings: Settings) -> None:
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": redis.url}}
    cache.set("a", "in Redis")
    redis.stop()
    assert cache.get("a") is None
    cache.set("a", "in memory")
    assert cache.get("a") == "in memory"
    redis.start()
    until(lambda: cache.get("a") is None, "a Redis that is asked again, and empty")
    cache.set("a", "in Redis once more")
    assert Redis.from_url(redis.url).dbsize() == 1


MAKE = "from tests.support.holdings import northwind; northwind()"
TELL = """
import json
from agent.models import Run
from tests.support.killed_run import kept, shown
run = Run.objects.get()
print(json.dumps({"page": shown(run), **kept(run)}, default=str))
"""
# Not of the second attempt, which nothing interrupts.
AGE = """
UPDATE agent_run SET (heartbeat, created, queued) = (SELECT gone, gone, gone FROM (SELECT now() - interval '5 min') AS ago (gone))
WHERE attempt = 1
"""


def test_a_database_that_is_restarted_under_a_run_loses_and_doubles_nothing(worker: Worker, postgres: Server) -> None:
    worker.variables["DATABASE_URL"] = postgres.url

    def shell(code: str) -> str:
        done = manage("shell", "-v", "0", "-c", code, **worker.variables)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()

    def stands() -> tuple[str, int]:
        with psycopg.connect(postgres.url) as database:
            ((status, attempt),) = database.execute("SELECT status, attempt FROM agent_run")
        return status, attempt

    def ended() -> bool:
        with suppress(AssertionError):
            until(lambda: stands()[0] in {"done", "failed"}, "the end of the run", 5.0)
            return True
        with psycopg.connect(postgres.url) as database:
            database.execute(AGE)
        tasks.sweep.delay()
        return False

    with LocalModel() as model:
        worker.variables |= model.variables(timeout=60)
        give_tables(postgres.url)
        model.always(hang(60.0))
        worker.start()
        shell(MAKE + ASK.format(TEXT))
        until(lambda: model.asked, "a run that waits for the model")
        postgres.stop()
        postgres.start()
        assert stands() == ("running", 1)
        model.over.set()
    # Whether the worker has written its end or lost it with its connection: the row says which, and the sweep knows.
    until(ended, "the end of the run")
    status, attempt = stands()
    assert status == "done"
    assert attempt <= 2
    worker.variables["DEBUG"] = "1"  # the pages' files have not been collected
    told = json.loads(shell(TELL))
    assert told["page"] == ANSWERED
    assert [step[0] for step in told["steps"]] == list(range(1, len(told["steps"]) + 1))
    ((state, tokens, answered),) = told["reservations"]
    assert (state, told["meters"]) == ("settled", [[1, int(answered), tokens]])
