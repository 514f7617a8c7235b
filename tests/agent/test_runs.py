"""A run's life: claimed once, written only by the attempt that holds it, swept when its worker is gone."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from agent import tasks
from agent.models import Run, Step
from agent.runs import claim, lifecycle, spending
from agent.state import AgentState, Answer
from agent.steps import pipeline
from agent.steps.deps import Deps
from diligence.celery import app
from filings.models import SearchRequest
from filings.tasks import search
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

QUESTION = "What was Apple's R&D spend in FY2024?"


@pytest.fixture
def run(sample: Sample) -> Run:
    return Run.objects.create(question=QUESTION)


def stale(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(heartbeat=now() - claim.STALE_AFTER - timedelta(seconds=1))


def test_a_queued_run_is_claimed_once(run: Run) -> None:
    assert claim.claim(run.pk) == 1
    assert claim.claim(run.pk) is None


def test_a_run_whose_worker_stopped_beating_is_claimed_again(run: Run) -> None:
    claim.claim(run.pk)
    stale(run)
    assert claim.claim(run.pk) == 2


def test_a_finished_run_is_never_claimed(run: Run) -> None:
    tasks.answer(str(run.pk))
    stale(run)
    assert claim.claim(run.pk) is None


def test_a_run_is_answered_with_its_steps(run: Run) -> None:
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.outcome, run.summary) == (Run.Status.DONE, Run.Outcome.ANSWERED, "$31,370 million")
    assert [step.node for step in run.steps.all()] == [node.__name__ for node in pipeline.NODES]
    (block,) = Answer.model_validate(run.answer).blocks
    assert block.table is not None
    assert [cell.value for cell in block.table.asserted] == [31370000000]


def test_answering_twice_gives_one_answer(run: Run) -> None:
    tasks.answer(str(run.pk))
    first = Run.objects.get(pk=run.pk)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert (run.answer, run.finished, run.attempt) == (first.answer, first.finished, 1)
    assert run.steps.count() == len(pipeline.NODES)


def test_a_worker_that_was_taken_for_dead_writes_nothing(run: Run) -> None:
    old = claim.claim(run.pk)
    stale(run)
    new = claim.claim(run.pk)
    assert old is not None
    assert new is not None
    lifecycle.answer(run.pk, old)
    run.refresh_from_db()
    assert (run.status, run.answer, run.steps.count()) == (Run.Status.RUNNING, None, 0)
    lifecycle.answer(run.pk, new)
    run.refresh_from_db()
    assert run.status == Run.Status.DONE


def test_two_workers_that_interleave_give_one_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second worker claims and answers while the first stands between two nodes."""
    first = claim.claim(run.pk)
    assert first is not None
    node = pipeline.NODES[2]
    seen: list[str] = []

    def paused(state: AgentState, deps: Deps) -> AgentState:
        if not seen:
            seen.append("paused")
            stale(run)
            tasks.answer(str(run.pk))
        return node(state, deps)

    paused.__name__ = node.__name__
    monkeypatch.setattr(pipeline, "NODES", (*pipeline.NODES[:2], paused, *pipeline.NODES[3:]))
    lifecycle.answer(run.pk, first)
    run.refresh_from_db()
    assert (run.status, run.attempt) == (Run.Status.DONE, 2)
    assert set(run.steps.filter(attempt=2).values_list("sequence", flat=True)) == set(range(1, 7))
    assert run.steps.filter(attempt=1).count() == 2


def test_a_worker_that_is_paused_behind_its_last_step_closes_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = claim.claim(run.pk)
    assert first is not None
    used, closed = spending.used, list[Run]()

    def paused(run_id: UUID, question: str, answer: Answer | None) -> dict[str, Any]:
        if not closed:
            closed.append(run)
            stale(run)
            tasks.answer(str(run.pk))
            run.refresh_from_db()
        return used(run_id, question, answer)

    monkeypatch.setattr(spending, "used", paused)
    lifecycle.answer(run.pk, first)
    assert (closed, run.status, run.attempt) == ([run], Run.Status.DONE, 2)
    assert Run.objects.get(pk=run.pk).finished == run.finished


