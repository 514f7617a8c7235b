"""Handing companies to the worker: enqueue, work, sweep."""

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils.timezone import now

from filings import tally
from filings.models import Company
from filings.sending import send

if TYPE_CHECKING:
    from filings.edgar import Edgar
    from filings.ingest import Outcome

# A message was lost when the row still waits after this; a busy worker that gets two messages claims once.
LOST_AFTER = timedelta(minutes=2)
# An ingestion that has cost this many workers is not tried again: it is the ingestion that kills them.
MAX_ATTEMPTS = 5
FIRST_YEAR = 2015


def enqueue(company: Company, years: tuple[int | None, int | None] = (FIRST_YEAR, None)) -> bool:
    """Queue a company's ingestion for the worker; False when one is waiting or under way already.

    years: (first, last) fiscal year; None leaves that end open.
    """
    from filings.tasks import ingest_company

    if not Company.objects.enqueue(company.pk, years):
        return False
    transaction.on_commit(lambda: send(ingest_company, company.pk, priority=company.priority))
    return True


def send_again(company_pks: list[int]) -> int:
    """Send another message for those of the companies that wait, as after their priority was changed; how many.

    Whichever message comes first is worked on; the other then finds nothing to claim.
    """
    from filings.tasks import ingest_company

    waiting = Company.objects.filter(pk__in=company_pks, status=Company.Status.QUEUED)
    found = list(waiting.values_list("pk", "priority"))
    for pk, priority in found:
        send(ingest_company, pk, priority=priority)
    return len(found)


def work(
    company_pk: int, edgar: "Edgar | None" = None, say: Callable[[str], None] = lambda line: None
) -> "Outcome | None":
    """Ingest a company if it can be claimed; None when another worker has it or nothing is due."""
    # The web process queues and never works: the HTTP client and the parsers stay out of it.
    from filings.ingest import ingest

    if attempt := Company.objects.claim(company_pk):
        try:
            return ingest(company_pk, attempt, edgar, say)
        finally:
            tally.flush()
    return None


def sweep() -> int:
    """Send a message again for each company whose worker has died or whose message was lost; how many."""
    from filings.tasks import ingest_company

    stale = Company.objects.claimable().filter(status=Company.Status.RUNNING)
    stale.filter(attempt__gte=F("attempts_before") + MAX_ATTEMPTS).update(
        status=Company.Status.FAILED, step="", problem=f"The worker died {MAX_ATTEMPTS} times over it."
    )
    lost = Company.objects.filter(status=Company.Status.QUEUED, heartbeat__lt=now() - LOST_AFTER)
    due = list((lost | stale.all()).values_list("pk", "priority"))
    Company.objects.filter(pk__in=[pk for pk, _ in due], status=Company.Status.QUEUED).update(heartbeat=now())
    for pk, priority in due:
        send(ingest_company, pk, priority=priority)
    return len(due)
