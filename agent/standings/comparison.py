"""Compares saved answers with the filings that came since: still valid, superseded or broken, and what changed."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from threading import Event
from time import monotonic
from uuid import UUID

from django.db import models, transaction
from django.db.models import F
from django.utils.timezone import now

from agent.certificates.verify import reverify
from agent.models import CitedFact, ComparedCompany, Run, RunCompany, Standing
from agent.runs.stored_answer import read
from agent.standings.changed_figures import Known, known, overtaken, restated
from agent.state import Answer
from agent.state.standing import Change
from filings.models import Company

# Answers that are compared at once.
AT_ONCE = 100


def compare_outdated(seconds: float, stopping: Event) -> int:
    """Compare the answers about companies of which something was loaded since, for so many seconds; how many were compared.

    Killed at any line and run again, it goes on behind the last batch that was written.
    """
    until, done = monotonic() + seconds, 0
    for company in outdated():
        while batch := list(older(company)[:AT_ONCE]):
            compare(batch)
            done += len(batch)
            if monotonic() > until or stopping.is_set():
                return done
        is_compared(company)
    return done


def outdated() -> list[Company]:
    """The companies with which answers are to be compared, except those being ingested."""
    busy = [Company.Status.QUEUED, Company.Status.RUNNING]
    found = Company.objects.loaded().exclude(compared_answers__ingested=F("loaded")).exclude(status__in=busy)
    return list(found.only("cik").order_by("pk"))


def older(company: Company) -> models.QuerySet[Standing]:
    """The standings of answers about a company, of `Company.objects.loaded()`, that were compared before its last load."""
    about = Run.objects.filter(cik=company.cik).order_by().values_list("pk")
    beside = RunCompany.objects.filter(cik=company.cik).values_list("run")
    return Standing.objects.filter(run__in=about.union(beside), checked__lte=company.loaded)


def is_compared(company: Company) -> None:
    """Record that all answers about a company are compared with what was loaded last, unless more came meanwhile."""
    with transaction.atomic():
        # As `used_facts.remember`: whoever comes second sees what the other wrote.
        Company.objects.select_for_update(no_key=True).get(pk=company.pk)
        if not older(company).exists():
            ComparedCompany.objects.update_or_create(company=company, defaults={"ingested": company.loaded})


def compare(standings: Sequence[Standing]) -> None:
    """Write what became of these answers."""
    at = now()
    runs = Run.objects.only("created", "answer", "cik").in_bulk([one.pk for one in standings])
    answers = {pk: read(run.answer) for pk, run in runs.items()}
    cited: dict[UUID, list[CitedFact]] = defaultdict(list)
    for fact in CitedFact.objects.filter(run__in=runs).order_by("pk"):
        cited[fact.run_id].append(fact)
    ciks = {company.cik for answer in answers.values() if answer for company in answer.plan.companies}
    by = known([fact for facts in cited.values() for fact in facts], ciks)
    same = []
    for one in standings:
        run, answer = runs.get(one.pk), answers.get(one.pk)
        if run is None:
            continue  # deleted meanwhile
        found = tuple(changes(run, one, answer, cited[one.pk], by)) if answer else ()
        if not write(one, found, at):
            same.append(one.pk)
    Standing.objects.filter(pk__in=same).update(checked=at)


def changes(run: Run, standing: Standing, answer: Answer, cited: Sequence[CitedFact], by: Known) -> Iterator[Change]:
    """What an answer says that the filings stored now say otherwise, the worst first."""
    for check in reverify(answer):
        if wrong := [one for one in check.problems if not (one.unheld or one.moved)]:
            yield Change(reason="broken", said=wrong[0].said, cik=run.cik or 0)
    yield from restated(run, cited, by)
    yield from overtaken(run, standing.latest, answer, cited, by)


def write(standing: Standing, found: Sequence[Change], at: datetime) -> bool:
    """Store what became of an answer where that is not known yet; the same found again changes nothing."""
    told = [one.model_dump(mode="json") for one in found]
    if told == standing.changes:
        return False
    state = state_of(found)
    since = now() if state in Standing.CHANGED else None  # what a digest asks for is not dated before it is written
    Standing.objects.filter(pk=standing.pk).update(state=state, changes=told, since=since, checked=at)
    return True


def state_of(found: Sequence[Change]) -> Standing.State:
    """Broken where anything no longer verifies, superseded where anything has changed, else valid."""
    if any(one.reason == "broken" for one in found):
        return Standing.State.BROKEN
    return Standing.State.SUPERSEDED if found else Standing.State.VALID
