"""A file whose age shows a container's health check that its worker or scheduler is running.

Settings.ALIVE_PATH names it; empty for none.
"""

from pathlib import Path
from typing import Any

from celery.beat import Scheduler
from django.conf import settings


def touch(**kwargs: Any) -> None:
    """Create or touch the file."""
    if settings.ALIVE_PATH:
        Path(settings.ALIVE_PATH).touch()


class Schedule(Scheduler):
    """Celery's scheduler, which touches the file at least once a minute.

    It keeps no record of what it sent: a sweep a minute early or late does no harm.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; returns the seconds until the next."""
        touch()
        return float(super().tick(*args, **kwargs))
