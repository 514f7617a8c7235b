"""Sums up the cost of model calls: for one run, by day, and by program."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from operator import itemgetter
from typing import Any

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils.timezone import make_aware

from accounts.models import PastUsage
from agent.models import Run, Step

# Stands for a program where only sums are kept.
DELETED = ("Deleted questions", "", "")


@dataclass
class Sums:
    """Sums over calls. USD; milliseconds."""

    calls: int = 0
    failed: int = 0
    estimated: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)
    ms: int = 0

    def add(self, call: dict[str, Any]) -> None:
        """Add one call, as stored in a Step."""
        self.calls += 1
        self.failed += call["outcome"] != "ok"
        self.estimated += bool(call["estimated"])
        self.tokens_in += call["tokens_in"]
        self.tokens_out += call["tokens_out"]
        self.cost += Decimal(call["cost"])
        self.ms += call["ms"]

    @property
    def mean_ms(self) -> float:
        return self.ms / self.calls if self.calls else 0.0


def of_run(run: Run) -> dict[str, Any] | None:
    """Requests, tokens and cost of all attempts of a run, and whether some of it is estimated; None where no model was
    asked."""
    asked = run.steps.filter(requests__gt=0)
    found = asked.aggregate(
        requests=Sum("requests"), tokens_in=Sum("tokens_in"), tokens_out=Sum("tokens_out"), cost=Sum("cost")
    )
    if not found["requests"]:
        return None
    calls = (call for made in asked.values_list("calls", flat=True) for call in made)
    return {**found, "estimated": any(call["estimated"] for call in calls)}


def asked(first: date, last: date) -> QuerySet[Step]:
    """The steps of these days that asked a model."""
    begin = make_aware(datetime.combine(first, time.min))
    end = make_aware(datetime.combine(last + timedelta(days=1), time.min))
    return Step.objects.filter(requests__gt=0, at__gte=begin, at__lt=end)


def left_behind(first: date, last: date) -> list[PastUsage]:
    """The model usage of deleted accounts on these days."""
    return list(PastUsage.objects.filter(requests__gt=0, day__range=(first, last)))


def by_day(steps: QuerySet[Step], past: Sequence[PastUsage] = ()) -> list[dict[str, Any]]:
    """Rows of day, runs, asked (requests), sent and written (tokens) and usd, the newest first.

    past: usage of deleted runs, counted except in the number of runs.
    """
    days = steps.order_by().annotate(day=TruncDate("at")).values("day")
    summed = days.annotate(
        runs=Count("run", distinct=True),
        asked=Sum("requests"),
        sent=Sum("tokens_in"),
        written=Sum("tokens_out"),
        usd=Sum("cost"),
    )
    found: dict[date, dict[str, Any]] = {row["day"]: dict(row) for row in summed}
    for gone in past:
        row = found.setdefault(gone.day, {"day": gone.day, "runs": 0, "asked": 0, "sent": 0, "written": 0, "usd": 0})
        row["asked"] += gone.requests
        row["sent"] += gone.tokens_in
        row["written"] += gone.tokens_out
        row["usd"] += gone.cost
    return sorted(found.values(), key=itemgetter("day"), reverse=True)


def by_program(steps: QuerySet[Step], past: Sequence[PastUsage] = ()) -> list[tuple[str, str, str, Sums]]:
    """Rows of (program, version, model, sums), the most expensive first; usage of deleted runs has no known program."""
    found: dict[tuple[str, str, str], Sums] = {}
    for calls in steps.order_by().values_list("calls", flat=True).iterator():
        # Of a former release, it is not said: those were counted.
        for call in (one for one in calls if one.get("sent", True)):
            found.setdefault((call["program"], call["version"], call["model"]), Sums()).add(call)
    for gone in past:
        sums = found.setdefault(DELETED, Sums())
        sums.calls += gone.requests
        sums.tokens_in += gone.tokens_in
        sums.tokens_out += gone.tokens_out
        sums.cost += gone.cost
    rows = [(*key, sums) for key, sums in found.items()]
    return sorted(rows, key=lambda row: (-row[3].cost, -row[3].calls, row[0]))
