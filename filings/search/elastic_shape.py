"""Elasticsearch's mapping, documents and searches. Never `query_string`: nobody types syntax."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from filings.search.index import Entry, Query
from filings.search.indexed_markers import SHAPE, entry_digest
from filings.search.words import query_words

Body = dict[str, Any]

# The weight of variants beside the asked words.
VARIANTS = 0.8
# Lucene compares every vector in scope, and no other, where the scope has at most this many (Elasticsearch's limit);
# beyond, a `flat` field compares all vectors, which is as exact.
CANDIDATES = 10_000
FEW_FILINGS = 4
# The fields that are read from a response.
ANSWERED = ",".join(
    f"responses.{name}"
    for name in ("status", "error.type", "timed_out", "_shards.failed", "hits.hits._id", "hits.hits._score")
)


def meta(model: str, dimensions: int) -> Body:
    """An index's metadata in `_meta`. Mappings are compared by it: read back, they contain all defaults."""
    return {"model": model, "dimensions": dimensions, "shape": SHAPE}


def mapping(model: str, dimensions: int) -> Body:
    """The mapping for vectors of this size. Unknown fields are rejected."""
    return {
        "dynamic": "strict",
        "_meta": meta(model, dimensions),
        # Results come from the database; vectors in `_source` would triple the index.
        "_source": {"excludes": ["text", "windows"]},
        "properties": {
            "chunk": {"type": "long"},
            "filing": {"type": "long"},
            "cik": {"type": "long"},
            "item": {"type": "keyword"},
            "statement": {"type": "keyword"},
            "digest": {"type": "keyword", "index": False},
            "text": {"type": "text", "analyzer": "english"},
            "windows": {
                "type": "nested",
                "properties": {
                    "vector": {
                        "type": "dense_vector",
                        "dims": dimensions,
                        "index": True,
                        "similarity": "cosine",
                        # Exact. A graph finds half of what it should within one company's share of an index, and costs
                        # three times the time to build.
                        "index_options": {"type": "flat"},
                    }
                },
            },
        },
    }


def document(entry: Entry) -> Body:
    """A chunk in its indexed form."""
    found: Body = {
        "chunk": entry.chunk,
        "filing": entry.filing,
        "cik": entry.cik,
        "item": entry.item,
        "digest": entry_digest(entry),
        "text": entry.text,
    }
    if entry.statement:
        found["statement"] = entry.statement
    if entry.vectors is not None and len(entry.vectors):
        # Seven decimals are all that a float32 has.
        rows = np.round(entry.vectors.astype(np.float64), 7).tolist()
        found["windows"] = [{"vector": row} for row in rows]
    return found


def searches(query: Query) -> dict[str, Body]:
    """The searches of one query, by list, without unused lists."""
    filters: list[Body] = []
    if query.filings:
        filters.append({"terms": {"filing": list(query.filings)}})
    if query.items:
        filters.append({"terms": {"item": list(query.items)}})
    found: dict[str, Body] = {}
    if should := wanted(query):
        words = {"should": should, "minimum_should_match": 1}
        found["lexical"] = shown(query, {"query": {"bool": {**words, "filter": filters}}})
        if query.statements:
            of_statements = [*filters, {"exists": {"field": "statement"}}]
            found["statements"] = shown(query, {"query": {"bool": {**words, "filter": of_statements}}})
    if query.vector is not None:
        few = 0 < len(query.filings) <= FEW_FILINGS
        nearest = {
            "field": "windows.vector",
            "query_vector": np.round(query.vector.astype(np.float64), 7).tolist(),
            "k": query.depth,
            "num_candidates": CANDIDATES if few else query.depth,
            "filter": filters,
        }
        found["dense"] = shown(query, {"knn": nearest})
    return found


def wanted(query: Query) -> list[Body]:
    """Any word of the query, and any variant with all of its words."""
    words = " ".join(query_words(query.words))
    variants = dict.fromkeys(" ".join(query_words(variant)) for variant in query.variants)
    found: list[Body] = [{"match": {"text": {"query": words}}}] if words else []
    found += [
        {"match": {"text": {"query": variant, "operator": "and", "boost": VARIANTS}}}
        for variant in variants
        if variant
    ]
    return found


def shown(query: Query, body: Body) -> Body:
    """A search that returns only ids and scores."""
    return {**body, "size": query.depth, "_source": False, "track_total_hits": False}


def scores(name: str, hits: Sequence[Mapping[str, Any]]) -> dict[int, float]:
    """Chunks and scores of one list: BM25, which both indexes compute alike, or cosine."""
    if name == "dense":
        return {int(hit["_id"]): 2 * hit["_score"] - 1 for hit in hits}
    return {int(hit["_id"]): hit["_score"] for hit in hits}
