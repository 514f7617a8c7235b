"""The JSON report of a module of this folder that is a process of its own, because it forks and kills what it forks."""

import json
from datetime import date
from pathlib import Path
from typing import Any

from tests.support.annual_report import prose
from tests.support.edgar import LocalEdgar, filer
from tests.support.embeddings import LocalEmbeddings
from tests.support.other_filings import release
from tests.support.processes import forked


def report(module: str, folder: Path, *arguments: object, timeout: int, **variables: str) -> dict[str, Any]:
    """What `python -m tests.support.<module>` prints last, with a database and a DATA_DIR in the folder."""
    done = forked(
        "-m",
        f"tests.support.{module}",
        *map(str, arguments),
        timeout=timeout,
        DATABASE_URL=f"sqlite:///{folder / 'template.sqlite3'}",
        DATA_DIR=str(folder),
        DEBUG="1",
        **variables,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def report_on_ingestion(folder: Path, *, step: int, limits: int, timeout: int) -> dict[str, Any]:
    """What comes of interrupted ingestions of a small filer, served by a local EDGAR.

    Vectors come from a server too: most of the time of an ingestion is the model's.
    """
    made = filer(2023, 2024)
    for filed in made.reports:
        filed.prose = prose()
    made.others = [release(date(2025, 2, 3))]
    with LocalEdgar() as edgar, LocalEmbeddings() as embeddings:
        made.publish(edgar)
        return report(
            "interrupted",
            folder,
            made.cik,
            folder,
            step,
            limits,
            timeout=timeout,
            EDGAR_BASE_URL=edgar.url,
            EDGAR_IDENTITY="Diligence Tests tests@example.com",
            EDGAR_REQUESTS_PER_SECOND="1000",
            EMBEDDING_BASE_URL=embeddings.url,
            EMBEDDING_OPTIONS=f"model=test-model,dimensions={embeddings.dimensions}",
            LOG_LEVEL="ERROR",
        )
