"""Waits for an answer within a request, with a cap that keeps web threads free."""

import time
from collections.abc import Callable, Sequence
from threading import BoundedSemaphore
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest

from agent.models import Run

# Seconds between two looks at the row, the last one repeating. Most answers take less than a later one.
LOOK = (0.02, 0.05, 0.1, 0.2)
# For a person who looks at an empty page meanwhile.
LOOK_OFTEN = (0.02, 0.03)
OPEN = (Run.Status.QUEUED, Run.Status.RUNNING)

# In this process: a waiting thread serves nobody else.
places = BoundedSemaphore(settings.API_WAITS)


def is_open(run: UUID) -> bool:
    """Whether a run is not closed yet."""
    return Run.objects.filter(pk=run, status__in=OPEN).exists()


def seconds_wanted(request: HttpRequest) -> float:
    """How long a caller wants to wait (RFC 7240): `Prefer: wait=2`, or not at all with `Prefer: respond-async`."""
    most: float = settings.API_WAIT_SECONDS
    for preference in request.headers.get("Prefer", "").lower().replace(";", ",").split(","):
        name, _, value = preference.strip().partition("=")
        if name == "respond-async":
            return 0.0
        if name == "wait" and value.strip().isdecimal():
            return min(float(value), most)
    return most


def waited(
    row: UUID, seconds: float, looks: Sequence[float] = LOOK, is_open: Callable[[UUID], bool] = is_open
) -> bool:
    """Whether a row, which is a run's, was closed within so many seconds. False at once where all waiting places are
    taken.
    """
    if seconds <= 0 or not places.acquire(blocking=False):
        return False
    try:
        return closed_within(row, seconds, looks, is_open)
    finally:
        places.release()


def closed_within(
    row: UUID, seconds: float, looks: Sequence[float] = LOOK, is_open: Callable[[UUID], bool] = is_open
) -> bool:
    """The same without a cap."""
    until, looked = time.monotonic() + seconds, 0
    while is_open(row):
        left = until - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(left, looks[min(looked, len(looks) - 1)]))
        looked += 1
    return True
