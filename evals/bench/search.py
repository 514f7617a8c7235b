"""Milliseconds of a hybrid search at 20,000 chunks and on the way to 200,000, of each index that is set.

The chunks are made up: 700 a filing and ten filings a company, 220 words of a vocabulary of 30,000 by what Zipf's law
leaves when the 33 most frequent, the stop words, are taken out, and five windows of random unit vectors of 384 dimensions. A search has six words of the same law, so that frequent ones are
among them, four variants, and a random vector; it is fused as an ask's is. Embedding the question is not in it.
Elasticsearch is measured where ELASTICSEARCH_URL names one, under an alias of its own that is removed.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from django.conf import settings

from filings.models import CHUNKS_A_FILING
from filings.search.embedded import EmbeddedIndex
from filings.search.fusion import fuse
from filings.search.index import Entry, Index, Query
from filings.search.weights import parse_weights

SIZES = (20_000, 60_000, 200_000)
# Within one company at the first size.
GOALS = {"embedded": 60.0, "elasticsearch": 50.0}
CHUNKS, FILINGS = 700, 10
DIMENSIONS, WINDOWS, LENGTH = 384, 5, 220
WORDS = 30_000
STOPPED = 33
SEARCHES = 60
MODEL, ALIAS = "bench", "diligence-bench"
ITEMS = ("1", "1A", "7", "7A", "8")


class MadeUp:
    """Chunks and searches from a fixed seed."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(20)
        law = 1 / (STOPPED + np.arange(1, WORDS + 1))
        self.law = np.cumsum(law / law.sum())

    def words(self, count: int) -> str:
        return " ".join(f"w{place}" for place in np.searchsorted(self.law, self.random.random(count)))

    def vectors(self, count: int) -> np.ndarray:
        found = self.random.standard_normal((count, DIMENSIONS)).astype(np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    def filing(self, filing: int) -> list[Entry]:
        """The chunks of a filing."""
        return [
            Entry(
                filing * CHUNKS_A_FILING + number,
                filing,
                filing // FILINGS,
                ITEMS[number % len(ITEMS)],
                "income" if number % 50 == 0 else "",
                self.words(LENGTH),
                self.vectors(WINDOWS),
            )
            for number in range(CHUNKS)
        ]

    def query(self, filings: Sequence[int]) -> Query:
        listed = parse_weights(settings.SEARCH_WEIGHTS).statements > 0
        return Query(
            self.words(6), tuple(self.words(4).split()), self.vectors(1)[0], tuple(filings), statements=listed
        )


def measure() -> str:
    """The tables, one an index."""
    with tempfile.TemporaryDirectory(prefix="diligence-bench-") as folder:
        embedded = EmbeddedIndex(Path(folder) / "search.sqlite3", MODEL, DIMENSIONS)
        tables = [table(embedded, lambda: embedded.path.stat().st_size)]
        embedded.close()
    if settings.ELASTICSEARCH_URL:
        from filings.search.elastic import ElasticIndex
        from filings.search.elastic_calls import client

        elastic = ElasticIndex(client(), ALIAS, MODEL, DIMENSIONS)
        indices = elastic.elasticsearch.options(request_timeout=60).indices
        try:
            tables.append(
                table(elastic, lambda: indices.stats(index=ALIAS)["_all"]["total"]["store"]["size_in_bytes"])
            )
        finally:
            for name in indices.get(index=f"{ALIAS}*").body:
                indices.delete(index=name)
    else:
        tables.append("search, elasticsearch: not measured, ELASTICSEARCH_URL is not set")
    return "\n\n".join(tables)


def table(index: Index, size: Callable[[], int]) -> str:
    """The times of one index while it grows."""
    made = MadeUp()
    lines = [
        f"search, {index.name}, p50/p95 in ms of {SEARCHES} searches (goal within one company at {SIZES[0]:,} chunks: "
        f"{GOALS[index.name]:.0f}); load of the machine {os.getloadavg()[0]:.1f}",
        f"{'chunks':>9}{'built in':>10}{'size':>10}{'one filing':>14}{'one company':>14}{'everything':>14}",
    ]
    built, filing = 0.0, 0
    for chunks in sizes():
        while filing * CHUNKS < chunks:
            filing += 1
            entries = made.filing(filing)
            started = time.perf_counter()
            index.put(filing, entries)
            built += time.perf_counter() - started
        times = [f"{p50:.1f} / {p95:.1f}" for p50, p95 in timed(index, made, filing)]
        lines.append(
            f"{filing * CHUNKS:>9,}{built:>8.0f} s{size() / 1e6:>7.0f} MB" + "".join(f"{told:>14}" for told in times)
        )
    return "\n".join(lines)


def sizes() -> Sequence[int]:
    """Numbers of chunks, ascending; BENCH_CHUNKS=20000,60000 measures other ones."""
    return sorted(int(text) for text in os.environ.get("BENCH_CHUNKS", "").split(",") if text) or SIZES


def timed(index: Index, made: MadeUp, filings: int) -> Iterator[tuple[float, float]]:
    """Median and 95th percentile within one filing, one company, and everything."""
    company = tuple(range(FILINGS, 2 * FILINGS))
    scopes: tuple[Callable[[], Sequence[int]], ...] = (
        lambda: (int(made.random.integers(1, filings + 1)),),
        lambda: company,
        tuple,
    )
    for scope in scopes:
        for _ in range(5):
            index.lists([made.query(scope())])
        times = []
        for _ in range(SEARCHES):
            query = made.query(scope())
            started = time.perf_counter()
            fuse(index.lists([query])[0])
            times.append((time.perf_counter() - started) * 1000)
        yield statistics.median(times), statistics.quantiles(times, n=20)[-1]
