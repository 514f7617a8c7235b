"""Writes text passages (chunks) from the database into the search indexes. What fails now is tried again later."""

import logging
import math
import time
from collections.abc import Mapping

from django.db import transaction
from django.db.models import Q, QuerySet

from filings.models import Filing
from filings.search import active_indexes, indexed_markers
from filings.search.index import Entry, Index, IndexMismatch, SearchUnavailable
from filings.search.indexed_chunks import Beat, Vectors, entries, unheard
from filings.search.indexed_markers import entry_digest, filing_digest

logger = logging.getLogger(__name__)

# Seconds that one sweep indexes for, so that no ingestion waits long behind it. The next sweep continues.
BUDGET = 40.0


def index_filing(filing_pk: int, beat: Beat = unheard, until: float = math.inf) -> None:
    """Make every index of the settings contain a filing's chunks, then record it on its row.

    Of a withdrawn one they contain none. Safe to call twice, at once, and to be killed at any line: the row says "waiting" until all of it is done. Never
    inside a transaction. Without an embedding only words are indexed, and the filing waits for its vectors, as it does
    for those missing at `until`, by time.monotonic(). A complete index is not written. Raises SearchUnavailable or
    IndexMismatch when an index could not be written; the others are.
    """
    index(filing_pk, beat, until=until)


def index(filing_pk: int, beat: Beat = unheard, with_vectors: bool = True, until: float = math.inf) -> bool:
    """`index_filing`; returns whether vectors were available. with_vectors: False does not ask for them."""
    filing = stored_filing(filing_pk)
    indexes = active_indexes.indexes()
    keys = active_indexes.keys(indexes)
    digest = indexed_markers.chunks_digest(filing_pk)
    if filing is None or filing.withdrawn or not digest:
        for one in indexes:
            one.drop(filing_pk)
        Filing.objects.filter(Q(chunks_stored=0) | Q(withdrawn__isnull=False), pk=filing_pk).update(indexed="")
        return with_vectors
    by_words = {name: indexed_markers.mark(name, key, digest, with_vectors=False) for name, key in keys.items()}
    said = set(filing.indexed.split())
    if not with_vectors and said.issuperset(by_words.values()):
        return False
    text: tuple[list[Entry], str] | None = None
    marks, failed = dict.fromkeys(keys, ""), None
    for one in indexes:
        try:
            if holds_whole(one, filing):
                marks[one.name] = indexed_markers.mark(one.name, keys[one.name], digest)
                continue
            found, problem = text = text or entries(filing, beat, with_vectors, until, stored_vectors(filing))
            whole = all(entry.vectors is not None for entry in found)
            if whole or by_words[one.name] not in said:
                one.put(filing_pk, found)
            marks[one.name] = indexed_markers.mark(one.name, keys[one.name], digest, whole)
        except (SearchUnavailable, IndexMismatch) as error:
            failed = failed or error
    if text:
        found, problem = text
        beat(len(found))
        if problem:
            logger.warning("%s is searched by its words alone until there is an embedding: %s", filing, problem)
            with_vectors = False
    say(filing_pk, digest, marks)
    if failed:
        raise failed
    return with_vectors


def stored_filing(pk: int) -> Filing | None:
    """A filing with the company data that its indexed text begins with."""
    return Filing.objects.select_related("company").prefetch_related("company__tickers").filter(pk=pk).first()


def expected(filing: Filing) -> str:
    """The digest of an index that contains all of a filing; computes no vector."""
    found, _ = entries(filing, with_vectors=False)
    windows = dict(filing.chunks.values_list("pk", "windows"))
    return filing_digest((entry.chunk, entry_digest(entry, len(windows[entry.chunk]))) for entry in found)


def holds_whole(index: Index, filing: Filing) -> bool:
    """Whether an index itself reports everything stored of a filing, with its vectors."""
    held = index.held([filing.pk]).get(filing.pk)
    return held is not None and held == expected(filing)


