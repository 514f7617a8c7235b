"""A file whose age tells the health check of a container that its worker, or its schedule, still turns.

Settings.ALIVE_PATH names it; empty for none.
"""

from pathlib import Path
from typing import Any

from celery.beat import Scheduler
from django.conf import settings


def touch(**kwargs: Any) -> None:
    """Make the file, or make it new."""
    if settings.ALIVE_PATH:
        Path(settings.ALIVE_PATH).touch()


class Schedule(Scheduler):
    """Celery's own, which touches the file whenever it looks what is due: once a minute at least.

    It keeps no file of when it sent what: a sweep that comes a minute early or late is no harm.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; the seconds until the next is."""
        touch()
        return float(super().tick(*args, **kwargs))
