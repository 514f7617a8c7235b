"""What our code adds around the calls of a model: time, memory, rounds; on a scripted model that answers at once.

The bundled sample is loaded into a folder of its own. The model is a process of its own (tests.support.model_process),
so that neither its time nor its memory is counted as ours but for the wait on the same machine. Questions are asked as
runs are: claimed, answered, stored, with every step.
"""

import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evals.bench.program import DEPLOYED, ROOT, own_database
from evals.runner import spread

GOAL_MS = 150.0
# Questions that time is measured on.
MEASURED = 24
AT_ONCE = 20
# Questions of each mode.
BY_MODE = 16
EARLY, LATE = 50, 500
GOAL_GROWTH = 0.10


def measure() -> str:
    """All figures, as text."""
    asks = {"overhead": (), "by_mode": ("chance",), "together": (), "memory": ()}
    with own_database("agent", ELASTICSEARCH_URL="", **DEPLOYED) as step:
        step("load")
        said = []
        for name, arguments in asks.items():
            with scripted(*arguments) as url:
                said.append(step(name, **models(url)))
    return "\n".join(said)


def models(url: str) -> dict[str, str]:
    """The variables that name a scripted model."""
    roles = {"MODEL": "scripted", "MODEL_BASE_URL": url, "MODEL_API_KEY": ""}
    return {f"{role}_{name}": value for role in ("PLAN", "DRAFT") for name, value in roles.items()}


