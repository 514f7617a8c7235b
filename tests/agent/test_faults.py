"""Faults around a run that need no server: the clock, two sweeps, a broker that takes nothing, a database that is locked."""

import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.test import Client
from kombu.exceptions import OperationalError

from agent import tasks
from agent.models import Run
from agent.runs import claim, lifecycle
from tests.support.processes import ROOT, environment
from tests.support.sample import Sample

QUESTION = "What was Apple's R&D spend in FY2024?"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as found:
        yield found


@pytest.fixture
def run(sample: Sample, clock: time_machine.Traveller) -> Run:
    return Run.objects.create(question=QUESTION)


@pytest.mark.django_db
def test_a_clock_that_jumps_ahead_gives_the_run_to_another_worker_once(
    run: Run, clock: time_machine.Traveller
) -> None:
    first = claim.claim(run.pk)
    assert first
    clock.shift(timedelta(hours=1))
    assert claim.left_behind() == [str(run.pk)]
    tasks.answer(str(run.pk))
    lifecycle.answer(run.pk, first)
    run.refresh_from_db()
    assert (run.status, run.attempt) == ("done", 2)
    assert run.steps.filter(attempt=2).count() == 6
    assert not run.steps.filter(attempt=1).exists()


@pytest.mark.django_db
def test_a_clock_that_jumps_back_does_not_stop_a_run(run: Run, clock: time_machine.Traveller) -> None:
    attempt = claim.claim(run.pk)
    assert attempt
    clock.shift(timedelta(hours=-1))
    lifecycle.answer(run.pk, attempt)
    run.refresh_from_db()
    assert (run.status, run.attempt) == ("done", 1)


@pytest.mark.django_db
@pytest.mark.parametrize("claimed", [True, False])
def test_what_was_left_before_the_clock_jumped_back_is_swept_all_the_same(
    run: Run, clock: time_machine.Traveller, claimed: bool
) -> None:
    if claimed:
        assert claim.claim(run.pk)
    clock.shift(timedelta(hours=-1))
    clock.shift(timedelta(minutes=2))
    assert claim.left_behind() == [str(run.pk)]


@pytest.mark.django_db
def test_two_beats_answer_a_lost_run_once(
    run: Run, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(tasks.answer, "apply_async", lambda args, **how: sent.extend(args))
    clock.shift(timedelta(minutes=1))
    tasks.sweep()
    tasks.sweep()
    # The second one knows that a message is on its way.
    assert sent == [str(run.pk)]
    for pk in sent * 2:
        tasks.answer(pk)
    run.refresh_from_db()
    assert (run.status, run.attempt, run.steps.count()) == ("done", 1, 6)
    clock.shift(timedelta(minutes=1))
    tasks.sweep()
    assert len(sent) == 1


@pytest.mark.django_db
def test_a_question_that_the_broker_does_not_take_waits_for_the_sweep_and_says_so(
    client: Client, sample: Sample, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def refuses(**given: object) -> None:
        raise OperationalError("no route to the broker")

    monkeypatch.setattr(tasks.answer, "apply_async", refuses)
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post("/ask", {"question": QUESTION})
    assert response.status_code == 302
    assert "Working…".encode() in client.get(response["Location"]).content
    run = Run.objects.get()
    Run.objects.update(created=run.created - timedelta(minutes=1))
    # However many messages of others wait.
    assert claim.left_behind(messages=1000) == [str(run.pk)]
    tasks.answer(str(run.pk))
    assert b"31,370" in client.get(response["Location"]).content


LOCKED = """
import sys
import django
django.setup()
from django.test import Client
from agent import tasks
from agent.models import Run
from tests.support.holdings import northwind
northwind()
client = Client(headers={"host": "localhost"})
print("ready", flush=True)
sys.stdin.readline()
page = client.get("/")
asked = client.post("/ask", {"question": "What was Northwind Instruments' revenue in FY2025?"})
run = Run.objects.get()
tasks.answer(str(run.pk))
run.refresh_from_db()
shown = "91.53" in client.get(asked["Location"]).content.decode()
print(page.status_code, asked.status_code, run.status, run.attempt, run.steps.count(), shown)
"""


def locked_for(tmp_path: Path, migrated: Path, seconds: float) -> str:
    """What becomes of a question asked and answered while another process holds the database so long."""
    file = tmp_path / "locked.sqlite3"
    shutil.copy(migrated, file)
    variables = environment(DATABASE_URL=f"sqlite:///{file}", DATA_DIR=str(tmp_path), DEBUG="1", LOG_LEVEL="ERROR")
    with subprocess.Popen(
        [sys.executable, "-c", LOCKED],
        cwd=ROOT,
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            process.stdin.write("\n")
            process.stdin.flush()
            freed = threading.Timer(seconds, holder.rollback)
            freed.start()
            told = process.stdout.readline().strip()
            freed.join()
    return told


def test_a_question_waits_for_a_locked_database(tmp_path: Path, migrated: Path) -> None:
    assert locked_for(tmp_path, migrated, 1.0) == "200 302 done 1 6 True"


@pytest.mark.soak
def test_a_question_waits_ten_seconds_for_a_locked_database(tmp_path: Path, migrated: Path) -> None:
    assert locked_for(tmp_path, migrated, 10.0) == "200 302 done 1 6 True"
