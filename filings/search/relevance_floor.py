"""Relevance floor of the search box: passages below it are not shown.

An index lists what is nearest, however far that is: somebody who types nonsense would be shown twenty passages. Set on
58 searches of the sample's three companies and of 34 real ones, and on 30 for what no filing has: of the former the
nearest passage had a cosine of 0.29 to 0.88, of the latter of at most 0.40, and at most 0.37 with a word in common.
All of the former find something, of the latter "what is the capital of France" alone, of the real companies.
"""

from collections.abc import Sequence
from typing import NamedTuple

from filings.search import synonyms
from filings.search.passages import Focus, FoundPassage


class Floor(NamedTuple):
    """Cosines of one model: `alone` says enough without a word in common, `beside` together with half of the words."""

    alone: float
    beside: float


# By the beginning of a model's name. Of another the cosines are not known, and words alone decide.
FLOORS = {"local:all-MiniLM-L6-v2": Floor(alone=0.42, beside=0.30)}
HALF = 0.5


def is_near(passage: FoundPassage, text: str, focus: Focus, model: str) -> bool:
    """Whether a passage is near enough to a search to be shown.

    All of the words, or filing words for them, are enough; with half of them meaning has to agree; without any it has
    to agree more. text: of the passage with what it is indexed under. model: what embedded the search; "" is words
    alone.
    """
    shared = max(share(focus.words, text), 1 / len(focus.words) if passage.bm25 is not None else 0.0)
    floor = next((floor for name, floor in FLOORS.items() if model.startswith(name)), None)
    if floor is None or shared == 1:
        return shared >= HALF
    cosine = passage.cosine or 0.0
    return cosine >= floor.alone or (shared >= HALF and cosine >= floor.beside)


def share(asked: Sequence[str], text: str) -> float:
    """How many of the words stand in a text, from 0 to 1; a word counts by its stem and by its filing words."""
    held = frozenset(synonyms.stemmed(text))
    found = {word for word in asked if held.issuperset(synonyms.stemmed(word))}
    for entry in synonyms.matching(asked):
        if any(held.issuperset(synonyms.stemmed(variant)) for variant in entry.variants):
            found.update(word for word in asked if set(entry.phrase).issuperset(synonyms.stemmed(word)))
    return len(found) / len(asked)
