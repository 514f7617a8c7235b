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
# Where the broker is comes from the environment, as CELERY_BROKER_...; how work is done is the same everywhere.
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_serializer="json",
    accept_content=["json"],
    # What one worker holds back another could do; and of what waits at the broker the most urgent is taken first.
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_soft_shutdown_timeout=5,
    broker_connection_retry_on_startup=True,
    timezone="UTC",
    beat_scheduler="diligence.liveness_file:Schedule",
    # No broker is trusted with a task: what a lost message or a killed worker leaves behind is queued again.
    # A sweep that waited a minute for its worker has been followed by the next one.
    beat_schedule={
        task: {"task": task, "schedule": schedule, "options": {"expires": expires} if expires else {}}
        for task, schedule, expires in (
            ("agent.tasks.sweep", 60.0, 50.0),
            ("filings.tasks.sweep", 60.0, 50.0),
            ("filings.tasks.sweep_searches", 60.0, 50.0),
            ("filings.tasks.index_waiting", 60.0, 50.0),
            ("filings.tasks.check_index", 60.0, 50.0),
            # Each company is looked at once a day, at a minute of its own: filings.ingest.new_filings.
            ("filings.tasks.watch", 600.0, 550.0),
            # Beat forgets when it ran last: at a minute of the day, or it would wait a day after each restart.
            ("accounts.tasks.clear_sessions", crontab(hour=3, minute=30), None),
        )
    },
    # Ingestion takes minutes and a question milliseconds: a question never waits behind an ingestion.
    task_routes={
        # Before the pattern: a search does not wait behind an ingestion either.
        "filings.tasks.search": {"queue": "ask"},
        "filings.tasks.sweep_searches": {"queue": "ask"},
        # Whoever answers is who must reach the index.
        "filings.tasks.check_index": {"queue": "ask"},
        "filings.tasks.*": {"queue": "ingest"},
        "agent.tasks.*": {"queue": "ask"},
    },
    task_default_queue="ask",
)
app.autodiscover_tasks()

heartbeat_sent.connect(touch)
# A worker that works on one task at a time sends no heartbeat meanwhile.
task_postrun.connect(touch)

# Of messages in one queue, as Redis and the folder of messages order them: the lower number is taken first.
AT_ONCE, BATCH = 0, 9


@setup_logging.connect
def keep_our_logging(**kwargs: Any) -> None:
    """Lines of a worker look like all others: a receiver of this signal keeps Celery from setting up its own."""


@worker_init.connect
def settle_down(**kwargs: Any) -> None:
    """Before processes that answer are made of this one."""
    settle()


@worker_ready.connect
def say_ready(sender: Any, **kwargs: Any) -> None:
    """A line for whoever waits for the worker; Celery's own are not shown."""
    queues = ", ".join(sorted(app.amqp.queues.consume_from))
    logger.info("The worker is ready: %s, %s at once", queues, sender.controller.concurrency)


@worker_shutdown.connect
def send_the_last(**kwargs: Any) -> None:
    """What is counted and traced is not lost by a worker that ends."""
    from diligence.counters import flush as flush_counters
    from diligence.tracing import flush as flush_traces

    flush_counters()
    flush_traces()
