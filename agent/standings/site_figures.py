"""What this site has answered and refused, and how its saved answers stand: shares with their intervals."""

from dataclasses import dataclass

from django.db.models import Count

from agent.models import CitedFact, Run, Standing
from agent.refusals.codes import Code
from diligence.statistics import Share

# Codes of refusals that are listed, the most frequent first.
MOST_CODES = 8
# How a later filing gives another value for a figure that an answer uses.
RESTATED = ("restated", "split", "recast")


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


def restatements() -> list[Figure]:
    """The figures that saved answers use and that a later filing gives with another value."""
    used = CitedFact.objects.count()
    changed = Standing.objects.filter(state__in=Standing.CHANGED).values_list("changes", flat=True)
    found = sum(change["reason"] in RESTATED for changes in changed for change in changes)
    return [of_counts("Restated by a later filing", found, used)] if used else []


def by_heading() -> list[tuple[str, list[Figure]]]:
    """All figures of this site under their headings."""
    outcomes, refusals = asked()
    return [
        ("Questions by outcome", outcomes),
        ("Questions not answered, by reason", refusals),
        ("Answers verified again", standing()),
        ("Figures in saved answers", restatements()),
    ]
