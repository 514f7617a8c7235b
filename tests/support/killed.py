"""Kills an ingestion at every request, every write and every step of embedding and indexing, and finishes it with another worker.

Of `python -m tests.support.interrupted`, a process of its own, because it forks. Each point gets a fresh copy of the
database and a fresh DATA_DIR; the child dies by SIGKILL, so nothing of Python's or SQLite's cleaning up runs.
"""

import json
import os
import shutil
import signal
import sqlite3
import traceback
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import django

CONTENTS = {
    "filings": "SELECT accession, form, filed, period_end, fiscal_year, is_primary, document_status, problem, "
    "facts_stored, reader, chunks_stored, indexed FROM filings_filing",
    "sections": "SELECT f.accession, s.number, s.item, s.status, s.heading, s.'where', s.text, s.sha256, s.pages, "
    "s.blocks, d.filename FROM filings_section s JOIN filings_filing f ON f.id = s.filing_id "
    "LEFT JOIN filings_document d ON d.id = s.document_id",
    "chunks": "SELECT f.accession, c.id - 100000 * f.id, s.number, c.number, c.item, c.kind, c.ranges, c.windows, "
    "c.headings, c.statement, c.page_first, c.page_last, c.pieces, c.sha256 FROM filings_chunk c "
    "JOIN filings_filing f ON f.id = c.filing_id JOIN filings_section s ON s.id = c.section_id",
    "facts": "SELECT f.accession, x.source, x.taxonomy, x.tag, x.unit, x.start, x.end, x.raw, x.value, x.statement, "
    "x.'order', x.label, x.printed, d.filename FROM filings_fact x JOIN filings_filing f ON f.id = x.filing_id "
    "LEFT JOIN filings_document d ON d.id = x.document_id",
    "documents": "SELECT f.accession, d.filename, d.type, d.sequence, d.sha256 FROM filings_document d "
    "JOIN filings_filing f ON f.id = d.filing_id",
    "statements": "SELECT f.accession, s.kind, s.basis, s.title, s.lines FROM filings_statement s "
    "JOIN filings_filing f ON f.id = s.filing_id",
    "company": "SELECT name, status, problem, filings_found, filings_done, facts_stored, facts_sha256 "
    "FROM filings_company",
    "tickers": "SELECT symbol FROM filings_ticker",
}


def contents(folder: Path) -> dict[str, list[Any]]:
    """What the database of a folder says, row ids left out, what its search index holds, and its vectors."""
    with closing(sqlite3.connect(folder / "db.sqlite3")) as connection:
        found = {name: sorted(connection.execute(query), key=repr) for name, query in CONTENTS.items()}
    with closing(sqlite3.connect(folder / "vectors.sqlite3")) as connection:
        found["vectors"] = sorted(connection.execute("SELECT key, value FROM vector"))
    return found | {"index": held(folder)}


def held(folder: Path) -> list[Any]:
    """What the search index of a folder holds of each filing."""
    from filings.search.embedded import EmbeddedIndex
    from filings.text.embeddings import embedder

    model = embedder()
    return sorted(EmbeddedIndex(folder / "search.sqlite3", model.model, model.dimensions).held().items())


def in_child(work: Callable[[], None]) -> int:
    """Run `work` in a forked process: 0, or minus the signal it died of, or the exit code of an exception."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def ingest(cik: int, folder: Path, events: Path, die_at: int | None = None) -> None:
    """Ingest once, noting each request and write; die before the one numbered `die_at`."""
    from django.conf import settings
    from django.db import connection

    from filings.edgar.client import Edgar
    from filings.ingest import queue
    from filings.models import Company
    from filings.search.embedded import EmbeddedIndex
    from filings.text.embeddings.vectors import VectorCache

    # Each would wait for a process of its own, which takes seconds to start.
    settings.INGEST_FILING_DEADLINE = 0
    # The model as it is run is built once, for all of them.
    settings.DATA_DIR = settings.VECTORS_DIR = folder
    connection.settings_dict["NAME"] = str(folder / "db.sqlite3")
    noted: list[str] = []

    def note(what: str) -> None:
        if len(noted) == die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        noted.append(what)

    class WatchedEdgar(Edgar):
        def request(self, url: str, *args: Any) -> Any:
            note(f"GET {url.rsplit('/', 1)[1]}")
            return super().request(url, *args)

    def watched(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            note(" ".join(sql.replace('"', "").split()[:3]))
        return execute(sql, params, many, context)

    # What the sweep waits for: the worker before has been silent for long.
    Company.objects.filter(cik=cik).update(heartbeat=datetime(2000, 1, 1, tzinfo=UTC))
    write, put = VectorCache.write, EmbeddedIndex.put

    def watched_write(cache: VectorCache, vectors: Any) -> None:
        note("KEEP vectors")
        write(cache, vectors)

    def watched_put(index: EmbeddedIndex, filing: int, entries: Any) -> None:
        note("INDEX filing")
        put(index, filing, entries)
        note("INDEXED filing")

    with (
        patch.object(VectorCache, "write", watched_write),
        patch.object(EmbeddedIndex, "put", watched_put),
        connection.execute_wrapper(watched),
    ):
        queue.work(Company.objects.get(cik=cik).pk, WatchedEdgar())
    connection.close()
    events.write_text(json.dumps(noted))


def copies(folder: Path) -> Callable[[str], Path]:
    """Makes folders below a folder, by name: each with a copy of the database as it is now, which is closed."""
    from django.db import connections

    template = Path(connections["default"].settings_dict["NAME"])
    connections.close_all()

    def fresh(name: str) -> Path:
        made = folder / name
        made.mkdir()
        shutil.copy(template, made / "db.sqlite3")
        return made

    return fresh


def waiting(cik: int, folder: Path) -> Callable[[str], Path]:
    """The copies of a database in which one company waits for its ingestion."""
    django.setup()
    from django.core.management import call_command

    from filings.models import Company

    call_command("migrate", verbosity=0)
    company = Company.objects.create(cik=cik, name="To be ingested")
    Company.objects.enqueue(company.pk, (2015, None))
    return copies(folder)


def killed(
    cik: int, folder: Path, fresh: Callable[[str], Path], expected: dict[str, list[Any]], events: list[str], step: int
) -> list[dict[str, Any]]:
    """What came of killing an ingestion before every `step`-th of its events."""
    points = []
    for at in range(0, len(events), step):
        made = fresh(f"event-{at}")
        died = in_child(lambda at=at, made=made: ingest(cik, made, folder / "unused.json", die_at=at))
        resumed = in_child(lambda made=made: ingest(cik, made, folder / "resumed.json"))
        found = contents(made)
        different = [name for name in expected if found[name] != expected[name]]
        points.append({"before": events[at], "died": died, "resumed": resumed, "different": different})
        shutil.rmtree(made)
    return points
