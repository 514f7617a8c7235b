"""Runs the searches of the search box: the web process stores them, a worker runs them, and the page polls."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from celery import shared_task
from django.db import transaction
from django.utils.timezone import now

from accounts import quotas
from accounts.identity import Identity
from diligence.messages import send
from filings.models import SearchRequest

logger = logging.getLogger(__name__)

MOST_CHARACTERS = 300
# A queued search this old has lost its message; nobody waits for one older than `GIVEN_UP`.
LOST_AFTER = timedelta(seconds=15)
GIVEN_UP = timedelta(minutes=10)
MAX_ATTEMPTS = 3
KEPT = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters of a search; None or empty means no filter."""

    cik: int | None = None
    accession: str = ""
    source: str = ""
    fiscal_year: int | None = None
    fiscal_quarter: int | None = None
    item: str = ""


ANYWHERE, NOBODY = Filters(), Identity()

Searcher = Callable[[SearchRequest], dict[str, Any]]
_OF_QUESTIONS: list[Searcher] = []


def of_questions(searcher: Searcher) -> Searcher:
    """Register the function that searches questions for synonym trials; it is in agent, which reads and plans them."""
    _OF_QUESTIONS[:] = [searcher]
    return searcher


def start(
    text: str,
    filters: Filters = ANYWHERE,
    identity: Identity = NOBODY,
    trial: Mapping[str, Sequence[str]] | None = None,
) -> SearchRequest:
    """Store a search and send it to a worker once the row is committed. Loads no search backend.

    text: as typed; white space is folded and more than 300 characters are cut (a form says so before). trial: synonyms
    to search with in place of those stored; the text is then a question. Raises accounts.quotas.QuotaExceeded, and then
    has created nothing.
    """
    request = SearchRequest(
        text=" ".join(text.replace("\0", " ").split())[:MOST_CHARACTERS],
        cik=filters.cik,
        accession=filters.accession,
        source=filters.source,
        fiscal_year=filters.fiscal_year,
        fiscal_quarter=filters.fiscal_quarter,
        item=filters.item,
        user=identity.user,
        visitor=identity.visitor,
        trial=dict(trial) if trial is not None else None,
    )
    with transaction.atomic():
        if trial is None and identity != NOBODY:
            quotas.request(identity, request.pk)
        request.save(force_insert=True)
        transaction.on_commit(lambda: send(search, str(request.pk)))
    return request


@shared_task(name="filings.tasks.search", acks_late=True)
def search(request_id: str) -> None:
    """Run one search of the search box, on the queue of questions, so that it never waits for an ingestion."""
    run(UUID(request_id))


def run(pk: UUID) -> None:
    """Run a search if it can be claimed, and store its results. Safe to call twice, and to be killed at any line."""
    if not SearchRequest.objects.claim(pk):
        return
    from filings.search import browsing

    request = SearchRequest.objects.get(pk=pk)
    try:
        found = browsing.browse(request) if request.trial is None else _OF_QUESTIONS[0](request)
    except browsing.KNOWN as problem:
        finish(request, status=SearchRequest.Status.FAILED, problem=str(problem)[:300])
    except Exception:
        logger.exception("Search %s failed", pk)
        finish(request, status=SearchRequest.Status.FAILED, problem="The search failed; the log says why.")
    else:
        finish(request, status=SearchRequest.Status.DONE, **found)


def finish(request: SearchRequest, **fields: object) -> None:
    """Close a search if this attempt still holds it."""
    held = SearchRequest.objects.filter(pk=request.pk, attempt=request.attempt, status=SearchRequest.Status.RUNNING)
    held.update(finished=now(), **fields)


def sweep() -> int:
    """Queue lost searches again, and delete old ones; returns how many were queued."""
    SearchRequest.objects.filter(created__lt=now() - KEPT).delete()
    waiting = SearchRequest.objects.claimable().filter(created__lt=now() - LOST_AFTER)
    over = waiting.filter(attempt__gte=MAX_ATTEMPTS) | waiting.filter(created__lt=now() - GIVEN_UP)
    over.update(
        status=SearchRequest.Status.FAILED, finished=now(), problem="No worker has run this search. Try again."
    )
    due = list(waiting.values_list("pk", flat=True))
    for pk in due:
        send(search, str(pk))
    return len(due)
