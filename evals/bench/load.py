"""The site under load: 200 pages that poll and 20 questions a second, then a queue of 1,000 runs, then a long history.

Web, worker and beat run as the Procfile starts them, in a folder of their own with the sample, on SQLite; or on the
servers of LOAD_DATABASE_URL and LOAD_REDIS_URL. They have answered some questions before they are measured. The client
is a process of its own on the same machine, and says how much of a core it took. LOAD_SECONDS, LOAD_POLLERS, LOAD_ASKS
and LOAD_QUEUED make it shorter, for a smoke.
"""

import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.bench.program import DEPLOYED, PROGRAM, ROOT, Program, own_database

SECONDS = float(os.environ.get("LOAD_SECONDS", "120"))
POLLERS = int(os.environ.get("LOAD_POLLERS", "200"))
ASKS = float(os.environ.get("LOAD_ASKS", "20"))
QUEUED = int(os.environ.get("LOAD_QUEUED", "1000"))
HISTORY = int(os.environ.get("LOAD_HISTORY", "20000"))
GOAL_P95 = 100.0
# The mark of the runs that are polled and never end, and the seconds between two beats of theirs.
POLLED, BEAT_EVERY = "polled", 5.0
# As the Procfile has it.
WEB = ("gunicorn", "--config", "python:diligence.gunicorn_conf", "diligence.wsgi")
PATIENCE = 120.0
QUESTIONS = (
    "What was Apple's R&D spend in FY2024?",
    "Northwind gross profit fiscal 2025",
    "How did Apple's revenue change from 2023 to 2024?",
    "Apple shares outstanding, fiscal 2024",
)


@dataclass(frozen=True)
class Taken:
    """What was seen: by the client under load, of the runs it asked for, of those queued, and of polls before and after
    a long history (medians in milliseconds)."""

    load: dict[str, Any]
    left: dict[str, Any]
    drained: dict[str, Any]
    polls: tuple[float, float]

    @property
    def errors(self) -> dict[str, int]:
        """Answers that none of the requests should have, by kind and status."""
        return {name: count for name, count in self.load["answers"].items() if name not in {"poll 200", "ask 302"}}

    @property
    def asks(self) -> float:
        """Questions taken a second."""
        return float(self.load["answers"].get("ask 302", 0) / SECONDS)

    @property
    def p95(self) -> float:
        """Milliseconds within which 95 of 100 polls were answered."""
        times = self.load["polls"]
        return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else float("nan")

    def __str__(self) -> str:
        times = self.load["polls"]
        return (
            f"load: {POLLERS} pollers and {self.asks:.1f} asks a second (wanted {ASKS:.0f}) for {SECONDS:.0f} s: "
            f"{len(times) / SECONDS:.0f} polls a second, median {statistics.median(times):.0f} ms, 95th percentile "
            f"{self.p95:.0f} ms (goal {GOAL_P95:.0f}), median of an ask {statistics.median(self.load['asks']):.0f} ms, errors "
            f"{self.errors or 'none'}, runs failed {self.left['failed']}, left open {self.left['open']}; the client took "
            f"{self.load['share']:.0%} of a core of {os.cpu_count()}\n"
            f"load: {QUEUED:,} queued runs drained in {self.drained['seconds']:.0f} s, failed {self.drained['failed']}, "
            f"left open {self.drained['open']}, answered by a second attempt {self.drained['again']}\n"
            f"load: median of a poll with {POLLERS:,} runs in the history {self.polls[0]:.1f} ms, "
            f"with {HISTORY:,} more {self.polls[1]:.1f} ms"
        )


def measure() -> str:
    """All figures, as text."""
    return str(taken())


def taken() -> Taken:
    """Start the site, load it, fill its queue and its history."""
    port = free_port()
    with (
        own_database("load", os.environ.get("LOAD_DATABASE_URL", ""), **variables(port)) as step,
        ExitStack() as running,
    ):
        environment = step.environment
        prepared = step("prepare")
        polled, visitor = prepared["runs"], prepared["cookies"]
        running.enter_context(started("python", *PROGRAM, "load", "beat", environment=environment))
        running.enter_context(started(*WEB, environment=environment))
        wait_for(port)
        worker = running.enter_context(started("python", "manage.py", "worker", "answer", environment=environment))
        running.enter_context(started("celery", "--app", "diligence", "--quiet", "beat", environment=environment))
        address = f"http://127.0.0.1:{port}"
        client("warm_up", address, environment, cookies=visitor)
        found = client("under_load", address, environment, runs=polled, cookies=visitor)
        left = step("drained")
        # The worker stands still while the queue is filled.
        worker.send_signal(signal.SIGTERM)
        worker.wait()
        step("fill")
        again = running.enter_context(started("python", "manage.py", "worker", "answer", environment=environment))
        drained = step("drained")
        again.send_signal(signal.SIGTERM)
        again.wait()
        before = client("one_after_another", address, environment, runs=polled[:1], cookies=visitor)
        step("history")
        after = client("one_after_another", address, environment, runs=polled[:1], cookies=visitor)
    return Taken(found, left, drained, (before["median"], after["median"]))


