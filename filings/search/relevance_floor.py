"""Relevance floor of the search box: passages below it are not shown.

An index returns the nearest passages, however far: nonsense would return twenty. Set on 58 searches over the sample's
three companies and 34 real ones, and on 30 for absent topics: for the former the nearest passage had a cosine of 0.29
to 0.88, for the latter at most 0.40, and at most 0.37 with a word in common. All of the former find something, of the
latter only "what is the capital of France", over the real companies.
"""

from collections.abc import Sequence
from typing import NamedTuple

from filings.search import synonyms
from filings.search.passages import Focus, FoundPassage


class Floor(NamedTuple):
    """Cosines of one model: `alone` suffices without a common word, `beside` together with half of the words."""

    alone: float
    beside: float


# By the beginning of a model's name. For other models words alone decide.
FLOORS = {"local:all-MiniLM-L6-v2": Floor(alone=0.42, beside=0.30)}
HALF = 0.5


def is_near(passage: FoundPassage, text: str, focus: Focus, model: str) -> bool:
    """Whether a passage is near enough to a search to be shown.

    All of the words, or filing words for them, suffice; with half of them the meaning must agree; without any it must
    agree more. text: the passage's with its indexed context. model: that embedded the search; "" is words alone.
    """
    shared = max(share(focus.words, text), 1 / len(focus.words) if passage.bm25 is not None else 0.0)
    floor = next((floor for name, floor in FLOORS.items() if model.startswith(name)), None)
    if floor is None or shared == 1:
        return shared >= HALF
    cosine = passage.cosine or 0.0
    return cosine >= floor.alone or (shared >= HALF and cosine >= floor.beside)


def share(asked: Sequence[str], text: str) -> float:
    """The share of words in a text, from 0 to 1; a word counts by its stem and by its filing words."""
    held = frozenset(synonyms.stemmed(text))
    found = {word for word in asked if held.issuperset(synonyms.stemmed(word))}
    for entry in synonyms.matching(asked):
        if any(held.issuperset(synonyms.stemmed(variant)) for variant in entry.variants):
            found.update(word for word in asked if set(entry.phrase).issuperset(synonyms.stemmed(word)))
    return len(found) / len(asked)
