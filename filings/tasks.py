"""Tasks of ingestion: ids in, nothing out. The company's row is the truth, not the broker."""

from celery import shared_task
from celery.signals import worker_ready


@shared_task(acks_late=True)
def ingest_company(company_pk: int) -> None:
    """Ingest one company. Safe to call twice, and to be killed at any line."""
    from filings import queue

    queue.work(company_pk)


@shared_task
def sweep() -> None:
    """Queue again what a lost message or a killed worker left behind; each minute by the beat schedule."""
    from filings import queue

    queue.sweep()


@worker_ready.connect
def sweep_at_start(**kwargs: object) -> None:
    """A worker that starts may follow one that was killed."""
    sweep.delay()