def variables(port: int) -> dict[str, str]:
    """The environment of every process of the site; nobody comes near a limit."""
    limits = ("REQUESTS_PER_MINUTE", "TOKENS_PER_MINUTE", "UNFINISHED_RUNS", "QUESTIONS_IN_ALL")
    return {
        **dict.fromkeys((f"{tier}_{one}" for tier in ("ANON", "USER") for one in limits), "100000000"),
        **dict.fromkeys(("ELASTICSEARCH_URL", "PLAN_MODEL", "DRAFT_MODEL", "SENTRY_DSN", "HTTPS"), ""),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "REDIS_URL": os.environ.get("LOAD_REDIS_URL", ""),
        **DEPLOYED,
        "EDGAR_IDENTITY": "Bench bench@example.com",
        "PORT": str(port),
    }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    """Until something listens at a port. Raises TimeoutError."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("The web process does not listen.")


@contextmanager
def started(*command: str, environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the site, which ends with the block."""
    with (Path(environment["DATA_DIR"]) / "processes.log").open("ab") as log:
        found = subprocess.Popen(  # noqa: S603
            command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield found
    finally:
        if found.poll() is None:
            os.killpg(found.pid, signal.SIGTERM)
            try:
                found.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(found.pid, signal.SIGKILL)
                found.wait()


def client(name: str, address: str, environment: Mapping[str, str], **given: Any) -> dict[str, Any]:
    """What a client in a process of its own has seen: a function of evals.bench.load_client."""
    asked = {**given, "seconds": SECONDS, "asks": ASKS, "questions": QUESTIONS}
    seen: dict[str, Any] = Program(environment, "load_client")(name, address, asked)
    return seen


# --- in processes of the site's database ---
def prepare() -> dict[str, Any]:
    """The sample, a visitor, and as many runs of theirs as there are pollers, which nobody ends."""
    from uuid import uuid4

    from django.core.management import call_command
    from django.utils.timezone import now

    from accounts.identity_middleware import SESSION_KEY
    from accounts.session_engine import SessionStore
    from agent.models import Run, Step

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("load_sample", stdout=sys.stderr)
    visitor, session = uuid4(), SessionStore()
    session[SESSION_KEY] = str(visitor)
    session.save()
    runs = [
        Run(visitor=visitor, question=QUESTIONS[0], status="running", attempt=1, heartbeat=now(), note=POLLED)
        for _ in range(POLLERS)
    ]
    Run.objects.bulk_create(runs)
    nodes = ("plan", "fetch", "locate")
    Step.objects.bulk_create(
        Step(run=run, attempt=1, sequence=number, node=node, said=f"What {node} found.", ms=1.0)
        for run in runs
        for number, node in enumerate(nodes, start=1)
    )
    return {"runs": [str(run.pk) for run in runs], "cookies": {"sessionid": session.session_key}}


def beat() -> None:
    """Be the worker of the runs that are polled, for as long as it takes."""
    from django.utils.timezone import now

    from agent.models import Run

    while True:
        Run.objects.filter(note=POLLED).update(heartbeat=now())
        time.sleep(BEAT_EVERY)


def fill() -> None:
    """Queue runs that nobody works on yet."""
    from agent import tasks
    from agent.models import Run

    Run.objects.exclude(note=POLLED).delete()
    runs = [Run(question=QUESTIONS[number % len(QUESTIONS)]) for number in range(QUEUED)]
    Run.objects.bulk_create(runs)
    for run in runs:
        tasks.queue(run.pk)


def drained() -> dict[str, Any]:
    """Wait until nothing is queued; the seconds, and what became of the runs that were not only polled."""
    from agent.models import Run

    asked = Run.objects.exclude(note=POLLED)
    begun = time.monotonic()
    unfinished = asked.filter(status__in=[Run.Status.QUEUED, Run.Status.RUNNING])
    while unfinished.exists() and time.monotonic() - begun < PATIENCE + QUEUED:
        time.sleep(0.2)
    return {
        "seconds": time.monotonic() - begun,
        "failed": asked.filter(status=Run.Status.FAILED).count(),
        "open": unfinished.count(),
        "again": asked.filter(attempt__gt=1).count(),
    }


def history() -> None:
    """Give the visitor a long history."""
    from agent.models import Run

    visitor = Run.objects.filter(note=POLLED).values_list("visitor", flat=True).first()
    answered = {"status": Run.Status.DONE, "outcome": Run.Outcome.ANSWERED, "summary": "1", "company": "Apple Inc."}
    Run.objects.bulk_create(
        (Run(visitor=visitor, question=QUESTIONS[0], **answered) for _ in range(HISTORY)), batch_size=500
    )
