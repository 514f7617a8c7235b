"""What is new of a watchlist: filings of its companies, and its owner's answers that these overtake or restate."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse
from django.utils.timezone import now

from accounts.identity import Identity
from agent.models import Run, RunCompany, Watchlist
from agent.runs import newer_filings
from agent.runs.standing_text import ShownChange, shown_changes
from filings.models import Company, Filing
from filings.models.report import READ

# Filings that were filed earlier are not news, also where they are loaded today.
NEW_FOR = timedelta(days=120)
# Restated figures that one line names.
NAMED = 3


@dataclass(frozen=True, slots=True)
class News:
    """One new thing. key: what it is told once by. path: its page on this site. cik: of the company. at: since when."""

    key: str
    title: str
    text: str
    path: str
    cik: int
    at: datetime


def news(watchlist: Watchlist) -> list[News]:
    """Everything new of a watchlist in the last 120 days, the newest first."""
    return news_of(watchlist, new_filings(watchlist.ciks))


def news_of(watchlist: Watchlist, filings: Sequence[Filing]) -> list[News]:
    """These filings, and what they overtake or restate, the newest first."""
    if not filings:
        return []
    identity = Identity(user=watchlist.user, visitor=watchlist.visitor)
    found = [*map(of_filing, filings), *overtaken(identity, filings), *restated(identity, filings)]
    return sorted(found, key=lambda one: (one.at, one.key), reverse=True)


def new_filings(ciks: Collection[int]) -> list[Filing]:
    """The annual and quarterly reports of companies, loaded and filed in the last 120 days."""
    found = Filing.objects.reports().filter(READ, company__cik__in=ciks, company__active=True, is_transition=False)
    found = found.filter(held_since__isnull=False, filed__gte=now().date() - NEW_FOR)
    return list(found.select_related("company").order_by("-held_since", "pk"))


def named(filing: Filing) -> str:
    """A document in words: 10-K for fiscal 2025."""
    quarter = f"Q{filing.fiscal_quarter} of " if filing.fiscal_quarter else ""
    name = filing.form or filing.kind.label
    return f"{name} for {quarter}fiscal {filing.fiscal_year}" if filing.fiscal_year else name


def dated(filing: Filing) -> str:
    return f"{filing.filed:%-d %B %Y}"


def since(filing: Filing) -> datetime:
    return filing.held_since or now()


def key_of(filing: Filing) -> str:
    """The key of the news that it was filed."""
    return f"filing:{filing.company.cik}:{filing.accession}"


def of_filing(filing: Filing) -> News:
    """The news that a company has filed."""
    company: Company = filing.company
    return News(
        key=key_of(filing),
        title=f"{company.called}: {named(filing)}",
        text=f"{filing.kind.dated} {dated(filing)}.",
        path=f"{filing.get_absolute_url()}?{urlencode({'cik': company.cik})}",
        cik=company.cik,
        at=since(filing),
    )


def overtaken(identity: Identity, filings: Sequence[Filing]) -> Iterator[News]:
    """The news that some of the owner's answers are older than a company's latest 10-K."""
    new = {filing.pk: filing for filing in filings}
    for one in newer_filings.of_history(identity):
        if one.filing.pk not in new:
            continue
        company, several = one.filing.company, one.answers > 1
        yield News(
            key=f"overtaken:{company.cik}:{one.filing.accession}",
            title=f"{one.answers} of your answers about {company.called} {'are' if several else 'is'} older than its {named(one.filing)}",
            text=f"Ask {'them' if several else 'it'} again to include the new report.",
            path=f"{reverse('history')}?{urlencode({'company': one.company})}",
            cik=company.cik,
            at=since(one.filing),
        )


def restated(identity: Identity, filings: Sequence[Filing]) -> Iterator[News]:
    """The news that a filing gives another value for a figure of an answer, one for each answer and filing."""
    new = {(filing.company.cik, filing.accession): filing for filing in filings}
    ciks = {filing.company.cik for filing in filings}
    about = Q(cik__in=ciks) | Q(pk__in=RunCompany.objects.filter(cik__in=ciks).values("run"))
    runs = Run.objects.visible_to(identity).filter(about).changed().select_related("standing").defer("answer", "taken")
    for run in runs.order_by("-created"):
        found: dict[tuple[int, str], list[ShownChange]] = defaultdict(list)
        for one in shown_changes(run.standing):
            of = (one.change.cik, one.change.accession)
            if of in new and one.change.reason != "overtaken":
                found[of].append(one)
        for of, changes in found.items():
            yield _restated(run, new[of], changes)


def _restated(run: Run, filing: Filing, changes: Sequence[ShownChange]) -> News:
    lines = [f"{one.change.said}: {one.used}, {one.verb} {one.now}" for one in changes[:NAMED]]
    more = len(changes) - len(lines)
    company: Company = filing.company
    return News(
        key=f"restated:{run.pk}:{filing.pk}",
        title=f"Restated: {run.question}",
        text=f"In the {named(filing)} of {company.called}, filed {dated(filing)}: {'; '.join(lines)}{f'; and {more} more' if more else ''}.",
        path=run.get_absolute_url(),
        cik=company.cik,
        at=since(filing),
    )
