"""Milliseconds of a hybrid search at 200,000 chunks of documents of several kinds, embedded index.

Chunks and searches are made up as in `evals.bench.search`, and as many a document as real ones have: 10-Ks of 14
companies alone first, then 10-Qs, 8-Ks and calls beside them. A filter of kind or period is a list of documents. Goal: a
search in one company's 10-Ks has no higher 95th percentile for the other kinds that are held. The processor's
milliseconds stand beside those of the clock: others may use the machine.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from evals.bench.search import DIMENSIONS, MODEL, MadeUp
from filings.models.source_kinds import ANNUAL, CALL, CURRENT, QUARTERLY
from filings.search.embedded import EmbeddedIndex
from filings.search.fusion import fuse

COMPANIES = 14
SEARCHES, SLOW_SEARCHES = 120, 20
SLOW = 50_000  # chunks from which a search takes most of a second
# Documents of a company, and chunks of one: those of the filings and calls beside the project.
KINDS = {ANNUAL.key: (10, 700), QUARTERLY.key: (30, 140), CURRENT.key: (40, 36), CALL.key: (20, 80)}


class Held(NamedTuple):
    """A document that is indexed. period: which of its kind's, from the newest."""

    number: int
    company: int
    kind: str
    period: int


def measure() -> str:
    """The tables: the 10-Ks alone, and all kinds."""
    made = MadeUp()
    with tempfile.TemporaryDirectory(prefix="diligence-bench-") as folder:
        index = EmbeddedIndex(Path(folder) / "search.sqlite3", MODEL, DIMENSIONS)
        held = put(index, made, [ANNUAL.key], [])
        lines = [*table("10-Ks alone", index, made, held)]
        held += put(index, made, [kind for kind in KINDS if kind != ANNUAL.key], held)
        lines += table("all kinds", index, made, held)
        index.close()
    return "\n".join(lines)


def put(index: EmbeddedIndex, made: MadeUp, kinds: Sequence[str], before: Sequence[Held]) -> list[Held]:
    """Index the documents of some kinds, numbered on."""
    found: list[Held] = []
    for company in range(COMPANIES):
        for kind in kinds:
            documents, chunks = KINDS[kind]
            for period in range(documents):
                one = Held(len(before) + len(found) + 1, company, kind, period)
                index.put(one.number, made.filing(one.number, chunks, company))
                found.append(one)
    return found


def table(title: str, index: EmbeddedIndex, made: MadeUp, held: Sequence[Held]) -> list[str]:
    """Median and 95th percentile of each scope."""
    scopes: dict[str, Callable[[Held], bool]] = {
        "one company's 10-Ks": lambda one: one.company == 1 and one.kind == ANNUAL.key,
        "one company": lambda one: one.company == 1,
        "one company's calls": lambda one: one.company == 1 and one.kind == CALL.key,
        "all 10-Qs": lambda one: one.kind == QUARTERLY.key,
        "all 10-Qs of a quarter": lambda one: one.kind == QUARTERLY.key and one.period == 0,
        "all documents": lambda one: True,
    }
    chunks = sum(KINDS[one.kind][1] for one in held)
    lines = [
        f"search among {title}: {len(held):,} documents, {chunks:,} chunks of {COMPANIES} companies, p50/p95 in ms of "
        f"{SEARCHES} searches, of {SLOW_SEARCHES} among {SLOW:,} chunks and more; load of the machine {os.getloadavg()[0]:.1f}",
        f"{'':<24}{'documents':>10}{'by the clock':>18}{'of the processor':>18}",
    ]
    for name, is_in in scopes.items():
        among = [one for one in held if is_in(one)]
        if among:
            searches = SLOW_SEARCHES if sum(KINDS[one.kind][1] for one in among) >= SLOW else SEARCHES
            numbers = [one.number for one in among] if len(among) < len(held) else []
            clock, processor = timed(index, made, numbers, searches)
            lines.append(f"{name:<24}{len(among):>10,}{clock:>18}{processor:>18}")
    return lines


def timed(index: EmbeddedIndex, made: MadeUp, numbers: Sequence[int], searches: int) -> tuple[str, str]:
    """p50/p95 of searches in these documents, all where none are named: by the clock, of the processor."""
    index.lists([made.query(numbers) for _ in range(3)])
    clock, processor = [], []
    for _ in range(searches):
        query = made.query(numbers)
        started, began = time.perf_counter(), time.process_time()
        fuse(index.lists([query])[0])
        clock.append((time.perf_counter() - started) * 1000)
        processor.append((time.process_time() - began) * 1000)
    return spread(clock), spread(processor)


def spread(times: Sequence[float]) -> str:
    return f"{statistics.median(times):.1f} / {statistics.quantiles(times, n=20)[-1]:.1f}"
