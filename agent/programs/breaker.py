"""A circuit breaker for each endpoint: after repeated failures it is not asked for a while. Shared by the process."""

import threading
import time

# Consecutive failures that open a breaker, and the seconds it stays open before one request may try.
FAILURES = 5
SECONDS = 60.0


class Breaker:
    """Counts consecutive failures. Every `allows` that returned True is followed by one of the three other methods."""

    def __init__(self, failures: int = FAILURES, seconds: float = SECONDS) -> None:
        self.failures, self.seconds = failures, seconds
        self.lock = threading.Lock()
        self.failed = 0
        self.until = 0.0
        self.trying = False

    def allows(self) -> bool:
        """Whether a request may be made now. After the wait, one request may try, and its outcome decides."""
        with self.lock:
            if self.failed < self.failures:
                return True
            if self.trying or time.monotonic() < self.until:
                return False
            self.trying = True
            return True

    def succeeded(self) -> None:
        """The endpoint answered, whatever the content."""
        with self.lock:
            self.failed, self.trying = 0, False

    def failure(self) -> None:
        """The endpoint did not answer, or not usefully."""
        with self.lock:
            self.failed, self.trying = self.failed + 1, False
            if self.failed >= self.failures:
                self.until = time.monotonic() + self.seconds

    def undecided(self) -> None:
        """The request shows nothing about the endpoint, for example because we cut it off."""
        with self.lock:
            self.trying = False


_breakers: dict[tuple[str, str], Breaker] = {}
_lock = threading.Lock()


def of(base_url: str, name: str) -> Breaker:
    """The breaker of a model at an endpoint."""
    with _lock:
        return _breakers.setdefault((base_url, name), Breaker())


def forget() -> None:
    """Close every breaker, as a new process would."""
    with _lock:
        _breakers.clear()
