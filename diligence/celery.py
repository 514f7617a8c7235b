"""The Celery application. Tasks carry ids only; the database row is the truth."""

import os
import signal
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")

app = Celery("diligence")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def leave_term_to_the_parent(**kwargs: Any) -> None:
    """A supervisor that stops a process group also signals the pool's children.

    The parent ends them itself once their task is done; a child killed first is taken for a crash and replaced.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
