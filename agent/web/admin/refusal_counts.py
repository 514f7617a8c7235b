"""Counts refused runs by code, by step, and over time."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Count
from django.db.models.functions import TruncDate
from django.utils.timezone import make_aware

from agent.models import Run

# Up to the first number of days a range is shown by day, up to the second by week, else by month.
BY_DAY, BY_WEEK = 31, 184
COLUMNS = 8
OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of finished and refused runs in a range of days.

    by_code: (code, stage, runs, percent of the refused). periods: the first day of each, the newest first. codes and
    nodes: names, the most frequent first, and for each period the runs of each.
    """

    closed: int
    refused: int
    by_code: list[dict[str, Any]]
    codes: "Table"
    nodes: "Table"
    unit: str

    @property
    def share(self) -> float:
        return 100 * self.refused / self.closed if self.closed else 0.0


@dataclass(frozen=True, slots=True)
class Table:
    """The names, and rows of (first day of the period, number of runs for each name, total)."""

    names: list[str]
    rows: list[tuple[date, list[int], int]]


def counts(first: date, last: date) -> Counts:
    """Count the runs asked between two days, both included. Two queries, each over the index by time."""
    begin = make_aware(datetime.combine(first, time.min))
    end = make_aware(datetime.combine(last + timedelta(days=1), time.min))
    runs = Run.objects.filter(created__gte=begin, created__lt=end).order_by()
    outcomes = dict(runs.exclude(outcome="").values_list("outcome").annotate(Count("pk")))
    # A refusal may have passages beside it.
    refused = runs.exclude(refusal_code="").annotate(day=TruncDate("created"))
    grouped = refused.values_list("day", "refusal_code", "refusal_stage").annotate(Count("pk"))
    unit = "day" if (last - first).days < BY_DAY else "week" if (last - first).days < BY_WEEK else "month"
    rows = [(period(day, unit), code, stage, many) for day, code, stage, many in grouped]
    total = sum(many for *_, many in rows)
    by_code: Counter[tuple[str, str]] = Counter()
    for _, code, stage, many in rows:
        by_code[code, stage] += many
    return Counts(
        closed=sum(outcomes.values()),
        refused=total,
        by_code=[
            {"refusal_code": code, "refusal_stage": stage, "runs": many, "share": 100 * many / total}
            for (code, stage), many in sorted(by_code.items(), key=lambda one: (-one[1], one[0]))
        ],
        codes=table((day, code, many) for day, code, _, many in rows),
        nodes=table((day, stage or "-", many) for day, _, stage, many in rows),
        unit=unit,
    )


def period(day: date, unit: str) -> date:
    """The first day of a day's period; weeks begin on Monday."""
    if unit == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if unit == "month" else day


def table(counted: Iterable[tuple[date, str, int]]) -> Table:
    """A table of periods by names, with rare names combined."""
    cells: Counter[tuple[date, str]] = Counter()
    totals: Counter[str] = Counter()
    for day, name, many in counted:
        cells[day, name] += many
        totals[name] += many
    ordered = [name for name, _ in sorted(totals.items(), key=lambda one: (-one[1], one[0]))]
    names: Sequence[str] = ordered[:COLUMNS] if len(ordered) > COLUMNS + 1 else ordered
    rows = []
    for day in sorted({day for day, _ in cells}, reverse=True):
        shown = [cells[day, name] for name in names]
        every = sum(many for (other, _), many in cells.items() if other == day)
        rows.append((day, [*shown, every - sum(shown)] if len(names) < len(ordered) else shown, every))
    return Table([*names, OTHERS] if len(names) < len(ordered) else [*names], rows)
