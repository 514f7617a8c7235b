"""Ingestions on a disk that is full: `python -m tests.support.full_disk CIK FOLDER POINTS`.

No file of the worker may grow beyond a limit (RLIMIT_FSIZE), at so many limits between the empty database and all that
an ingestion writes. Then the limit is gone, and another worker ingests. Prints a report as JSON.
"""

import json
import resource
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.killed import contents, in_child, ingest, waiting


@contextmanager
def disk_full(beyond: int, process: int = 0) -> Iterator[None]:
    """No file that a process writes, by default this one, grows beyond so many bytes; there is room again afterwards."""
    soft, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (beyond, hard))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (soft, hard))


def main(cik: int, folder: Path, count: int) -> None:
    fresh = waiting(cik, folder)

    def limited(made: Path, limit: int) -> None:
        with disk_full(limit):
            ingest(cik, made, Path("/dev/null"))

    clean = fresh("clean")
    if in_child(lambda: ingest(cik, clean, folder / "events.json")):
        sys.exit("The ingestion fails on a disk with room.")
    expected = contents(clean)
    largest = max(path.stat().st_size for path in clean.rglob("*") if path.is_file())
    points: list[dict[str, Any]] = []
    for number in range(count):
        limit = 4096 + (largest - 4096) * number // count
        made = fresh(f"point-{number}")
        ended = in_child(lambda made=made, limit=limit: limited(made, limit))
        state = in_child(lambda made=made: status(made, folder / "state.json"))
        told = json.loads((folder / "state.json").read_text()) if state == 0 else None
        again = in_child(lambda made=made: ingest_again(cik, made))
        found = contents(made)
        different = [name for name in expected if found[name] != expected[name]]
        points.append({"limit": limit, "ended": ended, "told": told, "again": again, "different": different})
        shutil.rmtree(made)
    print(json.dumps({"largest": largest, "points": points}))  # noqa: T201


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
    from tests.support.killed import ingest

    connection.settings_dict["NAME"] = str(folder / "db.sqlite3")
    Company.objects.enqueue(Company.objects.get().pk, (2015, None))
    ingest(cik, folder, Path("/dev/null"))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
