"""`manage.py worker answer` and `manage.py worker ingest`: a worker for one queue, with the concurrency of the
settings.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from diligence.celery import app

QUEUES = {"answer": "ask", "ingest": "ingest"}
# On one machine opening a page comes before answering, and answering before ingesting.
NICENESS = {"answer": 10, "ingest": 15}


class Command(BaseCommand):
    help = "Work on runs or ingestions until told to stop; running ones are finished first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("work", nargs="+", choices=sorted(QUEUES), help="What to work on.")

    def handle(self, *args: Any, **options: Any) -> None:
        give_way(min(NICENESS[one] for one in options["work"]))
        app.start(["--quiet", "worker", *arguments(options["work"])])


def give_way(niceness: int) -> None:
    """Lower this process's priority.

    Where Linux shares processors between sessions, a process's niceness counts only within its session, so a session
    led by this process is lowered too.
    """
    os.setpriority(os.PRIO_PROCESS, 0, max(niceness, os.getpriority(os.PRIO_PROCESS, 0)))
    if os.getsid(0) == os.getpid():
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(niceness), encoding="ascii")


def arguments(work: list[str]) -> list[str]:
    """Arguments of Celery's worker for this work.

    Threads, because a run with a model waits for the network; a solo pool for one at a time. Not processes: a child
    killed while idle leaves its worker waiting for ever.
    """
    wide = max(settings.ANSWER_CONCURRENCY if one == "answer" else settings.INGEST_CONCURRENCY for one in work)
    return [
        f"--queues={','.join(QUEUES[one] for one in work)}",
        f"--hostname={'-'.join(work)}-{os.getpid()}@%h",
        f"--pool={'threads' if wide > 1 else 'solo'}",
        f"--concurrency={wide}",
        # Workers exchange no messages: the rows have everything.
        "--without-gossip",
        "--without-mingle",
    ]
