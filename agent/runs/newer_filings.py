"""Finds annual reports newer than an answer, to tell its owner; they never change the answer."""

from dataclasses import dataclass

from django.db.models import Count, Exists, Max, Min, OuterRef, Q
from django.db.models.functions import Coalesce

from accounts.identity import Identity
from agent.models import Run, RunQuerySet
from filings.models import Filing
from filings.models.report import READ

# A run about several companies counts once for each.
ABOUT = Coalesce("companies__cik", "cik")
# Companies per query: SQLite rejects larger expressions.
AT_ONCE = 200
CLOSED = (Run.Outcome.ANSWERED, Run.Outcome.NEAREST, Run.Outcome.PASSAGES, Run.Outcome.REFUSED)


@dataclass(frozen=True, slots=True)
class Newer:
    """A 10-K newer than some of a person's answers. company: named as in those answers."""

    filing: Filing
    company: str
    answers: int


def of_run(run: Run) -> list[Filing]:
    """The latest 10-K of each company asked about, where it is newer than the answer and nobody asked again."""
    if run.cik is None or run.outcome not in CLOSED:
        return []
    asked_about = Q(company__cik=run.cik) | Q(company__cik__in=run.companies.values("cik"))
    found = Filing.objects.newest().filter(asked_about, held_since__gt=run.created).select_related("company")
    filings = list({one.company_id: one for one in found.order_by("company__name", "period_end")}.values())
    again = (
        run.asked_again.exclude(outcome=Run.Outcome.ERROR).aggregate(last=Max("created"))["last"] if filings else None
    )
    return [one for one in filings if one.held_since and (again is None or again < one.held_since)]


def unread_of_run(run: Run) -> list[Filing]:
    """A newer 10-K of each company of a run that the SEC lists and that is not loaded."""
    asked_about = Q(company__cik=run.cik) | Q(company__cik__in=run.companies.values("cik"))
    newest = Filing.objects.primary().filter(asked_about).filter(READ).values_list("company__cik")
    ends = dict(newest.annotate(end=Max("period_end")).order_by())
    found = (Filing.objects.unread(cik, end) for cik, end in ends.items() if end)
    return [one for one in found if one]


def of_history(identity: Identity) -> list[Newer]:
    """The latest 10-Ks newer than one's own answers, the newest first."""
    mine = Run.objects.visible_to(identity).filter(outcome__in=CLOSED).exclude(cik=None).order_by()
    about = mine.annotate(about_cik=ABOUT)
    asked = dict(about.values_list("about_cik").annotate(first=Min("created")))
    found = (
        Filing.objects.newest().filter(company__cik__in=asked).select_related("company").order_by("-held_since", "pk")
    )
    filings = {one.company.cik: one for one in found if one.held_since > asked[one.company.cik]}
    counted = {cik: (name, answers) for cik, name, answers in _older(mine, filings)}
    return [
        Newer(filing, counted[cik][0] or filing.company.name, counted[cik][1])
        for cik, filing in filings.items()
        if cik in counted
    ]


def _older(mine: RunQuerySet, filings: dict[int, Filing]) -> list[tuple[int, str, int]]:
    """(CIK, name, answers) of answers older than their company's latest 10-K and not asked again."""
    found: list[tuple[int, str, int]] = []
    pairs = list(filings.items())
    for start in range(0, len(pairs), AT_ONCE):
        older = Q()
        for cik, filing in pairs[start : start + AT_ONCE]:
            again = Run.objects.filter(again_of=OuterRef("pk"), created__gte=filing.held_since)
            again = again.exclude(outcome=Run.Outcome.ERROR)
            older |= Q(about_cik=cik, created__lt=filing.held_since) & ~Q(Exists(again))
        named = Max(Coalesce("companies__name", "company"))
        rows = mine.annotate(about_cik=ABOUT).filter(older).values("about_cik")
        rows = rows.annotate(name=named, answers=Count("pk"))
        found += [(row["about_cik"], row["name"], row["answers"]) for row in rows]
    return found
