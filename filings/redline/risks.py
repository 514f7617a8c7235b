"""What became of each risk between two texts: a risk is its caption with the text below it."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt

from filings.redline.alignment import Kind, Pair
from filings.redline.compared_units import Unit

# Measured on 36 pairs of risk factors a year apart. Two risks that stand in one text each are one, reworded, from this
# likeness of their words on: of two risks it was 0.2 at most. A risk stands under another heading from this sum on: the
# share of its text that is found in the other text, and its likeness to the part there that is most like it.
REWORDED, ELSEWHERE = 0.3, 0.8
# How often a word of a caption counts.
WEIGHT = 2
_WORD = re.compile(r"[a-z][a-z'-]+")

Span = tuple[int, int]
# The weights of words, and the sum of their squares.
Vector = tuple[Mapping[str, float], float]


@dataclass(frozen=True)
class Told:
    """A heading of one text with the units below it, and how much of their text the other text has, from 0 to 1."""

    heading: Unit
    units: tuple[Unit, ...]
    shared: float

    @cached_property
    def words(self) -> Counter[str]:
        """Its words, those of the heading with more weight."""
        found = Counter(word for unit in self.units for word in _WORD.findall(unit.bare))
        return found + Counter(_WORD.findall(self.heading.bare) * WEIGHT)


def became(
    parts: Sequence[tuple[Pair, Sequence[Pair]]], old: Collection[Span], new: Collection[Span]
) -> tuple[Pair, ...]:
    """Every risk of both texts once, in the parts' order: added or dropped only where nothing like it stands in the other
    text, moved where it stands there under another heading. parts: headings and what is below; old, new: where the
    captions of each text stand.
    """
    told = [(_told(pair, below, left=True), _told(pair, below, left=False)) for pair, below in parts]
    found, olds, news = dict[int, Pair](), dict[int, Told](), dict[int, Told]()
    for place, ((pair, _), (before, after)) in enumerate(zip(parts, told, strict=True)):
        was, stands = before is not None and _span(before) in old, after is not None and _span(after) in new
        if (was and stands) or (pair.kind is Kind.SAME and (was or stands)):
            found[place] = pair
        elif before and was:
            olds[place] = before
        elif after and stands:
            news[place] = after
    if olds or news:
        found |= dict(_alone(olds, news, [one for one, _ in told if one], [one for _, one in told if one]))
    return tuple(found[place] for place in sorted(found))


def _alone(
    olds: dict[int, Told], news: dict[int, Told], before: Sequence[Told], after: Sequence[Told]
) -> Iterator[tuple[int, Pair]]:
    """The places of risks whose heading has no version in the other text, with what became of them. before, after: all
    that stands in each text.
    """
    vectors = _vectors([*before, *after])
    likely = {
        (one, other): _likeness(vectors[id(olds[one])], vectors[id(news[other])]) for one in olds for other in news
    }
    for (one, other), score in sorted(likely.items(), key=lambda row: -row[1]):
        if score >= REWORDED and one in olds and other in news:
            yield other, Pair(Kind.CHANGED, olds.pop(one).heading, news.pop(other).heading)

    def stands(one: Told, others: Sequence[Told]) -> bool:
        nearest = max((_likeness(vectors[id(one)], vectors[id(other)]) for other in others), default=0.0)
        return one.shared + nearest >= ELSEWHERE

    for place, told in olds.items():
        kind = Kind.MOVED if stands(told, after) else Kind.DROPPED
        yield place, Pair(kind, old=told.heading, left=kind is Kind.MOVED)
    for place, told in news.items():
        yield place, Pair(Kind.MOVED if stands(told, before) else Kind.ADDED, new=told.heading)


def _told(pair: Pair, below: Sequence[Pair], *, left: bool) -> Told | None:
    """A part as it stands in the older text (left) or in the newer one; None where it has no heading there."""
    heading = pair.old if left else pair.new
    if heading is None:
        return None
    here = [one for one in below if one.kind is not Kind.MOVED or one.left is left]
    units = [(unit, one) for one in here if (unit := one.old if left else one.new)]
    size = sum(len(unit.key) for unit, _ in units)
    shared = sum(len(unit.key) for unit, one in units if one.old and one.new)
    return Told(heading, tuple(unit for unit, _ in units), shared / size if size else 0.0)


def _span(one: Told) -> Span:
    return one.heading.start, one.heading.end


def _vectors(parts: Sequence[Told]) -> dict[int, Vector]:
    """By identity of each part, its words: a word weighs more, the fewer parts have it."""
    having = Counter(word for one in parts for word in one.words)
    weights = {word: log(1 + len(parts) / count) for word, count in having.items()}
    found = {}
    for one in parts:
        weighed = {word: (1 + log(count)) * weights[word] for word, count in one.words.items()}
        found[id(one)] = weighed, sum(weight * weight for weight in weighed.values())
    return found


def _likeness(one: Vector, other: Vector) -> float:
    """The cosine of the words of two parts."""
    (first, first_square), (second, second_square) = one, other
    length = sqrt(first_square * second_square)
    return sum(weight * second.get(word, 0.0) for word, weight in first.items()) / length if length else 0.0
