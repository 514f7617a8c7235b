"""Many ask at once: processes with threads, each of which asks the ledger for the same scenarios at the same moment.

`python -m tests.support.askers THREADS SECONDS ...` forks a process for each number of seconds, by which its clock is
wrong. It reads scenarios, one JSON object a line, and prints what became of each in each process. The environment names
the database and the Redis.
"""

import json
import multiprocessing
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from multiprocessing.connection import Connection
from typing import Any

import django

PROCESSES, THREADS, EACH = 4, 5, 5  # 100 asks from 20 threads
SKEWED = (0, 60, -60, 0)  # seconds


@dataclass(frozen=True)
class Scenario:
    """What is asked for. limits: of everybody without an account; wants: (tokens, USD), the dearest first.

    address: `{:x}` in it is another number below 256 each time.
    used: tokens of an answer that is there at once; None leaves the run unfinished.
    """

    address: str
    limits: dict[str, float]
    wants: Sequence[tuple[int, str]] = ((1, "0"),)
    used: int | None = None


@dataclass
class Outcome:
    """Reservations by the tokens that were reserved, and refusals by reason."""

    taken: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)

    def add(self, other: dict[str, dict[str, int]]) -> None:
        for name, counts in other.items():
            own = getattr(self, name)
            for key, count in counts.items():
                own[key] = own.get(key, 0) + count

    @property
    def accepted(self) -> int:
        return sum(self.taken.values())


def ask_at_once(scenarios: Sequence[Scenario], environment: dict[str, str], root: str) -> list[Outcome]:
    """What becomes of 100 asks in each of the scenarios: by four processes, two of which have wrong clocks."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.askers", str(THREADS), *map(str, SKEWED)],
        input="".join(json.dumps(asdict(scenario)) + "\n" for scenario in scenarios),
        capture_output=True, text=True, cwd=root, env=environment, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    outcomes = []
    for line in done.stdout.splitlines():
        outcomes.append(Outcome())
        for of_process in json.loads(line):
            outcomes[-1].add(of_process)
    assert len(outcomes) == len(scenarios)
    return outcomes


def main() -> None:
    threads, skews = int(sys.argv[1]), map(float, sys.argv[2:])
    django.setup()
    # Once, before the forks.
    from accounts import quotas  # noqa: F401

    forks, connections = multiprocessing.get_context("fork"), []
    for skew in skews:
        ours, theirs = forks.Pipe()
        forks.Process(target=asker, args=(theirs, threads, skew), daemon=True).start()
        theirs.close()
        connections.append(ours)
    for line in sys.stdin:
        for connection in connections:
            connection.send(line)
        print(json.dumps([connection.recv() for connection in connections]), flush=True)  # noqa: T201


def asker(connection: Connection, threads: int, skew: float) -> None:
    """One of the processes, until it is ended with the first."""
    with skewed(skew):
        while True:
            connection.send(asdict(outcome(Scenario(**json.loads(connection.recv())), threads)))


@contextmanager
def skewed(seconds: float) -> Any:
    """This process's clock, wrong by so much."""
    import time_machine

    moved = time_machine.travel(datetime.now(UTC) + timedelta(seconds=seconds)) if seconds else nullcontext()
    with moved:
        yield


def outcome(scenario: Scenario, threads: int) -> Outcome:
    from django.conf import settings

    settings.PLANS = {"anon": scenario.limits}
    found, lock, barrier = Outcome(), threading.Lock(), threading.Barrier(threads)

    def asks() -> None:
        from django.db import connection

        barrier.wait()
        for _ in range(EACH):
            became = one(scenario)
            with lock:
                found.add(became)
        connection.close()

    workers = [threading.Thread(target=asks) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return found


def one(scenario: Scenario) -> dict[str, dict[str, int]]:
    from uuid import uuid4

    from accounts import quotas
    from accounts.identity import Identity

    ref = uuid4()
    wants = [quotas.Want(tokens, Decimal(cost)) for tokens, cost in scenario.wants]
    asker = Identity(address=scenario.address.format(ref.int % 256))
    try:
        held = quotas.reserve(asker, ref, length=quotas.Length(1, lambda: 1), wants=wants)
    except quotas.QuotaExceeded as reached:
        return {"refused": {reached.reason: 1}}
    if scenario.used is not None:
        quotas.settle(ref, tokens=scenario.used, cost=held.cost, answered=True)
    return {"taken": {str(held.tokens): 1}}


if __name__ == "__main__":
    main()
