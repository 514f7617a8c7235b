"""The queue of ingestions: enqueue, work, sweep.

A message only says that there is work. The rows decide which company is next.
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

# A younger message may still be on its way.
LOST_AFTER = timedelta(minutes=2)
# An ingestion that has killed this many workers is not tried again.
MAX_ATTEMPTS = 5


@shared_task(name="filings.tasks.ingest_company", acks_late=True)
def ingest_company(company_pk: int) -> None:
    """Ingest the first waiting company, whichever company the message names.

    Safe to call twice, and to be killed at any line.
    """
    work_on_first()


def enqueue(
    company: Company, years: tuple[int | None, int | None] = (FIRST_YEAR, None), forms: str | None = None
) -> bool:
    """Queue a company's ingestion, and those of predecessors never read; False when its own waits or is under way.

    years: (first, last) fiscal year; None leaves that end open. forms: kinds of documents, for `Company.forms`; None
    keeps those chosen before.
    """
    for predecessor in company.predecessors.filter(status=Company.Status.KNOWN):
        enqueue(predecessor, years, forms)
    if not Company.objects.enqueue(company.pk, years, forms):
        return False
    transaction.on_commit(lambda: send(ingest_company, company.pk, priority=Priority.NORMAL))
    return True


def work_on_first() -> "Outcome | None":
    """Ingest the first of all waiting companies; None when none waits."""
    give_up()
    # A company claimed by a faster worker no longer waits.
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
    forms: str | None = None,
) -> "Outcome | None":
    """Ingest a company in this process, for the years and forms of `enqueue`; None when another worker has it."""
    with transaction.atomic():  # no worker sees it wait
        Company.objects.enqueue(company_pk, years, forms)
        attempt = Company.objects.claim(company_pk)
    return _ingest(company_pk, attempt, edgar, say) if attempt else None


def _ingest(
    company_pk: int, attempt: int, edgar: "Edgar | None" = None, say: Callable[[str], None] = lambda line: None
) -> "Outcome":
    # The web process only queues: HTTP client and parsers are not imported there.
    from filings.ingest.ingestion import ingest

    try:
        return ingest(company_pk, attempt, edgar, say)
    finally:
        counters.flush()


def give_up() -> None:
    """Fail the ingestions that have killed too many workers."""
    stale = Company.objects.claimable().filter(status=Company.Status.RUNNING)
    stale.filter(attempt__gte=F("attempts_before") + MAX_ATTEMPTS).update(
        status=Company.Status.FAILED, step="", problem=f"The worker crashed {MAX_ATTEMPTS} times while ingesting it."
    )


def sweep(messages: int = 0) -> int:
    """Send missing messages for companies whose worker died or whose message was lost; returns how many.

    messages: how many wait at the broker. Any message brings a worker to any company, so one for each is enough.
    """
    give_up()
    waiting = Company.objects.claimable()
    # A queue time in the future is from before a clock was set back.
    on_its_way = Q(heartbeat__gt=now() - LOST_AFTER, heartbeat__lt=now() + LOST_AFTER)
    due = waiting.exclude(on_its_way, status=Company.Status.QUEUED).order_by("heartbeat")
    lost = list(due.values_list("pk", flat=True)[: max(0, waiting.count() - messages)])
    for pk in lost:
        send(ingest_company, pk, priority=Priority.NORMAL)
    return len(lost)
