"""A disk that is full, and ingestions on one: no file of the worker may grow beyond a limit (RLIMIT_FSIZE).

The limits lie between the empty database and all that an ingestion writes. Then the limit is gone, and another worker
ingests. Run by `python -m tests.support.interrupted`.
"""

import json
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.killed import contents, in_child, ingest


@contextmanager
def disk_full(beyond: int, process: int = 0) -> Iterator[None]:
    """No file that a process writes, by default this one, grows beyond so many bytes; there is room again afterwards."""
    soft, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (beyond, hard))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (soft, hard))


def on_a_full_disk(
    cik: int, folder: Path, fresh: Callable[[str], Path], expected: dict[str, list[Any]], largest: int, count: int
) -> list[dict[str, Any]]:
    """What came of ingesting at so many limits below the size of the largest file."""

    def limited(made: Path, limit: int) -> None:
        with disk_full(limit):
            ingest(cik, made, Path("/dev/null"))

    points: list[dict[str, Any]] = []
    for number in range(count):
        limit = 4096 + (largest - 4096) * number // count
        made = fresh(f"limit-{number}")
        ended = in_child(lambda made=made, limit=limit: limited(made, limit))
        state = in_child(lambda made=made: status(made, folder / "state.json"))
        told = json.loads((folder / "state.json").read_text()) if state == 0 else None
        again = in_child(lambda made=made: ingest_again(cik, made))
        found = contents(made)
        different = [name for name in expected if found[name] != expected[name]]
        points.append({"limit": limit, "ended": ended, "told": told, "again": again, "different": different})
        shutil.rmtree(made)
    return points


def status(folder: Path, told: Path) -> None:
    """What the company's row says to whoever looks."""
    from django.db import connection

    from filings.models import Company

    connection.settings_dict["NAME"] = str(folder / "db.sqlite3")
    company = Company.objects.get()
    told.write_text(json.dumps({"status": company.status, "problem": company.problem}))
    connection.close()


def ingest_again(cik: int, folder: Path) -> None:
    """What an operator does who has made room: ask for it again, unless it waits anyway."""
    from django.db import connection

    from filings.models import Company

    connection.settings_dict["NAME"] = str(folder / "db.sqlite3")
    Company.objects.enqueue(Company.objects.get().pk, (2015, None))
    ingest(cik, folder, Path("/dev/null"))
