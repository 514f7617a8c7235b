"""Reciprocal rank fusion (RRF): one search's lists into hits, and several searches' hits into one order.

RRF scores a chunk by the sum over lists of weight / (20 + rank) (Cormack, Clarke, Büttcher, SIGIR 2009, who use 60:
among a filing's few hundred passages the first ranks matter more). It is done here for both indexes: Elasticsearch's
own `rrf` needs a paid licence.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

from filings.search.index import Hit, Listed, Lists
from filings.search.weights import DEFAULT, Weights, parse_weights

__all__ = ["DEFAULT", "Placed", "Weights", "fuse", "fuse_searches", "ordered", "parse_weights"]

CONSTANT = 20


def ordered(scores: Mapping[int, float], depth: int) -> tuple[Listed, ...]:
    """The best chunks of a list; equal scores are ordered by chunk, so that every index gives the same order."""
    # Most of thousands are dropped by score alone: floats sort many times faster than pairs.
    least = sorted(scores.values())[-depth] if len(scores) > depth else -inf
    ranked = sorted((-score, chunk) for chunk, score in scores.items() if score >= least)
    return tuple(Listed(chunk, -score) for score, chunk in ranked[:depth])


def fuse(lists: Lists, weights: Weights = DEFAULT) -> list[Hit]:
    """All chunks of the lists, best first."""
    scores: dict[int, float] = {}
    ranks: dict[int, dict[str, int]] = {}
    for name, weight in weights._asdict().items():
        listed: tuple[Listed, ...] = getattr(lists, name)
        for rank, row in enumerate(listed if weight else (), start=1):
            scores[row.chunk] = scores.get(row.chunk, 0.0) + weight / (CONSTANT + rank)
            ranks.setdefault(row.chunk, {})[name] = rank
    bm25 = {row.chunk: row.score for row in (*lists.statements, *lists.lexical)}
    cosine = {row.chunk: row.score for row in lists.dense}
    return [
        Hit(row.chunk, row.score, ranks[row.chunk], bm25.get(row.chunk), cosine.get(row.chunk))
        for row in ordered(scores, len(scores))
    ]


class Placed(NamedTuple):
    """A chunk after the outer fusion: the search that ranked it best, and that search's hit."""

    chunk: int
    score: float
    query: int
    hit: Hit


def fuse_searches(searches: Sequence[Sequence[Hit]], share: int = 0) -> list[Placed]:
    """Several searches of one question in one order: RRF with equal weights.

    share: so many of each search's best come first, in turn. Without them a chunk that is middling in every search
    ranks above the best of each, and half of the question may get no answer.
    """
    if len(searches) == 1:
        return [Placed(hit.chunk, hit.score, 0, hit) for hit in searches[0]]
    scores: dict[int, float] = {}
    best: dict[int, tuple[int, int]] = {}
    hits: dict[tuple[int, int], Hit] = {}
    for query, found in enumerate(searches):
        for rank, hit in enumerate(found, start=1):
            scores[hit.chunk] = scores.get(hit.chunk, 0.0) + 1 / (CONSTANT + rank)
            best[hit.chunk] = min(best.get(hit.chunk, (rank, query)), (rank, query))
            hits[hit.chunk, query] = hit
    first: dict[int, None] = {}
    for rank in range(share):
        for found in searches:
            first.update({hit.chunk: None for hit in found[rank : rank + 1]})
    rest = [row.chunk for row in ordered(scores, len(scores)) if row.chunk not in first]
    return [Placed(chunk, scores[chunk], best[chunk][1], hits[chunk, best[chunk][1]]) for chunk in [*first, *rest]]
