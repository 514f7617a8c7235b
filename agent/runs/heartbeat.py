"""Sends heartbeats for a run while a node waits for a model, so that the sweep does not take it for dead."""

import logging
import threading
import time
from types import TracebackType
from typing import Self
from uuid import UUID

from django.db import DatabaseError, connection
from django.utils.timezone import now

from agent.models import Run
from agent.runs.claim import STALE_AFTER

logger = logging.getLogger(__name__)

# Frequent enough that a few may fail, as while another process writes, before the run is taken over.
EVERY = STALE_AFTER.total_seconds() / 5
# Seconds a run may take beyond its models' deadline: reading, searching and checking.
SLACK = 60.0


class Heartbeat:
    """Sends heartbeats from a thread while its block runs, and dies with the process.

    seconds: the longest it goes on; a worker that hangs for longer should be taken for dead. every: seconds between two
    heartbeats.
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
        """Send heartbeats until the block ends, the attempt is superseded, or the time is over."""
        until = time.monotonic() + self.seconds
        try:
            while not self.over.wait(self.every) and time.monotonic() < until:
                try:
                    if not self.beat():
                        return
                except DatabaseError:
                    # For example, a locked database: the next heartbeat may succeed.
                    logger.warning("A beat of run %s was not written", self.run_id, exc_info=True)
        finally:
            # Nobody else closes a thread's own connection.
            connection.close()

    def beat(self) -> bool:
        """Write one heartbeat; False when the attempt no longer holds the run."""
        return bool(Run.objects.of_attempt(self.run_id, self.attempt).update(heartbeat=now()))
