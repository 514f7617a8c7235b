"""Passages of filings that answer a compound question: several focused searches, fused."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from filings.embeddings import EmbeddingUnavailable, embedder
from filings.search.current import readers
from filings.search.fusion import Weights, fuse, fuse_searches, parse_weights
from filings.search.index import Hit, Index, Lists, Query, SearchUnavailable, Vector
from filings.search.parents import Candidate, candidates, promoted, without_repeats
from filings.search.rerank import reranked

# Candidates looked at for each passage that goes out: repeats and promoted parents make room for the next.
LOOKED_AT = 4


@dataclass(frozen=True, slots=True)
class Focus:
    """One focused search: the text that is embedded, its content words, and filing words for the same."""

    text: str
    words: tuple[str, ...]
    variants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A chunk, or a parent promoted over its chunks, with what each list said of it.

    `query` is the place of the focus that ranked it best; bm25 and cosine are that focus's. chunks: all it is made of.
    """

    chunk: int
    chunks: tuple[int, ...]
    section: int
    ranges: tuple[tuple[int, int], ...]
    query: int
    score: float
    ranks: dict[str, int]
    bm25: float | None
    cosine: float | None


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """At most `limit` passages, best first; which index answered, with which model ("" = words alone), and notes."""

    passages: tuple[FoundPassage, ...]
    index: str
    model: str
    notes: tuple[str, ...] = ()


def find(focuses: Sequence[Focus], filings: Sequence[int], items: Sequence[str] = (), limit: int = 8) -> FoundPassages:
    """Search the given filings and Items for each focus. Raises SearchUnavailable or IndexMismatch."""
    weights = parse_weights(settings.SEARCH_WEIGHTS)
    vectors, notes = embedded(focuses)
    queries = [
        Query(
            words=" ".join(focus.words),
            variants=focus.variants,
            vector=vector,
            filings=tuple(filings),
            items=tuple(items),
            statements=weights.statements > 0,
        )
        for focus, vector in zip(focuses, vectors, strict=True)
    ]
    index, lists = ask(readers(tuple(filings)), queries)
    hits = searched(lists, weights)
    share = share_of(len(focuses), limit)
    placed = fuse_searches(hits, share)
    found = without_repeats(candidates(placed[: limit * LOOKED_AT]))
    found = promoted(found, limit)
    found, problem = reranked(" ".join(focus.text for focus in focuses), found)
    notes += (problem,) if problem else ()
    return FoundPassages(
        tuple(passage(one) for one in balanced(found, len(focuses), share, limit)),
        index.name,
        index.model if any(vector is not None for vector in vectors) else "",
        notes,
    )


def embedded(focuses: Sequence[Focus]) -> tuple[list[Vector | None], tuple[str, ...]]:
    """A vector for each focus; none for any where the embedding cannot be had, and the sentence that says so."""
    try:
        model = embedder()
        return [model.query(focus.text) for focus in focuses], ()
    except EmbeddingUnavailable as error:
        return [None] * len(focuses), (f"Searched by words alone: {error}",)


def ask(indexes: Sequence[Index], queries: Sequence[Query]) -> tuple[Index, list[Lists]]:
    """The lists of the first index that can be asked, and that index. Raises the last one's SearchUnavailable."""
    for index in indexes[:-1]:
        try:
            return index, index.lists(queries)
        except SearchUnavailable:
            continue
    return indexes[-1], indexes[-1].lists(queries)


def searched(lists: Sequence[Lists], weights: Weights) -> list[list[Hit]]:
    """Each search fused."""
    return [fuse(one, weights) for one in lists]


def share_of(focuses: int, limit: int) -> int:
    """How many of the best passages of each focus go out in any case: three quarters of all, between them."""
    return max(1, limit * 3 // 4 // max(1, focuses))


def balanced(found: Sequence[Candidate], focuses: int, share: int, limit: int) -> list[Candidate]:
    """The best `limit`, among them the share of each focus, whatever order a reranker has brought."""
    chosen = list(found[:limit])
    for focus in range(focuses):
        missing = share - sum(one.query == focus for one in chosen)
        for one in [one for one in found[limit:] if one.query == focus][: max(0, missing)]:
            # The last passage of a focus that has more than its share makes room.
            over = [other for other in chosen if sum(same.query == other.query for same in chosen) > share]
            if over:
                chosen.remove(over[-1])
                chosen.append(one)
    return chosen


def passage(found: Candidate) -> FoundPassage:
    return FoundPassage(
        found.chunk,
        tuple(chunk.pk for chunk in found.chunks),
        found.section,
        found.ranges,
        found.query,
        found.score,
        dict(found.hit.ranks),
        found.hit.bm25,
        found.hit.cosine,
    )
