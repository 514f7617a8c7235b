"""Celery tasks of ingestion and search. They take ids and return nothing; state is in the database, not the broker."""

from celery import shared_task
from celery.signals import worker_ready

from diligence import messages
from filings.importing import import_queue
from filings.importing.import_queue import import_file
from filings.ingest import queue
from filings.ingest.queue import ingest_company
from filings.search import requests
from filings.search.requests import search

__all__ = [
    "check_index",
    "import_file",
    "index_waiting",
    "ingest_company",
    "search",
    "sweep",
    "sweep_imports",
    "sweep_searches",
    "watch",
]


@shared_task
def sweep() -> None:
    """Re-queue ingestions that lost their message or their worker; runs each minute."""
    queue.sweep(max(0, messages.messages(ingest_company) - messages.OF_BEAT))


@shared_task
def index_waiting() -> None:
    """Index filings that are waiting, for example after a search server was down; runs each minute."""
    from filings.search import indexing

    indexing.index_waiting()


@shared_task
def check_index() -> None:
    """Check whether the search index answers, so that web pages can show it; runs each minute."""
    from filings.search import health

    health.check_index()


@shared_task
def watch() -> None:
    """Look for new filings of companies whose daily check is due; runs every ten minutes."""
    from filings.ingest import new_filings as watching

    watching.look_at_due()


@shared_task
def sweep_searches() -> None:
    """Re-queue lost searches and delete old ones; runs each minute."""
    requests.sweep()


@shared_task
def sweep_imports() -> None:
    """Re-queue files that lost their message or their worker, and forget old ones; runs each minute."""
    import_queue.sweep()


@worker_ready.connect
def sweep_at_start(**kwargs: object) -> None:
    """Sweep when a worker starts: the one before it may have been killed."""
    sweep.delay()
    sweep_imports.delay()
    check_index.delay()
    # The settings may have changed to another index since the last start.
    index_waiting.apply_async(expires=50)
