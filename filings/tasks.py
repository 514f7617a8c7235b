"""Tasks of ingestion and search: ids in, nothing out. The row is the truth, not the broker."""

from celery import shared_task
from celery.signals import worker_ready

from diligence import messages
from filings.ingest import queue
from filings.ingest.queue import ingest_company
from filings.search import requests
from filings.search.requests import search

__all__ = ["check_index", "index_waiting", "ingest_company", "search", "sweep", "sweep_searches", "watch"]


@shared_task
def sweep() -> None:
    """Queue again what a lost message or a killed worker left behind; each minute by the beat schedule."""
    queue.sweep(max(0, messages.messages(ingest_company) - messages.OF_BEAT))


@shared_task
def index_waiting() -> None:
    """Index the filings that wait for it, as after a search server was down; each minute by the beat schedule."""
    from filings.search import indexing

    indexing.index_waiting()


@shared_task
def check_index() -> None:
    """Look whether the search index answers, for web processes to tell; each minute by the beat schedule."""
    from filings.search import health

    health.check_index()


@shared_task
def watch() -> None:
    """Look for new filings of the companies whose minute of the day has come; every ten minutes by the beat schedule."""
    from filings.ingest import new_filings as watching

    watching.look_at_due()


@shared_task
def sweep_searches() -> None:
    """Queue lost searches again and delete old ones; each minute by the beat schedule."""
    requests.sweep()


@worker_ready.connect
def sweep_at_start(**kwargs: object) -> None:
    """A worker that starts may follow one that was killed."""
    sweep.delay()
    check_index.delay()
    # The settings may name another index than before.
    index_waiting.apply_async(expires=50)
