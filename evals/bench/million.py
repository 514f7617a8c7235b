"""A million made-up chunks in Elasticsearch: what they take, how long a hybrid search is, and whether it is exact.

300 chunks a filing and ten filings a company, with three windows each, as filings have them on average; the words are
those of `search`. Windows are drawn from 5,000 random unit vectors, so that the exact order is known from these alone.
MILLION_CHUNKS is how many, MILLION_SECONDS the longest that is built for: what stands then is measured. Needs ELASTICSEARCH_URL;
the index has an alias of its own, and is removed.
"""

import json
import os
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from elasticsearch.client import IndicesClient
from numpy.typing import NDArray

from evals.bench.search import DIMENSIONS, FILINGS, ITEMS, LENGTH, MODEL, MadeUp
from filings.models import CHUNKS_A_FILING
from filings.search.elastic import ElasticIndex
from filings.search.elastic_calls import client
from filings.search.fusion import fuse
from filings.search.index import Query

ALIAS = "diligence-million"
CHUNKS, WINDOWS, POOL = 300, 3, 5000
PHRASES, PHRASE = 20_000, 20
SEARCHES, BEST = 100, 10
# Milliseconds of the 95th percentile, and share of the ten nearest that are found.
GOAL_MS, GOAL_RECALL = 150, 0.97
# 6,000 companies, ten years, and so many chunks a filing.
ALL_CHUNKS = 6000 * 10 * CHUNKS


