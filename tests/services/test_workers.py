"""Workers as they are deployed: many runs at once in one, two beside each other, told to stop, killed, and urgent work first."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.utils.timezone import now
from pytest_django import Settings

from agent import tasks
from agent.models import Run
from agent.state import Answer
from filings.models import Health, Tally
from tests.services.conftest import Worker, until
from tests.services.test_deployed import held
from tests.support.model_behaviours import good
from tests.support.model_replies import Asked, Reply
from tests.support.model_server import LocalModel

MANY = 20
FIGURE = "What was Northwind's gross profit in fiscal 2025?"
SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"


class Slow(LocalModel):
    """Answers well after a while, and knows how many it has kept waiting at once."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds, self.now, self.most = seconds, 0, 0
        # Of its own accord it lets five connections wait.
        self.server.socket.listen(128)

    def chat(self, handler, body) -> None:  # type: ignore[no-untyped-def]
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self.over.wait(self.seconds)
        try:
            super().chat(handler, body)
        finally:
            with self.lock:
                self.now -= 1


@pytest.fixture
def corpus(empty: None) -> None:
    """One company of the sample, and an empty queue."""
    held()


@pytest.fixture
def workers(tmp_path: Path, corpus: None) -> Iterator[list[Worker]]:
    """Workers that a test has made; stopped afterwards."""
    found: list[Worker] = []
    yield found
    for worker in found:
        worker.stop()


def made(workers: list[Worker], folder: Path, **variables: str) -> Worker:
    folder.mkdir(exist_ok=True)
    # Of one host: they search one index.
    worker = Worker(folder, "answer", LOG_FORMAT="json", DATA_DIR=str(django_settings.DATA_DIR), **variables)
    workers.append(worker)
    return worker


def queued(many: int, question: str = FIGURE, *, batch: bool = False) -> list[Run]:
    runs = [Run.objects.create(question=question) for _ in range(many)]
    for run in runs:
        tasks.queue(run.pk, batch=batch)
    return runs


def closed(runs: list[Run]) -> bool:
    return not Run.objects.filter(pk__in=[run.pk for run in runs], status__in=["queued", "running"]).exists()


def ended(worker: Worker) -> set[str]:
    """The runs that a worker has ended, as its log says."""
    lines = (json.loads(line) for line in worker.log.read_text().splitlines() if line.startswith("{"))
    return {line["run"] for line in lines if line["message"].startswith("Ended")}


def ready(worker: Worker) -> bool:
    return "The worker is ready" in worker.log.read_text()


