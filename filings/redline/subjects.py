"""Whether two sentences of two texts tell of the same, by the words that few other sentences of the texts have."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from math import log

from rapidfuzz.distance import Indel

from filings.redline.alignment import VERSION_ELSEWHERE, Kind, Pair
from filings.redline.compared_units import Unit
from filings.tables.months import MONTHS

# Share of the weight of their words that two versions of a sentence have in common; more where dates in other months differ.
SHARED, SHARED_OTHER_DATE = 0.5, 0.75
# Words that a sentence begins with, by which it tells of the same as one of the year before.
SUBJECT = 3
_WORD = re.compile(r"[^\W\d_][\w'-]+")
_DATE = re.compile(rf"\b({'|'.join(MONTHS)}) \d")


class Weights:
    """How much each word tells of what a sentence is about: the more, the fewer sentences have it."""

    def __init__(self, units: Iterable[Unit]) -> None:
        every = [set(_WORD.findall(one.bare)) for one in units]
        self.of = {word: log(len(every) / count) for word, count in Counter(w for one in every for w in one).items()}

    def shared(self, old: Unit, new: Unit) -> float:
        """The share of their words' weight that two sentences have in common: 0 to 1."""
        before, after = set(_WORD.findall(old.bare)), set(_WORD.findall(new.bare))
        weight = sum(self.of[word] for word in (*before, *after))
        return 2 * sum(self.of[word] for word in before & after) / weight if weight else 1.0


def parted(pairs: Iterable[Pair], weights: Weights) -> Iterator[Pair]:
    """The pairs, with a sentence that changed into one about something else as dropped, and the other as added."""
    for one in pairs:
        if one.kind is Kind.CHANGED and one.old and one.new and _are_apart(one.old, one.new, weights):
            yield Pair(Kind.DROPPED, old=one.old)
            yield Pair(Kind.ADDED, new=one.new)
        else:
            yield one


def _are_apart(old: Unit, new: Unit, weights: Weights) -> bool:
    """Whether two sentences tell of something else. What begins alike tells of the same at another date of the same month."""
    before, after = old.bare.split(), new.bare.split()
    if new.kind == "table" or Indel.normalized_similarity(before, after) >= VERSION_ELSEWHERE:
        return False
    if set(_DATE.findall(old.key)) != set(_DATE.findall(new.key)):
        return weights.shared(old, new) < SHARED_OTHER_DATE
    return before[:SUBJECT] != after[:SUBJECT] and weights.shared(old, new) < SHARED
