"""Which sentences of two texts are the same, versions of each other, moved, added or dropped."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from math import ceil
from typing import TypeGuard

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Indel

from filings.redline.compared_units import Unit

# Two sentences are versions of one from this share of the same words on; elsewhere in the text more is needed.
VERSION, VERSION_ELSEWHERE = 0.5, 0.7
# A sentence is a part of a longer one that has this share of its words, and of its letters in order.
PART = 0.9
# What moved elsewhere has so many words at least.
LEAST_MOVED = 5
# Longer stretches without a sentence in common are aligned by no pairs in order, only as sentences that moved.
MOST_PAIRS = 40_000
# What typesetters add and leave out, but for what stands in a figure.
_LOOSE = re.compile(r"(?<!\d)[.,;:'\"\s]|[.,;:'\"\s](?!\d)|(?<=[a-z])-(?=[a-z])")


class Kind(StrEnum):
    """What became of a passage. rolled: only figures, dates or years differ, as they do from year to year."""

    SAME = "same"
    ROLLED = "rolled"
    CHANGED = "changed"
    MOVED = "moved"
    ADDED = "added"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence in the older text, in the newer one, or in both. A moved one stands where it is now; `left` marks the
    place where it was.
    """

    kind: Kind
    old: Unit | None = None
    new: Unit | None = None
    left: bool = False

    @property
    def unit(self) -> Unit:
        """The sentence where it is shown: of the newer text where that has it."""
        found = self.new or self.old
        if found is None:
            raise ValueError("A pair has a sentence of one text at least.")
        return found


def paired(old: Unit, new: Unit) -> Pair:
    """Two versions of one sentence, the same where only punctuation or white space differs."""
    kind = Kind.SAME if _letters(old) == _letters(new) else Kind.ROLLED if old.bare == new.bare else Kind.CHANGED
    return Pair(kind, old, new)


def _letters(unit: Unit) -> str:
    return unit.key if unit.kind == "table" else _LOOSE.sub("", unit.key)


def aligned(old: Sequence[Unit], new: Sequence[Unit]) -> Iterator[Pair]:
    """The sentences of two texts side by side, in order; where they part, first those dropped."""
    matcher = SequenceMatcher(None, [one.bare for one in old], [one.bare for one in new], autojunk=False)
    for tag, first, last, start, stop in matcher.get_opcodes():
        if tag == "equal":
            yield from map(paired, old[first:last], new[start:stop])
        else:
            yield from _versions(old[first:last], new[start:stop])


def _versions(old: Sequence[Unit], new: Sequence[Unit]) -> Iterator[Pair]:
    """The best alignment in order of sentences of which none are the same."""
    likely = _likeness(old, new, VERSION) if len(old) * len(new) <= MOST_PAIRS else {}
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for row in range(len(old) - 1, -1, -1):
        for column in range(len(new) - 1, -1, -1):
            score = likely.get((row, column), 0.0)
            with_pair = best[row + 1][column + 1] + score if score else 0.0
            best[row][column] = max(best[row + 1][column], best[row][column + 1], with_pair)
    row = column = 0
    while row < len(old) or column < len(new):
        score = likely.get((row, column), 0.0)
        if score and best[row][column] == best[row + 1][column + 1] + score:
            yield paired(old[row], new[column])
            row, column = row + 1, column + 1
        elif row < len(old) and (column == len(new) or best[row][column] == best[row + 1][column]):
            yield Pair(Kind.DROPPED, old=old[row])
            row += 1
        else:
            yield Pair(Kind.ADDED, new=new[column])
            column += 1


def _likeness(old: Sequence[Unit], new: Sequence[Unit], least: float) -> dict[tuple[int, int], float]:
    """(place of an old unit, place of a new one) -> the share of words that they have in common and in order, from the
    least on. Rows of tables are versions of rows alone.
    """
    after = [one.bare.split() for one in new]
    return {
        (row, column): score
        for row, before in enumerate(old)
        for _, score, column in process.extract(
            before.bare.split(), after, scorer=Indel.normalized_similarity, score_cutoff=least, limit=None
        )
        if (before.kind == "table") == (new[column].kind == "table")
    }


def with_moved(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs of a whole section, with sentences that were dropped in one place and added in another as moved."""
    dropped = [(place, one.old) for place, one in enumerate(pairs) if one.kind is Kind.DROPPED and _may_move(one.old)]
    added = [(place, one.new) for place, one in enumerate(pairs) if one.kind is Kind.ADDED and _may_move(one.new)]
    likely = _likeness([old for _, old in dropped], [new for _, new in added], VERSION_ELSEWHERE)
    found, taken = list(pairs), set[int]()
    for (row, column), _ in sorted(likely.items(), key=lambda one: (-one[1], one[0])):
        (place, old), (other, new) = dropped[row], added[column]
        if place not in taken and other not in taken:
            taken |= {place, other}
            found[other] = Pair(Kind.MOVED, old, new)
            found[place] = Pair(Kind.MOVED, old, new, left=True)
    return found


def with_parted(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, with sentences that were split or merged as moved: what was added but stood in a longer sentence that
    changed, what was dropped but stands in one, and what was put together of such ones.
    """
    found = list(pairs)
    for left, kind, opposite in ((False, Kind.ADDED, Kind.DROPPED), (True, Kind.DROPPED, Kind.ADDED)):
        longer = {
            place: unit
            for place, one in enumerate(pairs)
            if one.kind in {Kind.CHANGED, opposite} and _may_move(unit := one.new if left else one.old)
        }
        holding: dict[str, set[int]] = {}
        for place, unit in longer.items():
            for word in _words(unit):
                holding.setdefault(word, set()).add(place)
        parts: dict[int, list[tuple[int, Unit]]] = {}
        for place, one in enumerate(pairs):
            part = one.old if left else one.new
            if one.kind is kind and _may_move(part) and (at := _whole(part, longer, holding)) is not None:
                parts.setdefault(at, []).append((place, part))
        for at, told in parts.items():
            whole, (_, first) = longer[at], told[0]
            told_of = sum(len(part.bare) for _, part in told)
            if pairs[at].kind is opposite and told_of >= VERSION_ELSEWHERE * len(whole.bare):
                found[at] = Pair(Kind.MOVED, first, whole) if left else Pair(Kind.MOVED, whole, first, left=True)
            for place, part in told:
                found[place] = Pair(Kind.MOVED, part, whole, left=True) if left else Pair(Kind.MOVED, whole, part)
    return found


def _whole(part: Unit, longer: Mapping[int, Unit], holding: Mapping[str, set[int]]) -> int | None:
    """The place of the longer sentence of which another one is a part. holding: the places that have each word."""
    words = sorted(_words(part), key=lambda word: len(holding.get(word, ())))
    least = ceil(PART * len(words))
    # One of so many of its words must stand there, so the rarest tell where to look.
    for place in sorted({place for word in words[: len(words) - least + 1] for place in holding.get(word, ())}):
        whole = longer[place].bare
        enough = len(whole) > len(part.bare) and sum(place in holding.get(word, ()) for word in words) >= least
        if enough and fuzz.partial_ratio(part.bare, whole, score_cutoff=100 * PART):
            return place
    return None


def _words(unit: Unit) -> set[str]:
    return {word.strip(".,;:") for word in unit.bare.split()}


def _may_move(unit: Unit | None) -> TypeGuard[Unit]:
    return unit is not None and unit.kind not in {"table", "heading"} and len(unit.key.split()) >= LEAST_MOVED
