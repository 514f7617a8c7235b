"""Time of pages with many figures and of answers by part, on the companies with figures in the database of the settings.

Goals: the page of a company with its parts 400 ms, the grid of 16 companies x 10 years x 3 measures 500 ms, both computed
anew; answers by part over five years 150 ms, of two companies 300 ms, at the 95th percentile. Milliseconds of the
processor stand beside those of the clock: others may use the machine.
"""

import os
import random
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent.state import CompanyRef
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals import golden
from evals.runner import spread
from filings.models import Member
from filings.xbrl.axes import PARTS

PAGE_MS, GRID_MS, PARTS_MS, TWO_MS = 400.0, 500.0, 150.0, 300.0
COMPANIES, YEARS, REPEATS = 16, range(2016, 2026), 5
MEASURES = "revenue,net_income,total_assets"
OVER = "over the last five years"


class Took(NamedTuple):
    """Milliseconds of the clock and of the processor."""

    clock: float
    processor: float


def measure() -> str:
    """All times, as text."""
    index = Deps.current(golden.TODAY).companies
    companies = [one for one in map(index.get, index.covered) if one and not one.fictional]
    load = os.getloadavg()[0]
    with transaction.atomic():
        # Without quotas; not kept.
        client = Client(headers={"host": "localhost"})
        client.force_login(User.objects.create_superuser("bench@example.com", "a long enough password"))
        pages = [_repeated(lambda cik=one.cik: _opened(client, f"/companies/{cik}")) for one in companies]  # type: ignore[misc] # mypy does not see the default
        grid = _grid(client, companies[:COMPANIES])
        transaction.set_rollback(True)
    said = [
        f"{len(pages)} pages of companies with their parts: {_spread(pages)} (goal {PAGE_MS:.0f})",
        f"grid of {len(companies[:COMPANIES])} companies x {len(YEARS)} years x 3 measures, computed anew: "
        f"median {grid.clock:.0f} ms, of the processor {grid.processor:.0f} (goal {GRID_MS:.0f})",
    ]
    having = set(Member.objects.filter(axis__in=PARTS).values_list("filing__company__cik", flat=True))
    divided = [one for one in companies if one.cik in having]
    for named, goal, questions in (
        ("by segment", PARTS_MS, [f"{one.called} revenue by segment {OVER}" for one in divided]),
        ("by product", PARTS_MS, [f"{one.called} revenue by product {OVER}" for one in divided]),
        (
            "of two companies by segment",
            TWO_MS,
            [f"{a.called} and {b.called} revenue by segment {OVER}" for a, b in pairwise(divided)],
        ),
    ):
        said.append(f"answers {named} over five years: {_answers(questions)} (goal {goal:.0f})")
    return "\n".join([*said, f"load of the machine when they began {load:.1f}"])


def _opened(client: Client, address: str) -> None:
    if (reply := client.get(address)).status_code != 200:
        raise RuntimeError(f"{address} answered {reply.status_code}.")


def _grid(client: Client, companies: Sequence[CompanyRef]) -> Took:
    def anew() -> None:
        # A grid shown before is not computed again; one in another order is.
        order = ",".join(str(one.cik) for one in random.sample(companies, len(companies)))
        years = f"from={YEARS[0]}&to={YEARS[-1]}"
        _opened(client, f"{reverse('grid')}?companies={order}&measures={MEASURES}&{years}")

    return _repeated(anew)


def _answers(questions: Iterable[str]) -> str:
    """Times of the questions that are answered."""

    def table(question: str) -> bool:
        return any(one.table is not None for one in pipeline.answer(question, Deps.current(golden.TODAY)).blocks)

    answered = [one for one in questions if table(one)]
    return f"{len(answered)} tables, {_spread([_repeated(lambda one=one: table(one)) for one in answered])}"  # type: ignore[misc] # mypy does not see the default


def _repeated(do: Callable[[], object]) -> Took:
    """The medians of some repeats, the first time left out."""
    do()
    found = []
    for _ in range(REPEATS):
        clock, processor = time.perf_counter(), time.process_time()
        do()
        found.append(((time.perf_counter() - clock) * 1000, (time.process_time() - processor) * 1000))
    return Took(*map(median, zip(*found, strict=True)))


def _spread(times: Sequence[Took]) -> str:
    clock, processor = ([one[at] for one in times] for at in (0, 1))
    return f"{spread(clock)}; of the processor {spread(processor)}"
