"""The cache in Redis or a folder, and in the memory of each process while that is unavailable.

Sign-in attempts are then still counted, though by each process for itself.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partialmethod
from typing import Any, ClassVar

from django.conf import settings
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.filebased import FileBasedCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

# After a failure, memory is used for this long instead of waiting for the cache each time.
REST_SECONDS = 5.0


@dataclass
class Standing:
    """Whether the cache is available, for all threads of this process."""

    lost: bool = False
    rests_until: float = 0.0


_standings: dict[str, Standing] = {}


class InMemoryMeanwhile(BaseCache):
    """Wraps a Django cache: while it is unavailable, memory takes its place."""

    failures: ClassVar[type[Exception]]
    place: ClassVar[str]

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)  # type: ignore[call-arg]
        options = {"MAX_ENTRIES": settings.CACHE_MOST_ENTRIES}
        self.memory = LocMemCache(f"instead of {server}", {**params, "OPTIONS": options})
        self.standing = _standings.setdefault(str(server), Standing())

    def _asked(self, name: str, *args: Any, **kwargs: Any) -> Any:
        in_memory: Callable[..., Any] = getattr(self.memory, name)
        if time.monotonic() < self.standing.rests_until:
            return in_memory(*args, **kwargs)
        try:
            found = getattr(super(), name)(*args, **kwargs)
        except self.failures as error:
            if not self.standing.lost:
                logger.exception("The cache is in memory until %s answers: %s", self.place, type(error).__name__)
            self.standing.lost, self.standing.rests_until = True, time.monotonic() + REST_SECONDS
            return in_memory(*args, **kwargs)
        if self.standing.lost:
            # Or keys deleted from now on would reappear after the next failure.
            self.memory.clear()
            self.standing.lost = False
            logger.info("The cache is in %s again", self.place)
        return found

    add = partialmethod(_asked, "add")
    get = partialmethod(_asked, "get")
    set = partialmethod(_asked, "set")
    touch = partialmethod(_asked, "touch")
    delete = partialmethod(_asked, "delete")
    get_many = partialmethod(_asked, "get_many")
    has_key = partialmethod(_asked, "has_key")
    incr = partialmethod(_asked, "incr")
    set_many = partialmethod(_asked, "set_many")
    delete_many = partialmethod(_asked, "delete_many")
    clear = partialmethod(_asked, "clear")


class Cache(InMemoryMeanwhile, RedisCache):
    """Django's Redis cache, which raises no RedisError. OPTIONS: of redis-py's connections."""

    failures, place = RedisError, "Redis"


class FolderCache(InMemoryMeanwhile, FileBasedCache):
    """Django's file cache, which raises no OSError, as on a full disk."""

    failures, place = OSError, "its folder"
