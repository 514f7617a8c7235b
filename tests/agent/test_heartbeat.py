"""The beats beside a node that waits for a model: they end with the block, with the attempt, and in any case in time."""

import threading
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils.timezone import now

from agent.models import Run
from agent.runs import lifecycle
from agent.runs.claim import STALE_AFTER, claim, claimable
from agent.runs.heartbeat import EVERY, SLACK, Heartbeat
from agent.state import AgentState
from agent.steps import pipeline
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db
WAIT = 20.0


class Counted(Heartbeat):
    """Beats without a database: the thread of a test would need one of its own."""

    def __init__(self, *args: float, stands: int = 1_000, breaks: bool = False) -> None:
        run = Run(question="q")
        super().__init__(run.pk, 1, *args)
        self.beats, self.stands, self.breaks = 0, stands, breaks
        self.third = threading.Event()

    def beat(self) -> bool:
        self.beats += 1
        if self.beats >= 3:
            self.third.set()
        if self.breaks and self.beats < 3:
            raise OperationalError("database is locked")
        return self.beats < self.stands


@pytest.fixture
def run(db: None) -> Run:
    return Run.objects.create(question="q")


def test_a_beat_is_written_while_the_attempt_holds_the_run(run: Run) -> None:
    attempt = claim(run.pk)
    assert attempt
    Run.objects.filter(pk=run.pk).update(heartbeat=now() - STALE_AFTER * 2)
    beating = Heartbeat(run.pk, attempt, WAIT)
    assert beating.beat()
    assert not claimable().filter(pk=run.pk).exists()


def test_a_beat_of_an_attempt_that_fell_is_not_written(run: Run) -> None:
    old = claim(run.pk)
    assert old
    silent = now() - STALE_AFTER - timedelta(seconds=1)
    Run.objects.filter(pk=run.pk).update(heartbeat=silent)
    new = claim(run.pk)
    Run.objects.filter(pk=run.pk).update(heartbeat=silent)
    assert not Heartbeat(run.pk, old, WAIT).beat()
    run.refresh_from_db()
    assert (run.attempt, run.heartbeat) == (new, silent)


def test_a_run_is_taken_over_once_its_worker_is_silent(run: Run) -> None:
    assert claim(run.pk) == 1
    Run.objects.filter(pk=run.pk).update(heartbeat=now() - STALE_AFTER - timedelta(seconds=1))
    assert claim(run.pk) == 2


def test_it_beats_until_the_block_is_left() -> None:
    with Counted(WAIT, 0.001) as beating:
        assert beating.third.wait(WAIT)
    assert not beating.thread.is_alive()


def test_it_ends_when_the_attempt_has_fallen() -> None:
    with Counted(WAIT, 0.001, stands=2) as beating:
        beating.thread.join(WAIT)
        assert not beating.thread.is_alive()
    assert beating.beats == 2


def test_it_beats_no_longer_than_a_run_may_last() -> None:
    with Counted(0.0, 0.001) as beating:
        beating.thread.join(WAIT)
        assert not beating.thread.is_alive()
    assert beating.beats == 0


def test_a_beat_that_could_not_be_written_is_followed_by_another() -> None:
    with Counted(WAIT, 0.001, breaks=True) as beating:
        assert beating.third.wait(WAIT)
    assert beating.beats >= 3


def test_it_dies_with_its_process_and_beats_often_enough() -> None:
    assert Counted(WAIT).thread.daemon
    assert STALE_AFTER.total_seconds() / 3 > EVERY


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds of every heartbeat that a run has begun."""
    begun: list[float] = []

    class Noted(Heartbeat):
        def __enter__(self) -> "Noted":
            begun.append(self.seconds)
            super().__enter__()
            return self

    monkeypatch.setattr(lifecycle, "Heartbeat", Noted)
    return begun


def stopped(state: AgentState, deps: object) -> AgentState:
    raise RuntimeError("ends here")


def test_a_run_with_a_model_beats_no_longer_than_its_deadline_and_some_slack(
    run: Run, sample: Sample, scripted: LocalModel, held: list[float], settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MODEL_RUN_DEADLINE = {"direct": 5.0, "standard": 6.0, "detailed": 7.0, "deep_search": 9.0}
    monkeypatch.setattr(pipeline, "NODES", (stopped,))
    attempt = claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    # The plan may still choose any mode but the one that is only asked for.
    assert held == [7.0 + SLACK]
    assert not [thread for thread in threading.enumerate() if thread.name == f"heartbeat-{run.pk}"]


def test_a_run_of_a_mode_that_was_chosen_beats_no_longer_than_that_mode_lasts(
    run: Run, sample: Sample, scripted: LocalModel, held: list[float], settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MODEL_RUN_DEADLINE = {"direct": 5.0, "standard": 6.0, "detailed": 7.0, "deep_search": 9.0}
    monkeypatch.setattr(pipeline, "NODES", (stopped,))
    Run.objects.filter(pk=run.pk).update(mode="deep_search")
    attempt = claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    assert held == [9.0 + SLACK]


def test_a_run_without_a_model_needs_none(run: Run, sample: Sample, held: list[float]) -> None:
    attempt = claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    assert held == []
