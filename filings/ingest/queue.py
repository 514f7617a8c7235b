"""Handing companies to the worker: enqueue, work, sweep.

A message only says that there is something to do. Which company is ingested next is decided by the rows.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from celery import shared_task
from django.db import transaction
from django.db.models import F, Q
from django.utils.timezone import now

from diligence import counters
from diligence.messages import send
from filings.models import FIRST_YEAR, Company, Priority

if TYPE_CHECKING:
    from filings.edgar.client import Edgar
    from filings.ingest.ingestion import Outcome

# A message younger than this may be on its way.
LOST_AFTER = timedelta(minutes=2)
# An ingestion that has cost this many workers is not tried again: it is the ingestion that kills them.
MAX_ATTEMPTS = 5


@shared_task(name="filings.tasks.ingest_company", acks_late=True)
def ingest_company(company_pk: int) -> None:
    """Ingest the first company that waits, whichever company the message was sent for: rows decide the order.

    Safe to call twice, and to be killed at any line.
    """
    work_on_first()


def enqueue(company: Company, years: tuple[int | None, int | None] = (FIRST_YEAR, None)) -> bool:
    """Queue a company's ingestion for the worker; False when one is waiting or under way already.

    years: (first, last) fiscal year; None leaves that end open.
    """
    if not Company.objects.enqueue(company.pk, years):
        return False
    transaction.on_commit(lambda: send(ingest_company, company.pk, priority=Priority.NORMAL))
    return True


def work_on_first() -> "Outcome | None":
    """Ingest the company that is first of all that wait, as their rows say now; None when none does."""
    give_up()
    # One that another worker was quicker to claim does not wait any more.
    while company := Company.objects.claimable().order_by("priority", "heartbeat", "pk").first():
        if attempt := Company.objects.claim(company.pk):
            return _ingest(company.pk, attempt)
    return None


def work(
    company_pk: int, edgar: "Edgar | None" = None, say: Callable[[str], None] = lambda line: None
) -> "Outcome | None":
    """Ingest a company if it can be claimed; None when another worker has it or nothing is due."""
    attempt = Company.objects.claim(company_pk)
    return _ingest(company_pk, attempt, edgar, say) if attempt else None


def work_at_once(
    company_pk: int,
    years: tuple[int | None, int | None] = (None, None),
    edgar: "Edgar | None" = None,
    say: Callable[[str], None] = lambda line: None,
) -> "Outcome | None":
    """Ingest a company in this process, for the years of `enqueue`; None when another worker has it."""
    with transaction.atomic():  # no worker sees it wait
        Company.objects.enqueue(company_pk, years)
        attempt = Company.objects.claim(company_pk)
    return _ingest(company_pk, attempt, edgar, say) if attempt else None


def _ingest(
    company_pk: int, attempt: int, edgar: "Edgar | None" = None, say: Callable[[str], None] = lambda line: None
) -> "Outcome":
    # The web process queues and never works: the HTTP client and the parsers stay out of it.
    from filings.ingest.ingestion import ingest

    try:
        return ingest(company_pk, attempt, edgar, say)
    finally:
        counters.flush()


def give_up() -> None:
    """Fail the ingestions that have cost too many workers."""
    stale = Company.objects.claimable().filter(status=Company.Status.RUNNING)
    stale.filter(attempt__gte=F("attempts_before") + MAX_ATTEMPTS).update(
        status=Company.Status.FAILED, step="", problem=f"The worker crashed {MAX_ATTEMPTS} times while ingesting it."
    )


def sweep(messages: int = 0) -> int:
    """Send what messages are missing for companies whose worker has died or whose message was lost; how many.

    messages: how many wait at the broker. Any of them brings a worker to any company, so one for each is enough.
    """
    give_up()
    waiting = Company.objects.claimable()
    # One that is still to be queued is from before a clock was set back.
    on_its_way = Q(heartbeat__gt=now() - LOST_AFTER, heartbeat__lt=now() + LOST_AFTER)
    due = waiting.exclude(on_its_way, status=Company.Status.QUEUED).order_by("heartbeat")
    lost = list(due.values_list("pk", flat=True)[: max(0, waiting.count() - messages)])
    for pk in lost:
        send(ingest_company, pk, priority=Priority.NORMAL)
    return len(lost)
