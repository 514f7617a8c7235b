"""Newer annual reports than an answer can know: said to whoever asked, never put into the answer."""

from dataclasses import dataclass

from django.db.models import Count, Exists, Max, Min, OuterRef, Q

from accounts.identity import Identity
from agent.models import Run, RunQuerySet
from filings.models import Filing

# Of the history: more are found through its filter by company.
MOST = 5
CLOSED = (Run.Outcome.ANSWERED, Run.Outcome.REFUSED)


@dataclass(frozen=True, slots=True)
class Newer:
    """A 10-K that came after so many of somebody's answers. company: as those answers call it."""

    filing: Filing
    company: str
    answers: int


def of_run(run: Run) -> Filing | None:
    """The latest 10-K of the company asked about, where it came after the answer and nobody has asked again since."""
    if run.cik is None or run.outcome not in CLOSED:
        return None
    found = Filing.objects.newest().filter(company__cik=run.cik, held_since__gt=run.created)
    filing = found.select_related("company").order_by("-period_end").first()
    if filing is None or run.asked_again.filter(created__gte=filing.held_since).exists():
        return None
    return filing


def of_history(identity: Identity) -> list[Newer]:
    """The latest 10-Ks that came after answers of one's own, the newest first."""
    mine = Run.objects.visible_to(identity).filter(outcome__in=CLOSED).exclude(cik=None).order_by()
    asked = dict(mine.values_list("cik").annotate(first=Min("created")))
    found = (
        Filing.objects.newest().filter(company__cik__in=asked).select_related("company").order_by("-held_since", "pk")
    )
    filings = {one.company.cik: one for one in found if one.held_since > asked[one.company.cik]}
    counted = {cik: (name, answers) for cik, name, answers in _older(mine, filings)}
    told = [
        Newer(filing, counted[cik][0] or filing.company.name, counted[cik][1])
        for cik, filing in filings.items()
        if cik in counted
    ]
    return told[:MOST]


def _older(mine: RunQuerySet, filings: dict[int, Filing]) -> list[tuple[int, str, int]]:
    """(CIK, name, answers) of the answers that are older than their company's latest 10-K and were not asked again."""
    older = Q()
    for cik, filing in filings.items():
        again = Run.objects.filter(again_of=OuterRef("pk"), created__gte=filing.held_since)
        older |= Q(cik=cik, created__lt=filing.held_since) & ~Q(Exists(again))
    if not filings:
        return []
    rows = mine.filter(older).values("cik").annotate(name=Max("company"), answers=Count("pk"))
    return [(row["cik"] or 0, row["name"], row["answers"]) for row in rows]
