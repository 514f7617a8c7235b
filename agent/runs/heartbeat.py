"""Beats for a run while one of its nodes waits for a model, so that no sweep takes it for dead."""

import logging
import threading
import time
from types import TracebackType
from typing import Self
from uuid import UUID

from django.db import DatabaseError, connection
from django.utils.timezone import now

from agent.models import STALE_AFTER, Run

logger = logging.getLogger(__name__)

# So often that a few beats may fail, as while another process writes, before the run is taken over.
EVERY = STALE_AFTER.total_seconds() / 5
# What a run may take beyond its models' deadline: reading, searching and checking.
SLACK = 60.0


class Heartbeat:
    """Beats from a thread of its own while its block is worked through, and dies with the process.

    seconds: how long it beats at most; a worker that hangs for longer is to be taken for dead. every: seconds from one
    beat to the next.
    """

    def __init__(self, run_id: UUID, attempt: int, seconds: float, every: float = EVERY) -> None:
        self.run_id, self.attempt, self.seconds, self.every = run_id, attempt, seconds, every
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.keep, name=f"heartbeat-{run_id}", daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.over.set()
        self.thread.join()

    def keep(self) -> None:
        """Beat until the block is left, the attempt has fallen, or the time is over."""
        until = time.monotonic() + self.seconds
        try:
            while not self.over.wait(self.every) and time.monotonic() < until:
                try:
                    if not self.beat():
                        return
                except DatabaseError:
                    # As a database that is locked: the next beat may pass.
                    logger.warning("A beat of run %s was not written", self.run_id, exc_info=True)
        finally:
            # A thread has a connection of its own, which nobody else closes.
            connection.close()

    def beat(self) -> bool:
        """Write one beat; False when the attempt does not hold the run any more."""
        return bool(Run.objects.of_attempt(self.run_id, self.attempt).update(heartbeat=now()))