def test_one_worker_answers_twenty_runs_at_once_within_their_deadline(
    workers: list[Worker], tmp_path: Path, settings: Settings
) -> None:
    with Slow(1.0) as model:
        told = model.variables(timeout=60)
        runs = [Run.objects.create(question=SUPPLY) for _ in range(MANY)]
        worker = made(workers, tmp_path / "one", WORKER_CONCURRENCY=f"answer={MANY}", **told)
        worker.start()
        until(lambda: ready(worker), "a worker")
        for run in runs:
            tasks.queue(run.pk)
        until(lambda: model.most >= MANY // 2, "half of the runs waiting for the model at once")
        until(lambda: closed(runs), "all answers")
        resident = memory(worker)
    found = list(Run.objects.filter(pk__in=[run.pk for run in runs]))
    assert {run.attempt for run in found} == {1}
    assert {run.status for run in found} == {"done"}
    reasons = [call["outcome"] for run in found for step in run.steps.all() for call in step.calls]
    assert set(reasons) == {"ok"}, reasons
    assert {(run.outcome, run.refusal_code) for run in found} == {("answered", "")}
    assert all(len(Answer.model_validate(run.answer).blocks[0].claims) for run in found)
    # Modules and the embedding's model, once for all of them: 1,204 MB was seen beside the other tests. A model each would
    # be more than twice that.
    print(f"{MANY} at once: {resident} MB")  # noqa: T201
    assert resident < 1500, f"{resident} MB"


def memory(worker: Worker) -> int:
    """Resident, in MB."""
    assert worker.process
    status = Path(f"/proc/{worker.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


def connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def test_two_workers_share_what_is_queued_do_nothing_twice_and_keep_a_connection_a_thread(
    workers: list[Worker], tmp_path: Path
) -> None:
    before = connections()
    first, second = (made(workers, tmp_path / name, WORKER_CONCURRENCY="answer=2") for name in ("one", "two"))
    for worker in (first, second):
        worker.start()
    for worker in (first, second):
        until(lambda worker=worker: ready(worker), "both workers")
    runs = queued(60)
    until(lambda: closed(runs), "all answers")
    found = Run.objects.filter(pk__in=[run.pk for run in runs])
    assert set(found.values_list("attempt", "outcome")) == {(1, "answered")}
    assert connections() - before <= 2 * (2 + 2)
    for worker in (first, second):
        worker.stop()
    until(lambda: connections() <= before, "their connections closed")
    by_first, by_second = ended(first), ended(second)
    assert by_first, first.log.read_text()[-2000:]
    assert by_second, second.log.read_text()[-2000:]
    assert not by_first & by_second
    assert by_first | by_second == {str(run.pk) for run in runs}
    # Both have counted, and nothing is counted twice.
    assert Tally.objects.get(name="runs").value == 60


def test_a_worker_that_is_told_to_stop_finishes_what_it_has_begun(workers: list[Worker], tmp_path: Path) -> None:
    with Slow(1.0) as model:
        told = model.variables(timeout=30)
        worker = made(workers, tmp_path / "one", WORKER_CONCURRENCY="answer=3", **told)
        worker.start()
        begun = queued(3, SUPPLY)
        until(lambda: Run.objects.filter(status="running").count() == 3, "three runs begun")
        later = queued(3, SUPPLY)
        worker.stop()
    assert set(Run.objects.filter(pk__in=[run.pk for run in begun]).values_list("status", "attempt")) == {("done", 1)}
    assert set(Run.objects.filter(pk__in=[run.pk for run in later]).values_list("status", "attempt")) == {
        ("queued", 0)
    }


def test_what_a_killed_worker_left_is_answered_by_the_next(workers: list[Worker], tmp_path: Path) -> None:
    with LocalModel() as hanging:
        hanging.choose = lambda asked: hangs
        told = hanging.variables(timeout=60)
        worker = made(workers, tmp_path / "one", WORKER_CONCURRENCY="answer=5", **told)
        worker.start()
        runs = queued(5, SUPPLY)
        until(lambda: len(hanging.asked) >= 5, "five runs that wait for the model")
        worker.kill()
    assert set(Run.objects.values_list("status", flat=True)) == {"running"}
    # The time in which nobody beats, without waiting for it.
    gone = now() - timedelta(minutes=5)
    Run.objects.update(heartbeat=gone, created=gone, queued=gone)
    follower = made(workers, tmp_path / "two", WORKER_CONCURRENCY="answer=5")
    follower.start()
    until(lambda: closed(runs), "all answers")
    assert set(Run.objects.values_list("attempt", "outcome")) == {(2, "answered")}


def hangs(asked: Asked) -> Reply:
    return replace(good(asked), wait=60.0)


def test_what_somebody_waits_for_is_taken_before_what_nobody_does_and_the_index_is_looked_at(
    workers: list[Worker], tmp_path: Path
) -> None:
    batch = queued(12, batch=True)
    urgent = queued(4)
    worker = made(workers, tmp_path / "one", WORKER_CONCURRENCY="answer=1")
    worker.start()
    until(lambda: closed([*batch, *urgent]), "all answers")
    order = list(Run.objects.order_by("finished").values_list("pk", flat=True))
    assert set(order[:4]) == {run.pk for run in urgent}
    until(lambda: Health.objects.filter(subject="index").exists(), "what it says of the index")
    assert Health.objects.get().state in {"ok", "degraded"}
