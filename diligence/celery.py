"""The Celery application. Tasks carry ids only; the database row is the truth."""

import logging
import os
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import heartbeat_sent, setup_logging, task_postrun, worker_init, worker_ready, worker_shutdown
from kombu.transport import TRANSPORT_ALIASES

from diligence.gc_tuning import settle
from diligence.liveness_file import touch

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")

logger = logging.getLogger(__name__)

for scheme in ("redis", "rediss"):
    TRANSPORT_ALIASES[scheme] = "diligence.redis_broker:Transport"
app = Celery("diligence")
# The broker's address comes from the environment as CELERY_BROKER_...; everything else is the same everywhere.
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_serializer="json",
    accept_content=["json"],
    # A worker that prefetches holds back work from others; the most urgent message at the broker is taken first.
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_soft_shutdown_timeout=5,
    broker_connection_retry_on_startup=True,
    timezone="UTC",
    beat_scheduler="diligence.liveness_file:Schedule",
    # No broker is trusted with a task: whatever a lost message or a killed worker leaves is queued again.
    beat_schedule={
        task: {"task": task, "schedule": schedule, "options": {"expires": expires} if expires else {}}
        for task, schedule, expires in (
            ("agent.tasks.sweep", 60.0, 50.0),
            ("agent.tasks.keep_figures", 60.0, 50.0),
            ("agent.tasks.compare_answers", 60.0, 50.0),
            ("filings.tasks.sweep", 60.0, 50.0),
            ("filings.tasks.sweep_searches", 60.0, 50.0),
            ("filings.tasks.sweep_imports", 60.0, 50.0),
            ("filings.tasks.index_waiting", 60.0, 50.0),
            ("filings.tasks.check_index", 60.0, 50.0),
            # Each company is checked once a day at a minute of its own: filings.ingest.new_filings.
            ("filings.tasks.watch", 600.0, 550.0),
            # Each watchlist has at most one mail a day: agent.runs.watchlist_mail.
            ("agent.tasks.mail_watchlists", 600.0, 550.0),
            # Each account has at most one digest a week: agent.runs.digest_mail.
            ("agent.tasks.mail_digests", 600.0, 550.0),
            # Beat forgets when it last ran: with a fixed minute it would wait a day after each restart.
            ("accounts.tasks.clear_sessions", crontab(hour=3, minute=30), None),
        )
    },
    # Ingestion takes minutes and a question milliseconds: questions have their own queue.
    task_routes={
        # Before the pattern: a search does not wait for an ingestion either.
        "filings.tasks.search": {"queue": "ask"},
        "filings.tasks.sweep_searches": {"queue": "ask"},
        # Workers that answer must reach the index.
        "filings.tasks.check_index": {"queue": "ask"},
        # Selecting all figures of a company takes seconds, for which no question waits.
        "agent.tasks.keep_figures": {"queue": "ingest"},
        "agent.tasks.compare_answers": {"queue": "ingest"},
        "filings.tasks.*": {"queue": "ingest"},
        "agent.tasks.*": {"queue": "ask"},
    },
    task_default_queue="ask",
)
app.autodiscover_tasks()

heartbeat_sent.connect(touch)
# A worker that works on one task at a time sends no heartbeat meanwhile.
task_postrun.connect(touch)

# Redis and the folder of messages take the lower number first.
AT_ONCE, BATCH = 0, 9


@setup_logging.connect
def keep_our_logging(**kwargs: Any) -> None:
    """Keep Celery from setting up its own logging."""


@worker_init.connect
def settle_down(**kwargs: Any) -> None:
    """Tune the garbage collector before worker processes start."""
    settle()


@worker_ready.connect
def say_ready(sender: Any, **kwargs: Any) -> None:
    """Log that the worker is ready; Celery's own lines are not shown."""
    queues = ", ".join(sorted(app.amqp.queues.consume_from))
    logger.info("The worker is ready: %s, %s at once", queues, sender.controller.concurrency)


@worker_shutdown.connect
def send_the_last(**kwargs: Any) -> None:
    """Send counters and traces before a worker ends."""
    from diligence.counters import flush as flush_counters
    from diligence.tracing import flush as flush_traces

    flush_counters()
    flush_traces()