class Million:
    """The made-up chunks: which of the pool are the windows of each, and what it says."""

    def __init__(self) -> None:
        self.made = MadeUp()
        self.pool = self.made.vectors(POOL)
        self.told = [json.dumps({"vector": np.round(row.astype(float), 5).tolist()}) for row in self.pool]
        self.phrases = [self.made.words(PHRASE) for _ in range(PHRASES)]

    def windows(self, filing: int) -> NDArray[np.int64]:
        """The places in the pool, (chunks, windows)."""
        return np.random.default_rng(filing).integers(0, POOL, (CHUNKS, WINDOWS))

    def operations(self, filing: int) -> list[str]:
        """The lines of a bulk request for a filing."""
        said = np.random.default_rng(-filing % 2**32).integers(0, PHRASES, (CHUNKS, LENGTH // PHRASE))
        lines = []
        for number, (windows, phrases) in enumerate(zip(self.windows(filing), said, strict=True)):
            chunk = filing * CHUNKS_A_FILING + number
            fields = {"chunk": chunk, "filing": filing, "cik": filing // FILINGS, "item": ITEMS[number % len(ITEMS)]}
            text = json.dumps(fields | {"digest": "", "text": " ".join(self.phrases[one] for one in phrases)})
            vectors = ",".join(self.told[one] for one in windows)
            lines += [json.dumps({"index": {"_id": str(chunk)}}), f'{text[:-1]},"windows":[{vectors}]}}']
        return lines

    def nearest(self, query: Query, filings: Sequence[int]) -> float:
        """The cosine of the tenth nearest chunk."""
        near = self.pool @ query.vector if query.vector is not None else np.zeros(POOL)
        scores = np.concatenate([near[self.windows(one)].max(axis=1) for one in filings])
        return float(np.partition(scores, -BEST)[-BEST])


def measure() -> str:
    """The report."""
    elastic = ElasticIndex(client(), ALIAS, MODEL, DIMENSIONS)
    indices = elastic.elasticsearch.options(request_timeout=600).indices
    million = Million()
    try:
        elastic.writable()
        started = time.perf_counter()
        filings = build(elastic, million, started)
        seconds = time.perf_counter() - started
        indices.refresh(index=ALIAS)
        stats = settled(indices)
        lines = [
            f"elasticsearch, {filings * CHUNKS:,} made-up chunks with {WINDOWS} windows of {DIMENSIONS} dimensions, "
            f"built in {seconds:.0f} s; load of the machine {os.getloadavg()[0]:.1f}",
            *space(elastic, stats["store"]["size_in_bytes"], filings * CHUNKS),
            f"goal: 95th percentile {GOAL_MS} ms, recall@{BEST} against exact {GOAL_RECALL}",
            f"{'':>14}{'p50 / p95 ms':>18}{'recall':>10}",
        ]
        for name, scope in scopes(filings):
            p50, p95, recall = searched(elastic, million, scope, filings)
            lines.append(f"{name:>14}{p50:>10.1f} / {p95:.1f}{recall:>10.3f}")
        return "\n".join(lines)
    finally:
        for name in indices.get(index=f"{ALIAS}*").body:
            indices.delete(index=name)


def build(elastic: ElasticIndex, million: Million, started: float) -> int:
    """Fill the index from two threads, for as long as there is time; how many filings stand in it, 1 being the first."""
    wanted = int(os.environ.get("MILLION_CHUNKS", "1000000")) // CHUNKS
    last = started + float(os.environ.get("MILLION_SECONDS", "7200"))
    requests = elastic.elasticsearch.options(request_timeout=300)
    requests.indices.put_settings(index=ALIAS, settings={"refresh_interval": -1})
    left, lock, held = iter(range(1, wanted + 1)), threading.Lock(), [0]

    def fill(_: int) -> None:
        while time.perf_counter() < last:
            with lock:
                filing = next(left, 0)
                held[0] = filing or held[0]
            if not filing:
                return
            if requests.bulk(index=ALIAS, operations=million.operations(filing), filter_path="errors")["errors"]:
                raise RuntimeError(f"Elasticsearch refused chunks of filing {filing}.")

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(fill, range(2)))
    return held[0]


def settled(indices: IndicesClient) -> dict[str, Any]:
    """What the index says of itself once nothing in it is merged any more."""
    while True:
        found: dict[str, Any] = indices.stats(index=ALIAS)["_all"]["total"]
        if not found["merges"]["current"]:
            return found
        time.sleep(1)


def space(elastic: ElasticIndex, stored: int, chunks: int) -> Iterator[str]:
    """What the index takes on disk and the node in memory, and by arithmetic what all 10-Ks of ten years would."""
    node = next(iter(elastic.elasticsearch.nodes.stats(metric="jvm,process")["nodes"].values()))
    heap = node["jvm"]["mem"]["heap_used_in_bytes"]
    vectors = chunks * WINDOWS * DIMENSIONS * 4
    yield f"disk {stored / 1e9:.2f} GB, of them vectors {vectors / 1e9:.2f} GB; heap used {heap / 1e6:.0f} MB"
    times = ALL_CHUNKS / chunks
    yield (
        f"6,000 companies x 10 years x {CHUNKS} chunks are {ALL_CHUNKS / 1e6:.0f} million: {times:.0f} times as much, "
        f"disk {stored * times / 1e9:.0f} GB, of them vectors {vectors * times / 1e9:.0f} GB"
    )


def scopes(filings: int) -> Iterator[tuple[str, Sequence[Sequence[int]]]]:
    """What is searched, one for each search."""
    random = np.random.default_rng(5)
    yield "one filing", [(int(one),) for one in random.integers(1, filings + 1, SEARCHES)]
    firsts = random.integers(1, max(2, filings - FILINGS), SEARCHES)
    yield "one company", [tuple(range(int(one), min(int(one) + FILINGS, filings + 1))) for one in firsts]
    yield "everything", [()] * (SEARCHES // 5)


def searched(
    elastic: ElasticIndex, million: Million, scope: Sequence[Sequence[int]], filings: int
) -> tuple[float, float, float]:
    """Median and 95th percentile of hybrid searches in ms, and the recall of the nearest."""
    times, right = [], 0
    for place, of in enumerate((*scope[:5], *scope)):
        query = million.made.query(of)
        started = time.perf_counter()
        lists = elastic.lists([query])[0]
        fuse(lists)
        if place < 5:
            continue  # the first of a kind warm the node
        times.append((time.perf_counter() - started) * 1000)
        least = million.nearest(query, of or range(1, filings + 1)) - 1e-4
        right += sum(row.score >= least for row in lists.dense[:BEST])
    return statistics.median(times), statistics.quantiles(times, n=20)[-1], right / BEST / len(times)
