"""The page "How we know": what this site has answered and refused, and the figures of the last evaluation."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.request_types import Request
from agent.models import Run, Standing
from agent.refusals.codes import Code
from diligence.statistics import Share

SUMMARY = Path(settings.BASE_DIR) / "evals" / "reports" / "summary.json"
# Codes of refusals that are listed, the most frequent first.
MOST_CODES = 8


@dataclass(frozen=True, slots=True)
class Figure:
    """A share with its 95 % interval, all in percent, and how it was measured: when, with which version, by which command."""

    name: str
    part: int
    whole: int
    low: float
    high: float
    date: str = ""
    version: str = ""
    command: str = ""

    @property
    def share(self) -> float:
        return 100 * self.part / self.whole if self.whole else 0.0


@require_safe
def how_we_know(request: Request) -> HttpResponse:
    """Show what is known of how often answers are right."""
    outcomes, refusals = asked()
    context = {"outcomes": outcomes, "refusals": refusals, "standing": standing(), "evaluated": evaluated()}
    return render(request, "agent/how_we_know.html", context)


def asked() -> tuple[list[Figure], list[Figure]]:
    """The closed runs of this site by outcome, and the refused ones by code, the most frequent first."""
    closed = Run.objects.exclude(outcome="").order_by()
    outcomes = dict(closed.values_list("outcome").annotate(Count("pk")))
    refused = closed.exclude(refusal_code="").values_list("refusal_code").annotate(Count("pk"))
    codes = {code or "": many for code, many in refused}
    titles = {str(code): code.row.title for code in Code}
    frequent = sorted(codes.items(), key=lambda one: (-one[1], one[0]))[:MOST_CODES]
    return (
        [of_counts(str(one.label), outcomes[one], sum(outcomes.values())) for one in Run.Outcome if one in outcomes],
        [of_counts(titles.get(code, code), many, sum(codes.values())) for code, many in frequent],
    )


def of_counts(name: str, part: int, whole: int) -> Figure:
    low, high = Share(part, whole).bounds
    return Figure(name, part, whole, 100 * low, 100 * high)


def standing() -> list[Figure]:
    """How saved answers stood when they were last compared with the filings: valid, superseded or broken."""
    states = dict(Standing.objects.order_by().values_list("state").annotate(Count("pk")))
    return [of_counts(str(one.label), states[one], sum(states.values())) for one in Standing.State if one in states]


def evaluated(path: Path | None = None) -> list[Figure]:
    """The figures of the last evaluation, as `manage.py evaluate --report` has written them; none where it never has."""
    path = path or SUMMARY
    if not path.is_file():
        return []
    held: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [
        Figure(name, **{**one, "low": 100 * one["low"], "high": 100 * one["high"]})
        for name, one in sorted(held.items())
        if one["whole"]
    ]
