"""Maintenance of indexes: their content, comparison with the database, and rebuilds."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from filings.models import Filing
from filings.search import active_indexes, indexed_markers, indexing
from filings.search.index import Entry, Index, SearchUnavailable
from filings.search.indexed_chunks import Beat, entries, unheard

logger = logging.getLogger(__name__)

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Status:
    """The state of one index: its content, or why it cannot be read."""

    name: str
    model: str
    dimensions: int
    filings: int = 0
    chunks: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Differences:
    """Filings whose chunks differ between index and database, and those missing in the database.

    unsaid: filings that the index contains completely, though their rows say that they wait.
    """

    differ: tuple[int, ...]
    unknown: tuple[int, ...]
    unsaid: tuple[int, ...]

    def __bool__(self) -> bool:
        return bool(self.differ or self.unknown or self.unsaid)


def status() -> list[Status]:
    """The status of each index in the settings."""
    found = []
    for index in active_indexes.indexes():
        try:
            held = index.held()
        except Exception as error:  # any fault of one index is shown in its line
            found.append(Status(index.name, index.model, index.dimensions, problem=str(error)))
            continue
        chunks = sum(int(digest.partition(":")[0]) for digest in held.values())
        found.append(Status(index.name, index.model, index.dimensions, len(held), chunks))
    return found


def with_chunks() -> Iterator[Filing]:
    """Filings whose text is searched, one at a time: their chunks are many."""
    held = Filing.objects.select_related("company").prefetch_related("company__tickers")
    return held.searched().order_by("pk").iterator(chunk_size=50)


def compare(index: Index, beat: Beat = unheard) -> Differences:
    """Compare an index with the database, by counts and hashes. Changes nothing."""
    held = index.held()
    key = active_indexes.keys((index,))[index.name]
    differ, unsaid = [], []
    known = set()
    for filing in with_chunks():
        known.add(filing.pk)
        if held.get(filing.pk) != indexing.expected(filing):
            differ.append(filing.pk)
        elif (
            indexed_markers.mark(index.name, key, indexed_markers.chunks_digest(filing.pk))
            not in filing.indexed.split()
        ):
            unsaid.append(filing.pk)
        beat(len(known))
    return Differences(tuple(differ), tuple(sorted(set(held) - known)), tuple(unsaid))


def mend(differences: Differences, say: Say = lambda line: None) -> int:
    """Index what differs again, record what is complete, and remove what the database lacks; returns how many."""
    for pk in differences.unknown:
        for index in active_indexes.indexes():
            index.drop(pk)
    for done, pk in enumerate(differences.differ, 1):
        indexing.index_filing(pk)
        say(f"{done} of {len(differences.differ)} filings indexed again.")
    for pk in differences.unsaid:
        indexing.index_filing(pk)
    return len(differences.differ) + len(differences.unknown) + len(differences.unsaid)


def rebuild(say: Say = lambda line: None) -> int:
    """Build every index anew while the current one stays in use, then switch; returns how many filings.

    What was ingested meanwhile is indexed after the switch. Raises SearchUnavailable where vectors are unavailable.
    """
    filings = 0
    for index in active_indexes.indexes():
        building = index.build()
        try:
            filings = 0
            total = Filing.objects.searched().count()
            marked = []
            for filing in with_chunks():
                digest = indexed_markers.chunks_digest(filing.pk)
                building.put(filing.pk, whole(filing))
                marked.append((filing.pk, digest))
                filings += 1
                say(f"{index.name}: {filings} of {total} filings, {filing}")
        except BaseException:
            logger.warning("The rebuilding of the %s index was given up; the one before answers on", index.name)
            building.abandon()
            raise
        building.publish()
        say(f"{index.name}: the new index answers.")
    for pk, digest in marked:
        keys = active_indexes.keys(active_indexes.indexes())
        indexing.say(pk, digest, {name: indexed_markers.mark(name, key, digest) for name, key in keys.items()})
    for index in active_indexes.indexes():
        if differences := compare(index):
            mend(differences, say)
    return filings


def whole(filing: Filing) -> list[Entry]:
    """A filing's entries with their vectors. Raises SearchUnavailable."""
    found, problem = entries(filing)
    if problem:
        raise SearchUnavailable(problem)
    return found
