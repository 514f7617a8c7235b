"""Passages beside those a question finds by itself: for searches in the language of filings, and for later rounds."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.prose.passages import LOOKED_AT, MOST, of_chunks
from agent.state import FilingRef, Passage, Retrieval, SubQuery, Target


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched in the filing of one target. known: passages found for it already."""

    target: Target
    filing: FilingRef
    searches: tuple[SubQuery, ...]
    known: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Followed:
    """The searches of one target that follow one reading of the question; of a question with one reading, all."""

    wanted: Wanted
    axis: str
    searches: tuple[SubQuery, ...]

    @property
    def known(self) -> set[int]:
        """Chunks that are nothing new: to a reading, those that were found for it."""
        return {
            chunk
            for one in self.wanted.known
            if not self.axis or self.axis in one.axes
            for chunk in (one.chunk, *one.chunks)
        }


def further(wanted: Sequence[Wanted]) -> list[Retrieval]:
    """New passages for each target and reading, at most eight; side by side. Raises SearchUnavailable or IndexMismatch.

    A question that names its Items is searched in these alone.
    """
    # The index brings numpy, and the web process imports this module's neighbours.
    from filings.search.passages import Focus, Search, find_all

    followed = [
        Followed(each, axis, tuple(one for one in each.searches if one.axis == axis))
        for each in wanted
        for axis in dict.fromkeys(one.axis for one in each.searches)
    ]
    found = find_all(
        [
            Search(
                tuple(Focus(one.label, one.words, one.variants, one.tables) for one in each.searches),
                (each.wanted.filing.filing,),
                named_items(each.wanted.target),
            )
            for each in followed
        ],
        limit=LOOKED_AT,
    )
    retrievals = []
    for each, result in zip(followed, found, strict=True):
        known = each.known
        new = [one for one in result.passages if known.isdisjoint(one.chunks)][:MOST]
        passages = of_chunks(new, each.wanted.filing, each.wanted.target)
        # Its sub-query is one of the question's own: which one a sentence answers is seen when it is drafted.
        told = {"query": 0, "axes": tuple(filter(None, (each.axis,)))}
        retrievals.append(
            Retrieval(
                target=each.wanted.target.id,
                passages=tuple(one.model_copy(update=told) for one in passages),
                index=result.index,
                model=result.model,
                notes=result.notes,
            )
        )
    return retrievals


def named_items(target: Target) -> tuple[str, ...]:
    """The Items that a question names itself; none where the whole filing may answer."""
    return target.topic.items if target.topic and target.topic.named else ()
