"""Handing companies to the worker: enqueue, work, sweep."""

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils.timezone import now

from filings.models import Company

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
    transaction.on_commit(lambda: ingest_company.delay(company.pk))
    return True


def work(
    company_pk: int, edgar: "Edgar | None" = None, say: Callable[[str], None] = lambda line: None
) -> "Outcome | None":
    """Ingest a company if it can be claimed; None when another worker has it or nothing is due."""
    # The web process queues and never works: the HTTP client and the parsers stay out of it.
    from filings.ingest import ingest

    if attempt := Company.objects.claim(company_pk):
        return ingest(company_pk, attempt, edgar, say)
    return None


def sweep() -> int:
    """Send a message again for each company whose worker has died or whose message was lost; how many."""
    from filings.tasks import ingest_company

    stale = Company.objects.claimable().filter(status=Company.Status.RUNNING)
    stale.filter(attempt__gte=F("attempts_before") + MAX_ATTEMPTS).update(
        status=Company.Status.FAILED, step="", problem=f"The worker died {MAX_ATTEMPTS} times over it."
    )
    lost = Company.objects.filter(status=Company.Status.QUEUED, heartbeat__lt=now() - LOST_AFTER)
    due = list((lost | stale.all()).values_list("pk", flat=True))
    Company.objects.filter(pk__in=due, status=Company.Status.QUEUED).update(heartbeat=now())
    for pk in due:
        ingest_company.delay(pk)
    return len(due)
