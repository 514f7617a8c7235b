"""Passages of filings that answer a compound question: several focused searches, fused."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from django.conf import settings

from filings.models import CHUNKS_A_FILING
from filings.search.fusion import Weights, fuse, fuse_searches, parse_weights
from filings.search.index import Index, Lists, Query, SearchUnavailable, Vector
from filings.search.merge_hits import Candidate, candidates, promoted, without_repeats
from filings.search.readable_indexes import Readers, readers
from filings.search.rerank import reranked
from filings.text.embeddings import EmbeddingUnavailable, embedder

# Candidates considered for each returned passage: repeats and promoted parents make room for the next.
LOOKED_AT = 2
# A parent's hits must be among this many of the best: otherwise most passages would be long parents.
PROMOTING = 16
# Searches of several companies, periods and phrases run in parallel.
AT_ONCE = 6


@dataclass(frozen=True, slots=True)
class Focus:
    """One focused search: the embedded text, its content words, and filing words for them.

    tables: whether a table is looked for, so that statement tables count whatever the settings say.
    """

    text: str
    words: tuple[str, ...]
    variants: tuple[str, ...] = ()
    tables: bool = False


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A chunk, or a parent promoted over its chunks, with its rank and score in each list.

    `query` is the index of the focus that ranked it best; bm25 and cosine are that focus's. chunks: its parts.
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
    """At most `limit` passages, best first; the index and model that answered ("" = words alone), and notes."""

    passages: tuple[FoundPassage, ...]
    index: str
    model: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """One search over the given filings and Items; without Items, over all Items."""

    focuses: tuple[Focus, ...]
    filings: tuple[int, ...]
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """The ranked lists that an index returned for one search."""

    index: Index
    lists: list[Lists]
    model: str
    notes: tuple[str, ...]


def find(focuses: Sequence[Focus], filings: Sequence[int], items: Sequence[str] = (), limit: int = 8) -> FoundPassages:
    """Search the given filings and Items for each focus. Raises SearchUnavailable or IndexMismatch."""
    return find_all([Search(tuple(focuses), tuple(filings), tuple(items))], limit)[0]


def find_all(searches: Sequence[Search], limit: int = 8) -> list[FoundPassages]:
    """Several searches in parallel, each with its own passages. Raises SearchUnavailable or IndexMismatch."""
    # Database access stays on this thread; the others wait for the embedding and the index.
    able = [readers(search.filings) for search in searches]
    if len(searches) == 1:
        listed = [listed_by(able[0], searches[0])]
    else:
        with ThreadPoolExecutor(min(AT_ONCE, len(searches) or 1)) as threads:
            listed = list(threads.map(listed_by, able, searches))
    return [of_lists(search, found, limit) for search, found in zip(searches, listed, strict=True)]


def listed_by(able: Readers, search: Search) -> Listed:
    """The lists of the first available index for a search."""
    weights = parse_weights(settings.SEARCH_WEIGHTS)
    vectors, notes = embedded(search.focuses)
    queries = [
        Query(
            words=" ".join(focus.words),
            variants=focus.variants,
            vector=vector,
            filings=search.filings,
            items=search.items,
            statements=weights_of(focus, weights).statements > 0,
        )
        for focus, vector in zip(search.focuses, vectors, strict=True)
    ]
    index, lists = ask(able, queries)
    return Listed(index, lists, index.model if any(vector is not None for vector in vectors) else "", notes)


def of_lists(search: Search, listed: Listed, limit: int) -> FoundPassages:
    """The passages of a search, from the lists of its focuses."""
    count, share = len(search.focuses), share_of(len(search.focuses), limit)
    weights = parse_weights(settings.SEARCH_WEIGHTS)
    hits = [fuse(lists, weights_of(focus, weights)) for focus, lists in zip(search.focuses, listed.lists, strict=True)]
    placed = fuse_searches(hits, share)
    found = promoted(without_repeats(candidates(placed[: limit * LOOKED_AT])), min(limit, PROMOTING))
    found, problem = reranked(" ".join(focus.text for focus in search.focuses), found)
    return FoundPassages(
        tuple(passage(one) for one in balanced(found, count, share, limit)),
        listed.index.name,
        listed.model,
        (*listed.notes, problem) if problem else listed.notes,
    )


def embedded(focuses: Sequence[Focus]) -> tuple[list[Vector | None], tuple[str, ...]]:
    """A vector for each focus; none, with a sentence that says so, where the embedding is unavailable."""
    try:
        model = embedder()
        return [model.query(focus.text) for focus in focuses], ()
    except EmbeddingUnavailable as error:
        return [None] * len(focuses), (f"Searched by words alone: {error}",)


def ask(able: Readers, queries: Sequence[Query]) -> tuple[Index, list[Lists]]:
    """The lists of the first available index, and that index. Raises the last one's SearchUnavailable."""
    for index in able.indexes[:-1]:
        try:
            return index, lists_of(index, queries, able.filings)
        except SearchUnavailable:
            continue
    return able.indexes[-1], lists_of(able.indexes[-1], queries, able.filings)


def lists_of(index: Index, queries: Sequence[Query], filings: Sequence[int]) -> list[Lists]:
    """The result of one index. Raises SearchUnavailable where it has lost one of these filings.

    Only filings without any result are checked.
    """
    lists = index.lists(queries)
    found = {row.chunk // CHUNKS_A_FILING for one in lists for row in (*one.dense, *one.lexical, *one.statements)}
    unseen = [filing for filing in filings if filing not in found]
    if unseen and len(index.counts(unseen)) < len(unseen):
        raise SearchUnavailable(f"The {index.name} index has lost the text of this filing; it will be indexed again.")
    return lists


def weights_of(focus: Focus, weights: Weights) -> Weights:
    """The weights of one search: where a table is looked for, statement tables count like all words."""
    return weights._replace(statements=max(weights.statements, weights.lexical)) if focus.tables else weights


def share_of(focuses: int, limit: int) -> int:
    """How many of each focus's best passages are always returned: three quarters of all, together."""
    return max(1, limit * 3 // 4 // max(1, focuses))


def balanced(found: Sequence[Candidate], focuses: int, share: int, limit: int) -> list[Candidate]:
    """The best `limit`, including each focus's share, whatever the reranker's order."""
    chosen = list(found[:limit])
    for focus in range(focuses):
        missing = share - sum(one.query == focus for one in chosen)
        for one in [one for one in found[limit:] if one.query == focus][: max(0, missing)]:
            # The last passage of a focus with more than its share makes room.
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
