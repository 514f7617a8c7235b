"""Time that passes only when somebody sleeps."""

import time
from collections.abc import Callable


class Clock:
    """Time that passes when somebody sleeps, and in which something is done."""

    def __init__(self, work: Callable[[float], object]) -> None:
        self.work, self.now = work, time.monotonic()

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.work(seconds)
