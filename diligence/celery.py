"""The Celery application. Tasks carry ids only; the database row is the truth."""

import logging
import os
from typing import Any

from celery import Celery
from celery.signals import heartbeat_sent, setup_logging, task_postrun, worker_ready, worker_shutdown
from kombu.transport import TRANSPORT_ALIASES

from diligence import alive

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")

logger = logging.getLogger(__name__)

for scheme in ("redis", "rediss"):
    TRANSPORT_ALIASES[scheme] = "diligence.redis_broker:Transport"
app = Celery("diligence")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

heartbeat_sent.connect(alive.touch)
# A worker that works on one task at a time sends no heartbeat meanwhile.
task_postrun.connect(alive.touch)

# Of messages in one queue, as Redis and the folder of messages order them: the lower number is taken first.
AT_ONCE, BATCH = 0, 9


@setup_logging.connect
def keep_our_logging(**kwargs: Any) -> None:
    """Lines of a worker look like all others: a receiver of this signal keeps Celery from setting up its own."""


@worker_ready.connect
def say_ready(sender: Any, **kwargs: Any) -> None:
    """A line for whoever waits for the worker; Celery's own are not shown."""
    queues = ", ".join(sorted(app.amqp.queues.consume_from))
    logger.info("The worker is ready: %s, %s at once", queues, sender.controller.concurrency)


@worker_shutdown.connect
def send_the_last(**kwargs: Any) -> None:
    """What is counted and traced is not lost by a worker that ends."""
    from diligence import counters, tracing

    counters.flush()
    tracing.flush()
