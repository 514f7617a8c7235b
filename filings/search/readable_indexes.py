"""Finds the indexes that a search can use: those that contain every filing in its scope."""

from collections.abc import Iterable
from typing import NamedTuple

from filings.models import Filing
from filings.search import active_indexes, indexing
from filings.search.index import Index, SearchUnavailable
from filings.search.indexed_markers import holds


class Readers(NamedTuple):
    """The usable indexes in order, and the filings in scope that have text."""

    indexes: tuple[Index, ...]
    filings: tuple[int, ...] = ()


def readers(filings: tuple[int, ...]) -> Readers:
    """The indexes of the settings that contain all of these filings; or else the embedded file, if it does.

    Rows decide; without an entry the file itself is checked, because another index may have been in use when they were
    written. A search of everything uses the most complete. Raises SearchUnavailable where none is usable.
    """
    written, former = active_indexes.indexes(), active_indexes.former()
    if not filings:
        most = max((*written, *former), key=lambda index: indexing.said_held(index).count()) if former else written[0]
        return Readers(former if most in former else written)
    for look in (False, True):
        marked = marks(filings)
        if look:
            for pk in marked:
                indexing.recognise(pk)
            marked = marks(filings)
        for some in (written, former):
            if able := holding(some, marked.values()):
                return Readers(able, tuple(marked))
    raise SearchUnavailable("The text of this filing is still waiting to be indexed.")


def marks(filings: Iterable[int]) -> dict[int, str]:
    """The rows' index entries of filings with text."""
    return dict(Filing.objects.filter(pk__in=filings, chunks_stored__gt=0).values_list("pk", "indexed"))


def holding(indexes: tuple[Index, ...], marks: Iterable[str]) -> tuple[Index, ...]:
    """Indexes that contain every filing with these marks."""
    keys, told = active_indexes.keys(indexes), list(marks)
    return tuple(index for index in indexes if all(holds(mark, index.name, keys[index.name]) for mark in told))
