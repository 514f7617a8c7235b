"""Counts the requests and tokens of the last minute: in Redis if there is one, else in the database."""

from functools import lru_cache
from typing import TYPE_CHECKING

from django.conf import settings

from accounts.rate_window import WINDOW, Lost

if TYPE_CHECKING:
    from accounts.redis_rate_windows import Windows

__all__ = ["WINDOW", "Lost", "windows"]


def windows() -> "Windows | None":
    """The windows in Redis; None without one."""
    return _windows(settings.REDIS_URL) if settings.REDIS_URL else None


@lru_cache(maxsize=4)
def _windows(url: str) -> "Windows":
    from accounts.redis_rate_windows import Windows

    return Windows(url)
