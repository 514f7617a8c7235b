"""A breaker for each endpoint: after repeated failure it is left alone for a while. Shared by the process."""

import threading
import time

# Failed requests in a row that open a breaker, and the seconds it stays open before one request may try.
FAILURES = 5
SECONDS = 60.0


class Breaker:
    """Counts failures in a row. Every `allows` that said yes is answered by one of the three others."""

    def __init__(self, failures: int = FAILURES, seconds: float = SECONDS) -> None:
        self.failures, self.seconds = failures, seconds
        self.lock = threading.Lock()
        self.failed = 0
        self.until = 0.0
        self.trying = False

    def allows(self) -> bool:
        """Whether a request may be made now. After the wait it is one request, whose outcome decides."""
        with self.lock:
            if self.failed < self.failures:
                return True
            if self.trying or time.monotonic() < self.until:
                return False
            self.trying = True
            return True

    def succeeded(self) -> None:
        """The endpoint answered, whatever it said."""
        with self.lock:
            self.failed, self.trying = 0, False

    def failure(self) -> None:
        """The endpoint did not answer, or not usefully."""
        with self.lock:
            self.failed, self.trying = self.failed + 1, False
            if self.failed >= self.failures:
                self.until = time.monotonic() + self.seconds

    def undecided(self) -> None:
        """The request says nothing of the endpoint, such as one that we cut short."""
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
