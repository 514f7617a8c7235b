"""What is new of a watchlist: filings of its companies, and its owner's answers that these overtake or restate."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils.timezone import now

from accounts.identity import Identity
from agent.models import Run, Watchlist
from agent.numbers.render import shown
from agent.numbers.rounding import same_after_rounding
from agent.runs import newer_filings
from agent.runs.stored_answer import read
from agent.state import Cell, FactRef
from filings.models import Company, Fact, Filing
from filings.models.report import READ
from filings.xbrl.later_filings import Later, later

# Filings that were filed earlier are not news, also where they are loaded today.
NEW_FOR = timedelta(days=120)
# The newest answers that are compared with new filings.
MOST_ANSWERS = 300
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
    """A filing in words: 10-K for fiscal 2025."""
    quarter = f"Q{filing.fiscal_quarter} of " if filing.fiscal_quarter else ""
    return f"{filing.form} for {quarter}fiscal {filing.fiscal_year}" if filing.fiscal_year else filing.form


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
        text=f"Filed {dated(filing)}.",
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
    new = {filing.pk: filing for filing in filings}
    runs = _answers(
        identity, {filing.company.cik for filing in filings}, min(map(since, filings)), max(map(since, filings))
    )
    cited = {run.pk: list(_cited(run)) for run in runs}
    facts = Fact.objects.select_related("company").in_bulk({ref.fact for of in cited.values() for _, ref in of})
    after = later(list(facts.values()))
    for run in runs:
        changes: dict[int, list[tuple[Cell, FactRef, Later]]] = defaultdict(list)
        for cell, ref in cited[run.pk]:
            for one in after.get(ref.fact, ()):
                if one.filing in new and since(new[one.filing]) > run.created and _differs(ref, one):
                    changes[one.filing].append((cell, ref, one))
        for pk, found in changes.items():
            yield _restated(run, new[pk], found)


def _answers(identity: Identity, ciks: Collection[int], first: datetime, last: datetime) -> list[Run]:
    """The owner's newest answers with figures of these companies, given before one of the filings was loaded."""
    about = Q(cik__in=ciks) | Q(companies__cik__in=ciks)
    keys: list[UUID] = list(
        Run.objects.visible_to(identity)
        .filter(about, outcome=Run.Outcome.ANSWERED, created__lt=last)
        .order_by("-created")
        .values_list("pk", flat=True)
        .distinct()[:MOST_ANSWERS]
    )
    return list(Run.objects.filter(pk__in=keys).only("question", "answer", "created").order_by("-created"))


def _cited(run: Run) -> Iterator[tuple[Cell, FactRef]]:
    """The figures that an answer asserts, each with its facts, each fact once."""
    answer = read(run.answer)
    known: set[int] = set()
    for block in answer.blocks if answer else ():
        for cell in block.table.asserted if block.table else ():
            for ref in cell.facts:
                if ref.fact not in known:
                    known.add(ref.fact)
                    yield cell, ref


def _differs(ref: FactRef, after: Later) -> bool:
    return not same_after_rounding(after.value, after.decimals, ref.value, ref.decimals)


def _restated(run: Run, filing: Filing, changes: Sequence[tuple[Cell, FactRef, Later]]) -> News:
    lines = [_change(cell, ref, after.value) for cell, ref, after in changes[:NAMED]]
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


def _change(cell: Cell, ref: FactRef, value: Decimal) -> str:
    """One figure with its new and its former value."""
    new, old = (shown(one, ref.unit, reported=True) for one in (value, ref.value))
    where = f"{cell.label}, {cell.place.called}"
    return f"{where} is {new}, not {old}" if cell.fact else f"{where} is computed from {new}, not {old}"