@contextmanager
def scripted(*arguments: str) -> Iterator[str]:
    """The address of a scripted model, which ends with the block."""
    command = [sys.executable, "-m", "tests.support.model_process", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        try:
            assert server.stdout is not None  # noqa: S101 - piped
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def load() -> None:
    """Load the sample into the empty database of this process."""
    from django.core.management import call_command

    from filings.sample.load import load as load_sample

    call_command("migrate", verbosity=0)
    load_sample()


def questions() -> list[str]:
    """Questions for text whose answer a model drafts."""
    from evals import prose_golden

    return [
        row.question
        for row in prose_golden.read(prose_golden.SAMPLE, "tune")
        if row.outcome == "answered" and not row.data
    ]


def overhead() -> str:
    """What runs with a model take beyond runs without one, and what rounds they made."""
    from agent.steps import pipeline
    from agent.steps.deps import Deps
    from evals.golden import TODAY

    asked = questions()[:MEASURED]
    pipeline.answer(asked[0], Deps.current(TODAY, models=True))
    added, worked, within, calls, whys, rounds = [], [], [], [], Counter[str](), Counter[str]()
    for question in asked:
        pipeline.run(question, Deps.current(TODAY))
        without, before, _, _ = timed(question, models=False)
        took, after, state, session = timed(question, models=True)
        added.append(took - without)
        worked.append(after - before)
        within.append(float(sum(call.ms for call in session.calls)))
        calls.append(len(session.calls))
        if state.draftings:
            mode = state.mode.label.lower()
            rounds[f"{mode} {len(state.draftings)}"] += 1
            whys[next((one.why for one in reversed(state.decisions) if not one.again), "none")] += 1
    drafted = sum(whys.values())
    early = whys["threshold"] + whys["sufficient"]
    return (
        f"agent, {len(asked)} questions, scripted model of no latency, {statistics.mean(calls):.1f} calls a run\n"
        f"time that a model adds to a run, its calls included: {spread(added)} (goal {GOAL_MS:.0f} at the median)\n"
        f"of the processor alone: {spread(worked)}\n"
        f"of it within calls (prompt, request, reply read): {spread(within)}\n"
        f"drafted runs that stop early: {early} of {drafted}; rounds by mode: {counted(rounds)}; why they end: {counted(whys)}; "
        f"load of the machine {os.getloadavg()[0]:.1f}"
    )


def by_mode() -> str:
    """For each mode, how many runs end before its last round, and how many rounds they make.

    The model drafts and judges by chance, so that a run goes on, and is cut short, in every way there is.
    """
    from agent.state.modes import LIMITS
    from agent.steps import pipeline
    from agent.steps.deps import Deps
    from evals.golden import TODAY

    lines = ["rounds by mode, on a scripted model that drafts and judges by chance:"]
    for mode, limits in LIMITS.items():
        states = [
            pipeline.run(question, Deps.current(TODAY, models=True, mode=mode), mode=mode)
            for question in questions()[:BY_MODE]
        ]
        rounds = Counter(len(state.draftings) for state in states if state.draftings)
        whys = Counter(
            next((one.why for one in reversed(state.decisions) if not one.again), "none")
            for state in states
            if state.draftings
        )
        made = sum(rounds.values())
        early = sum(count for number, count in rounds.items() if number < limits.iterations)
        mean = sum(number * count for number, count in rounds.items()) / max(1, made)
        lines.append(
            f"  {mode.label}: {early} of {made} drafted runs end before round {limits.iterations}, the last; "
            f"{mean:.1f} rounds a run ({counted(Counter({f'{number}': count for number, count in rounds.items()}))}); "
            f"why they end: {counted(whys)}"
        )
    return "\n".join(lines)


def timed(question: str, *, models: bool) -> tuple[float, float, Any, Any]:
    """Milliseconds of a run, of the processor in it, its state and its session."""
    from agent.steps import pipeline
    from agent.steps.deps import Deps
    from evals.golden import TODAY

    deps = Deps.current(TODAY, models=models)
    started, began = time.perf_counter(), time.process_time()
    state = pipeline.run(question, deps)
    ended, took = time.perf_counter(), time.process_time() - began
    return (ended - started) * 1000, took * 1000, state, deps.session


def together() -> str:
    """How runs fare of which many are answered at once by threads of one process, as rows of the database."""
    from django.conf import settings
    from django.core.cache import cache

    from agent.models import Run
    from agent.state.modes import Mode

    asked = questions()[:AT_ONCE]
    cache.clear()
    answered(asked[0])
    cache.clear()
    started = time.perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        times = list(pool.map(answered, asked))
    took = time.perf_counter() - started
    done = Run.objects.filter(status=Run.Status.DONE).count() - 1
    deadline = settings.MODEL_RUN_DEADLINE[Mode.STANDARD]
    within = sum(one <= 1000 * deadline for one in times)
    return (
        f"{len(asked)} runs at once in one process: {within} within the deadline of {deadline:.0f} s, "
        f"{done} done; all in {took:.1f} s, the longest {max(times) / 1000:.1f} s"
    )


def answered(question: str) -> float:
    """Milliseconds from the claim of a new run to its stored answer."""
    from django.db import connection

    from agent.models import Run
    from agent.runs import lifecycle
    from agent.runs.claim import claim

    try:
        run = Run.objects.create(question=question)
        attempt = claim(run.pk)
        assert attempt is not None  # noqa: S101 - nobody else knows of it
        started = time.perf_counter()
        lifecycle.answer(run.pk, attempt)
        return (time.perf_counter() - started) * 1000
    finally:
        connection.close()


def memory() -> str:
    """The resident memory of a process after its first runs and after many; no answer is given from a cache."""
    from django.core.cache import cache

    asked, held = questions(), {}
    late = int(os.environ.get("BENCH_RUNS", LATE))
    for number in range(1, late + 1):
        cache.clear()
        answered(asked[number % len(asked)])
        if number in (EARLY, late):
            held[number] = resident()
    growth = held[late] / held[EARLY] - 1
    return (
        f"memory of a process after {EARLY} runs {held[EARLY]:.0f} MB, after {late} runs {held[late]:.0f} MB: "
        f"{growth:+.1%} (goal within {GOAL_GROWTH:.0%})"
    )


def resident() -> float:
    """Resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in sorted(counts.items())) or "none"