def test_a_step_is_written_once(run: Run) -> None:
    fields = {"run": run, "attempt": 1, "sequence": 1, "node": "plan", "ms": 1.0}
    Step.objects.create(**fields)
    with pytest.raises(IntegrityError), transaction.atomic():
        Step.objects.create(**fields)


def test_a_failing_node_fails_the_run_and_says_nothing_of_how(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(state: AgentState, deps: Deps) -> AgentState:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(pipeline, "NODES", (broken,))
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.outcome, run.answer) == (Run.Status.FAILED, Run.Outcome.ERROR, None)


def test_the_sweep_finds_what_lost_its_message(run: Run) -> None:
    assert claim.left_behind() == []
    Run.objects.filter(pk=run.pk).update(created=now() - claim.LOST_AFTER - timedelta(seconds=1))
    assert claim.left_behind() == [str(run.pk)]


def sent(minutes: float, **fields: Any) -> str:
    """A run whose message was sent so many minutes ago."""
    at = now() - timedelta(minutes=minutes)
    return str(Run.objects.create(question=QUESTION, created=at, queued=at, **fields).pk)


def test_a_run_that_waits_behind_many_is_not_queued_again(db: None) -> None:
    waiting = [sent(minutes) for minutes in (5, 4, 3, 2, 1, 0)]
    assert claim.left_behind(messages=6) == []
    # Missing are those that were sent first; the last is too young to be missed.
    assert claim.left_behind(messages=4) == waiting[:2]
    assert claim.left_behind(messages=0) == waiting[:5]


def test_a_message_that_was_taken_does_not_wait_any_more(db: None) -> None:
    gone = now() - timedelta(minutes=2)
    killed = sent(3, status=Run.Status.RUNNING, attempt=1, heartbeat=gone)
    sent(4)
    assert claim.left_behind(messages=1) == [killed]
    again = now() - timedelta(minutes=1)
    Run.objects.filter(pk=killed).update(queued=again)
    assert claim.left_behind(messages=2) == []
    assert killed in claim.left_behind(messages=0)


@pytest.mark.parametrize("minutes", [11, -1])
def test_a_message_of_long_ago_or_of_another_clock_is_sent_again(db: None, minutes: int) -> None:
    run = sent(minutes)
    assert claim.left_behind(messages=1000) == [run]


def test_a_sweep_of_a_long_queue_sends_what_is_missing_and_no_more(db: None) -> None:
    app.control.purge()
    for _ in range(20):
        sent(2)
    SearchRequest.objects.create(text="a message of another kind")
    search.delay("of it")
    # Messages taken away, and sent again: all; then as many as may be others'; what is missing; nothing.
    for taken, again in ((0, 20), (0, tasks.OF_BEAT), (7, 7), (0, 0)):
        with app.connection_for_write() as broker:
            for _ in range(taken):
                broker.default_channel.basic_get("ask", no_ack=True)
        Run.objects.update(queued=now() - timedelta(minutes=1))
        tasks.sweep()
        assert Run.objects.filter(queued__gt=now() - timedelta(seconds=30)).count() == again
    assert tasks.waiting() == 20
    app.control.purge()


def test_the_sweep_fails_a_run_that_costs_too_many_workers(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(
        created=now() - timedelta(hours=1), attempt=claim.MAX_ATTEMPTS, status=Run.Status.RUNNING
    )
    stale(run)
    assert claim.left_behind() == []
    run.refresh_from_db()
    assert run.status == Run.Status.FAILED


def test_the_sweep_queues_what_it_finds(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    queued: list[str] = []
    monkeypatch.setattr(tasks.answer, "apply_async", lambda args, **how: queued.extend(args))
    Run.objects.filter(pk=run.pk).update(created=now() - timedelta(minutes=1))
    tasks.sweep()
    assert queued == [str(run.pk)]


@pytest.mark.parametrize(("batch", "priority"), [(False, 0), (True, 9)])
def test_what_nobody_waits_for_is_queued_behind(
    db: None, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any, batch: bool, priority: int
) -> None:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(tasks.answer, "apply_async", lambda **how: sent.append(how))
    run = Run.objects.create(question="?")
    with django_capture_on_commit_callbacks(execute=True):
        tasks.queue(run.pk, batch=batch)
    assert sent == [{"args": (str(run.pk),), "priority": priority}]
