"""Every list of the admin, the history and the metrics with 100,000 runs stored: milliseconds of a page.

In a database of its own, with the sample; on SQLite, or at LISTS_DATABASE_URL. LISTS_RUNS makes it shorter.
"""

import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

from evals.bench.program import own_database

RUNS = int(os.environ.get("LISTS_RUNS", "100000"))
# Of each page, behind one that is not counted.
LOOKS = 5
GOAL_MS = 500.0
TOKEN = "lists"  # noqa: S105 - of a server of our own
COMPANIES = ("Apple Inc.", "NVIDIA CORP", "Northwind Instruments Corporation", "")
CODES = (("conflict", "validate"), ("no_company", "plan"), ("concept_not_reported", "locate"))
NODES = ("plan", "fetch", "locate")
CALL = {
    "program": "draft", "version": "1", "model": "a-model", "role": "draft", "tokens_in": 900, "tokens_out": 90,
    "estimated": False, "cost": "0.001", "ms": 700, "outcome": "ok", "sent": True,
}  # fmt: skip


def measure() -> str:
    """The slowest pages and how many there are."""
    with own_database("lists", os.environ.get("LISTS_DATABASE_URL", ""), METRICS_TOKEN=TOKEN) as step:
        times: dict[str, float] = step("look")
    slowest = sorted(times.items(), key=lambda one: -one[1])
    named = ", ".join(f"{name} {ms:.0f} ms" for name, ms in slowest[:5])
    return (
        f"lists: {len(times)} pages with {RUNS:,} runs, median {statistics.median(times.values()):.0f} ms, "
        f"{sum(ms <= GOAL_MS for ms in times.values())} within {GOAL_MS:.0f} ms; the slowest: {named}"
    )


# --- in the process of that database ---
def look() -> dict[str, float]:
    """Fill the database, open every page, and give the median of each."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("load_sample", stdout=sys.stderr)
    return {name: timed(page) for name, page in pages(fill()).items()}


def timed(page: Callable[[], Any]) -> float:
    times = []
    for _ in range(LOOKS + 1):
        begun = time.perf_counter()
        response = page()
        times.append((time.perf_counter() - begun) * 1000)
        if response.status_code != 200:
            raise RuntimeError(f"{response.request['PATH_INFO']} answered {response.status_code}.")
    return statistics.median(times[1:])


def pages(curator: Any) -> dict[str, Callable[[], Any]]:
    """Every page that lists or sums, by what it is called."""
    from django.contrib import admin
    from django.test import Client
    from django.urls import reverse

    client = Client(headers={"host": "localhost"})
    client.force_login(curator)
    lists = {
        model._meta.label: reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model in admin.site._registry
    }
    runs, feedback = lists["agent.Run"], lists["agent.Feedback"]
    found = {
        **lists,
        "runs searched": f"{runs}?q=apple",
        "runs searched by a question": f"{runs}?q=what+was+northwind+instruments+corporation+revenue+in+fy2017",
        "runs refused": f"{runs}?outcome__exact=refused",
        "a late page of runs": f"{runs}?p={min(RUNS // 50, 100)}",
        "feedback searched": f"{feedback}?q=apple",
        "refusals": reverse("admin:agent_run_refusals"),
        "use of models": reverse("admin:agent_run_usage"),
        "admin": reverse("admin:index"),
        "history": reverse("history"),
        "history searched": f"{reverse('history')}?q=apple+revenue",
        "history starred": f"{reverse('history')}?starred=on",
        "history by company": f"{reverse('history')}?group=company",
        "history of a company": f"{reverse('history')}?company=Apple+Inc.",
        "ask": reverse("ask"),
    }
    opened: dict[str, Callable[[], Any]] = {name: lambda at=at: client.get(at) for name, at in found.items()}  # type: ignore[misc] # mypy does not see the default
    opened["metrics"] = lambda: client.get(reverse("metrics"), headers={"Authorization": f"Bearer {TOKEN}"})
    return opened


def fill() -> Any:
    """Runs of a year, one in ten of them the curator's, with steps, words, feedback and what they have used; one in
    twenty about two companies."""
    from django.utils.timezone import now

    from accounts.models import Meter, Reservation, User
    from agent.models import Feedback, Run, RunCompany, RunText, Step

    curator = User.objects.create_superuser("curator@example.com", "a long enough password")
    chance, today = random.Random(1), now()  # noqa: S311 - which rows, not a secret

    def runs() -> Iterator[Run]:
        for number in range(RUNS):
            company = COMPANIES[number % len(COMPANIES)]
            code, stage = CODES[number % len(CODES)] if number % 4 == 0 else ("", "")
            at = today - timedelta(days=365 * chance.random())
            yield Run(
                user=curator if number % 10 == 0 else None,
                question=f"What was {company or 'its'} revenue in FY{2015 + number % 10}?",
                company=company,
                cik=number % 4 or None,
                status=Run.Status.DONE,
                outcome=Run.Outcome.REFUSED if code else Run.Outcome.ANSWERED,
                refusal_code=code,
                refusal_stage=stage,
                summary="391,035 million US dollars",
                starred=number % 50 == 0,
                attempt=1,
                created=at,
                finished=at,
                ms=20,
            )

    made = Run.objects.bulk_create(runs(), batch_size=1000)
    kept(Step, (of_node(run, number) for run in made for number in range(len(NODES))))
    kept(RunText, (RunText(run=run, words=run.question.lower()) for run in made))
    kept(RunCompany, (RunCompany(run=run, cik=cik, name=COMPANIES[cik]) for run in made[::20] for cik in range(2)))
    kept(Feedback, (Feedback(run=run, verdict="wrong", comment="Not what Apple says.") for run in made[::20]))
    kept(Meter, (Meter(key=f"address:{number}", questions=3) for number in range(RUNS // 10)))
    kept(Reservation, (held(run, number) for number, run in enumerate(made)))
    return curator


def of_node(run: Any, number: int) -> Any:
    """A step of a run; every tenth run asked a model in its last."""
    from agent.models import Step

    asked = number == len(NODES) - 1 and run.user_id is not None
    return Step(
        run=run, attempt=1, sequence=number + 1, node=NODES[number], at=run.created, said="What it found.", ms=3,
        requests=int(asked), tokens_in=900 * asked, tokens_out=90 * asked, cost=Decimal("0.001") * asked,
        calls=[CALL] * asked,
    )  # fmt: skip


def held(run: Any, number: int) -> Any:
    from accounts.models import Reservation

    return Reservation(
        ref=run.pk, key=f"address:{number % (RUNS // 10)}", tier="anon", state=Reservation.State.SETTLED,
        at=run.created, closed=run.created, tokens=100,
    )  # fmt: skip


def kept(model: Any, rows: Iterator[Any]) -> None:
    model.objects.bulk_create(rows, batch_size=1000)
