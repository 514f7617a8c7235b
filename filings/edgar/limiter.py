"""One rate limit for every process of this machine, stored in one locked file."""

import fcntl
import time
from collections.abc import Callable
from pathlib import Path

# The longest wait of a caller in seconds, and how many requests may wait at once. A time further ahead was written
# before the clock was set back.
LONGEST, MOST = 60.0, 100


class Limiter:
    """Assigns evenly spaced start times to requests of all processes that share `path`.

    A process reserves the next free time under a file lock and then sleeps outside it, so that a killed process blocks
    nobody. `pyrate-limiter` was tried: its file-locked bucket needs a database file, a thread and a lock a request, and
    admits a burst; the SEC counts bursts too.
    """

    def __init__(self, path: Path, per_second: float, sleep: Callable[[float], None] = time.sleep) -> None:
        self.path = path
        self.interval = 1 / per_second
        self.window = max(LONGEST, MOST * self.interval)
        self.sleep = sleep
        path.parent.mkdir(parents=True, exist_ok=True)

    def wait(self) -> None:
        """Return when the next request may start."""
        self.sleep(min(max(0.0, self.reserve() - time.time()), self.window))

    def reserve(self) -> float:
        """The caller's start time, in seconds since the epoch."""
        with self.path.open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            now = time.time()
            try:
                last = float(file.read() or 0)
            except ValueError:  # a torn write; one interval from now is safe
                last = now
            start = max(now, last + self.interval) if last < now + self.window else now + self.interval
            file.seek(0)
            file.truncate()
            file.write(repr(start))
        return start
