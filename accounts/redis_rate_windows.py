"""Counts the requests and tokens of the last minute in Redis, with the moving windows of the package `limits`.

The ledger has the same counts: without Redis the ledger is asked, and an emptied Redis forgives no more than a minute.
Times are Redis's own, so that the clocks of processes do not matter.
"""

import logging
import math
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from limits.storage import RedisStorage
from redis.exceptions import RedisError

from accounts.rate_window import WINDOW, Lost

logger = logging.getLogger(__name__)
Found = TypeVar("Found")

# A window is a list with an entry for each request, or for so many tokens that it has at most this many entries.
MOST_ENTRIES = 50_000
TIMEOUT = 0.5
# After a failure the ledger is used for this long, instead of waiting for Redis each time.
REST_SECONDS = 5.0


class OneClock(RedisStorage):
    """The moving windows of `limits`, with the clock of Redis instead of this process's."""

    STORAGE_SCHEME = None  # type: ignore[assignment] # which keeps it out of the register of schemes

    def now(self) -> float:
        # limits declares no more of a client than it calls itself.
        connection: Any = self.get_connection()
        seconds, microseconds = connection.time()
        return float(seconds + microseconds / 1_000_000)

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        arguments = [self.now(), limit, expiry, amount]
        return bool(self.lua_acquire_moving_window([self.prefixed_key(key)], arguments))

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        moment = self.now()
        window = self.lua_moving_window([self.prefixed_key(key)], [moment - expiry, limit])
        return (float(window[0]), int(window[1])) if window else (moment, 0)


class Windows:
    """The windows of all keys. Every method raises Lost."""

    def __init__(self, url: str) -> None:
        self.storage = OneClock(url, key_prefix="quota", socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT)
        self.rests_until = 0.0

    def request(self, limits: Sequence[tuple[str, int]]) -> bool:
        """Count a request in the windows of all keys, if each has room; else in none.

        Exact for one key. With several keys, callers that share a window must hold its meter's lock.
        """
        others, (last, most) = limits[:-1], limits[-1]

        def counted() -> bool:
            if any(self._state(f"requests:{key}", limit)[0] >= limit for key, limit in others):
                return False
            if not self.storage.acquire_entry(f"requests:{last}", most, WINDOW):
                return False
            for key, limit in others:
                self.storage.acquire_entry(f"requests:{key}", limit, WINDOW)
            return True

        return self._asked(counted)

    def requests(self, key: str, limit: int) -> tuple[int, int]:
        """Requests of the last minute, and seconds until the first of them is a minute old."""
        return self._asked(lambda: self._state(f"requests:{key}", limit))

    def spend(self, key: str, limit: int, tokens: int) -> None:
        """Count tokens, at most what the limit leaves."""
        size = _size(limit)
        entries = -(-tokens // size)

        def spent() -> None:
            _, used = self.storage.get_moving_window(f"tokens:{key}", limit // size, WINDOW)
            if amount := min(entries, limit // size - used):
                self.storage.acquire_entry(f"tokens:{key}", limit // size, WINDOW, amount)

        self._asked(spent)

    def tokens(self, key: str, limit: int) -> tuple[int, int]:
        """Tokens of the last minute, and seconds until the first of them are a minute old."""
        size = _size(limit)
        used, seconds = self._asked(lambda: self._state(f"tokens:{key}", limit // size))
        return used * size, seconds

    def _state(self, name: str, entries: int) -> tuple[int, int]:
        since, used = self.storage.get_moving_window(name, entries, WINDOW)
        return used, max(1, math.ceil(since + WINDOW - self.storage.now())) if used else 0

    def _asked(self, question: Callable[[], Found]) -> Found:
        if time.monotonic() < self.rests_until:
            raise Lost
        try:
            return question()
        except (RedisError, OSError) as error:
            self.rests_until = time.monotonic() + REST_SECONDS
            logger.warning("Redis does not count requests and tokens, the ledger does: %s", type(error).__name__)
            raise Lost from error


def _size(limit: int) -> int:
    """Tokens of one entry."""
    return max(1, -(-limit // MOST_ENTRIES))
