"""Ingestions that are killed or find the disk full: `python -m tests.support.interrupted CIK FOLDER STEP LIMITS`.

One process for both, since what an ingestion needs takes seconds to import. The environment names the EDGAR and the
database to start with. Killed is at every STEP-th event, full is the disk at so many LIMITS; 0 is none. Prints a report
as JSON.
"""

import gc
import json
import sys
from pathlib import Path

from tests.support.full_disk import on_a_full_disk
from tests.support.killed import contents, ingest, killed, waiting


def main(cik: int, folder: Path, step: int, limits: int) -> None:
    fresh = waiting(cik, folder)
    clean = fresh("clean")
    # In this process, before the forks: each of them would import and compile all that it takes.
    ingest(cik, clean, folder / "events.json")
    gc.freeze()
    events = json.loads((folder / "events.json").read_text())
    expected = contents(clean)
    largest = max(path.stat().st_size for path in clean.rglob("*") if path.is_file())
    report = {
        "events": events,
        "counts": {name: len(rows) for name, rows in expected.items()},
        "killed": killed(cik, folder, fresh, expected, events, step) if step else [],
        "full_disk": on_a_full_disk(cik, folder, fresh, expected, largest, limits),
    }
    print(json.dumps(report))  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
