"""Passages beside those a question finds by itself: for searches in the language of filings, and for later rounds."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.prose.passages import LOOKED_AT, MOST, of_chunks
from agent.state import FilingRef, Retrieval, SubQuery, Target


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched in the filing of one target. known: chunks found for it already."""

    target: Target
    filing: FilingRef
    searches: tuple[SubQuery, ...]
    known: frozenset[int]


def further(wanted: Sequence[Wanted]) -> list[Retrieval]:
    """New passages for each target, at most eight; side by side. Raises SearchUnavailable or IndexMismatch."""
    # The index brings numpy, and the web process imports this module's neighbours.
    from filings.search.passages import Focus, Search, find_all

    found = find_all(
        [
            Search(
                tuple(Focus(text=one.label, words=one.words, variants=one.variants) for one in each.searches),
                (each.filing.filing,),
            )
            for each in wanted
        ],
        limit=LOOKED_AT,
    )
    retrievals = []
    for each, result in zip(wanted, found, strict=True):
        new = [one for one in result.passages if each.known.isdisjoint(one.chunks)][:MOST]
        passages = of_chunks(new, each.filing, each.target)
        retrievals.append(
            Retrieval(
                target=each.target.id,
                passages=tuple(
                    one.model_copy(update={"axes": tuple(filter(None, (each.searches[one.query].axis,)))})
                    for one in passages
                ),
                index=result.index,
                model=result.model,
                notes=result.notes,
            )
        )
    return retrievals