def stored_vectors(filing: Filing) -> dict[int, Vectors]:
    """The vectors of a filing's chunks from the embedded index; none where it is incomplete."""
    try:
        index = active_indexes.embedded()
        return index.vectors(filing.pk) if index and holds_whole(index, filing) else {}
    except (SearchUnavailable, IndexMismatch):
        return {}


def recognise(filing_pk: int) -> None:
    """Record on a filing's row that the embedded index contains it, if so, without indexing or embedding."""
    try:
        index = active_indexes.embedded()
        filing = stored_filing(filing_pk)
        digest = indexed_markers.chunks_digest(filing_pk)
        if index and filing and digest and holds_whole(index, filing):
            say(
                filing_pk,
                digest,
                {index.name: indexed_markers.mark(index.name, active_indexes.keys((index,))[index.name], digest)},
            )
    except (SearchUnavailable, IndexMismatch) as error:
        logger.warning("It is not known what the embedded index holds: %s", error)


def say(filing_pk: int, digest: str, marks: Mapping[str, str]) -> None:
    """Record on a filing's row which indexes contain it, see `markers.marked`; "" where its chunks have changed since."""
    with transaction.atomic():
        # Locked against an ingestion that stores other chunks.
        filing = Filing.objects.select_for_update().filter(pk=filing_pk).first()
        if filing is None:
            return
        same = indexed_markers.chunks_digest(filing_pk) == digest
        indexed = indexed_markers.marked(filing.indexed, digest, marks) if same else ""
        Filing.objects.filter(pk=filing_pk).exclude(indexed=indexed).update(indexed=indexed)


def waiting() -> QuerySet[Filing]:
    """Filings with chunks that some index of the settings lacks."""
    return indexed_markers.waiting(active_indexes.keys(active_indexes.indexes()).items())


def said_held(index: Index) -> QuerySet[Filing]:
    """Filings that an index contains, according to their rows."""
    return indexed_markers.held_by(index.name, active_indexes.keys((index,))[index.name])


def give_up_lost(index: Index) -> int:
    """Mark filings as waiting if an index has lost them, contrary to their rows; returns how many.

    Safe while others index: rows are read before the index, and changed ones are left alone. Raises SearchUnavailable
    or IndexMismatch where the index cannot be asked: then nothing is known to be lost.
    """
    said = list(said_held(index).values_list("pk", "indexed", "chunks_stored"))
    counts = index.counts()
    lost = sum(
        Filing.objects.filter(pk=pk, indexed=marker).update(indexed=indexed_markers.without(marker, index.name))
        for pk, marker, chunks in said
        if counts.get(pk) != chunks
    )
    if lost:
        logger.error("The %s index has lost %s filings, which wait to be indexed again", index.name, lost)
    return lost


def drop_deleted() -> None:
    """Remove from every index the filings that the database no longer has. Raises SearchUnavailable or IndexMismatch."""
    for index in active_indexes.indexes():
        # Rows are stored before they are indexed: read after the index, they lack only what was deleted.
        indexed = index.counts().keys()
        for pk in sorted(indexed - set(Filing.objects.order_by().values_list("pk", flat=True))):
            index.drop(pk)


def index_waiting(budget: float = BUDGET) -> int:
    """Remove deleted filings from the indexes, and index waiting ones for about so many seconds, at least one filing; returns how many.

    Stops at the first index that cannot be written: the next sweep tries again. A filing that fails for another reason
    does not block those after it.
    """
    done, embedded, started = 0, True, time.monotonic()
    try:
        drop_deleted()
        for pk in list(waiting().values_list("pk", flat=True)):
            try:
                # An embedding that failed once is not tried for each filing.
                embedded = index(pk, with_vectors=embedded, until=started + budget)
                done += 1
            except (SearchUnavailable, IndexMismatch):
                raise
            except Exception:
                logger.exception("Filing %s could not be indexed", pk)
            if time.monotonic() - started > budget:
                break
    except SearchUnavailable as error:
        logger.warning("Filings wait for the search index: %s", error)
    except IndexMismatch as error:
        logger.error("Filings wait for the search index: %s", error)
    return done
