"""The stored facts that answers use, each as a row, so that what a filing restates is found without reading answers."""

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.utils.timezone import now

from agent.models import CitedFact, ComparedCompany, Run, Standing
from agent.runs.stored_answer import read
from agent.state import Answer, Cell, FactRef, PeriodForm
from agent.state.query import Last, Periods, Span, Years
from filings.models import Company

# Runs of older releases that one transaction gives their rows.
AT_ONCE = 200
# Since every run ends with its rows, only those of older releases lack them: looking through all runs is not for each minute.
COMPLETE, LOOKED_FOR_AGAIN = "used_facts:complete", 6 * 60 * 60
# Rows that one statement writes.
ROWS = 1_000


def remember(answers: Sequence[tuple[Run, Answer]]) -> None:
    """Write the used facts and the standing of answers that have none yet; written twice, they are the same.

    An answer is as old as its question: a company of which something was loaded since is compared with it again.
    """
    with transaction.atomic():
        Standing.objects.bulk_create(
            [Standing(run=run, checked=run.created, latest=latest_of(answer)) for run, answer in answers],
            ignore_conflicts=True,
        )
        rows = [row for run, answer in answers for row in rows_of(run, answer)]
        CitedFact.objects.bulk_create(rows, batch_size=ROWS, ignore_conflicts=True)
        ciks = {company.cik for _, answer in answers for company in answer.plan.companies}
        first = min(run.created for run, _ in answers)
        changed = Company.objects.loaded(first).filter(cik__in=ciks).order_by("pk")
        # As `agent.standings.comparison.is_compared`: whoever comes second sees what the other wrote.
        ComparedCompany.objects.filter(company__in=list(changed.select_for_update(no_key=True))).delete()


def remember_missing(seconds: float) -> int:
    """Write them for answered runs without, the newest first, for so many seconds; how many runs got them."""
    if cache.get(COMPLETE):
        return 0
    until, done = monotonic() + seconds, 0
    missing = Run.objects.filter(standing=None, answer__isnull=False, finished__isnull=False).order_by("-created")
    while monotonic() < until:
        runs = list(missing.only("answer", "created", "question")[:AT_ONCE])
        if not runs:
            cache.set(COMPLETE, True, LOOKED_FOR_AGAIN)
            break
        known = [(run, read(run.answer)) for run in runs]
        remember([(run, answer) for run, answer in known if answer])
        # What can no longer be read is compared with nothing.
        unread = [Standing(run=run, checked=now()) for run, answer in known if answer is None]
        Standing.objects.bulk_create(unread, ignore_conflicts=True)
        done += len(runs)
    return done


def rows_of(run: Run, answer: Answer) -> Iterator[CitedFact]:
    """A row for each stored fact behind the asserted figures of an answer, each fact once."""
    known: set[tuple[Any, ...]] = set()
    for cell, ref in used_facts(answer):
        row = CitedFact(run=run, said=said(cell, ref)[:300], **columns(ref))
        key = (row.cik, row.accession, row.taxonomy, row.tag, row.unit, row.start, row.end, row.dimensions)
        if key not in known:
            known.add(key)
            yield row


def used_facts(answer: Answer) -> Iterator[tuple[Cell, FactRef]]:
    """The asserted cells with their facts and printed figures."""
    for block in answer.blocks:
        for cell in block.table.asserted if block.table else ():
            yield from ((cell, ref) for ref in cell.facts)


def said(cell: Cell, ref: FactRef) -> str:
    """The figure in words: Revenue, fiscal 2024; of a computed one, the operand of it too."""
    operand = next((one for one in cell.operands if one.fact == ref), None)
    of_cell = f"{cell.label}, {cell.place.called}"
    return f"{operand.label}, {operand.place.called}, in {of_cell}" if operand else of_cell


def columns(ref: FactRef) -> dict[str, Any]:
    """The columns of a cited fact."""
    same = ("cik", "accession", "form", "filed", "taxonomy", "tag", "unit", "start", "end", "dimensions")
    value = -ref.value if ref.negated else ref.value
    found = {name: getattr(ref, name) for name in same}
    return {**found, "value": value, "negated": ref.negated, "decimals": ref.decimals}


def latest_of(answer: Answer) -> str:
    """Whether the latest year, or the latest part of a year, is asked for; empty where every period is named."""
    query = answer.plan.query
    if query is None or query.document is not None or query.as_of is not None:
        return ""
    asked = [query.periods, *(one.periods for one in query.own)] if query.rows or query.topics else []
    if not any(map(is_open, asked)):
        return ""
    return Standing.Latest.PART if query.interim or query.sources else Standing.Latest.YEAR


def is_open(periods: Periods) -> bool:
    """Whether periods end with the newest report."""
    match periods:
        case Last(until=until):
            return until is None
        case Span(last=last):
            return last is None or last.form is PeriodForm.LATEST
        case Years(periods=named):
            return any(one.form in {PeriodForm.LATEST, PeriodForm.PREVIOUS} for one in named)
