"""The parts of a section, each a heading with the text below it, and which part of an older section each one was."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from rapidfuzz import fuzz, process

from filings.redline.compared_units import Unit

# Two headings are versions of one from this share of the same letters on, long ones from a smaller one: of 38 pairs of
# risk factors a year apart all so near were of one risk. Two parts are from this share of the same sentences on. All are
# compared without figures.
ALIKE, LONG_ALIKE, SHARED = 0.75, 0.65, 0.3
# A long heading has so many words at least.
LONG = 6
# Parts with less in common in both ways together are two.
TOGETHER = 0.8


@dataclass(frozen=True, slots=True)
class Part:
    """A heading and the units below it up to the next heading. What stands above the first heading has none."""

    heading: Unit | None
    units: tuple[Unit, ...]

    @property
    def name(self) -> str:
        """Its heading as compared; empty without one."""
        return self.heading.bare if self.heading else ""


def parts_of(units: Sequence[Unit]) -> list[Part]:
    """The parts of a section, in order."""
    starts = [place for place, one in enumerate(units) if one.kind == "heading"]
    found = [Part(None, tuple(units[: starts[0] if starts else None]))]
    for start, end in pairwise([*starts, len(units)]):
        found.append(Part(units[start], tuple(units[start + 1 : end])))
    return [one for one in found if one.heading or one.units]


def matched(old: Sequence[Part], new: Sequence[Part]) -> dict[int, int]:
    """Place of a new part -> place of the old part that it is a version of: by the same heading in the same order, by the
    same heading elsewhere, and then by what is most alike. Each old part is taken once.
    """
    names = [one.name for one in old], [one.name for one in new]
    found = {
        new_place + step: old_place + step
        for old_place, new_place, size in SequenceMatcher(None, *names, autojunk=False).get_matching_blocks()
        for step in range(size)
    }
    likely = _likeness(
        {place: one for place, one in enumerate(old) if place not in set(found.values())},
        {place: one for place, one in enumerate(new) if place not in found},
    )
    taken: set[int] = set()
    for (one, other), _ in sorted(likely.items(), key=lambda row: (-row[1], abs(row[0][0] - row[0][1]), row[0])):
        if one not in taken and other not in found:
            found[other] = one
            taken.add(one)
    return found


def _likeness(old: Mapping[int, Part], new: Mapping[int, Part]) -> dict[tuple[int, int], float]:
    """(place of an old part, place of a new one) -> how much they have in common in heading and sentences, from 0 to 2;
    of those pairs that are versions of one part.
    """
    before = {place: Counter(unit.bare for unit in one.units) for place, one in old.items()}
    after = {place: Counter(unit.bare for unit in one.units) for place, one in new.items()}
    holding: dict[str, list[int]] = {}
    for place, told in before.items():
        for sentence in told:
            holding.setdefault(sentence, []).append(place)
    names = {place: one.name for place, one in old.items() if one.name}
    found: dict[tuple[int, int], float] = {}
    for other, told in after.items():
        same_name = process.extract(
            new[other].name, names, scorer=fuzz.ratio, score_cutoff=100 * LONG_ALIKE, limit=None
        )
        near = {one for _, _, one in same_name} | {one for sentence in told for one in holding.get(sentence, ())}
        for one in near:
            heading = fuzz.ratio(old[one].name, new[other].name) / 100 if old[one].name and new[other].name else 0.0
            shared = 2 * (before[one] & told).total() / max(1, before[one].total() + told.total())
            long = min(len(old[one].name.split()), len(new[other].name.split())) >= LONG
            if heading >= (LONG_ALIKE if long else ALIKE) or shared >= SHARED or heading + shared >= TOGETHER:
                found[one, other] = heading + shared
    return found


def moved(places: Mapping[int, int]) -> set[int]:
    """Places of the new parts that stand in another order than before. places: of each new part that of its old one."""
    order = sorted(places)
    stood = [places[new] for new in order]
    blocks = SequenceMatcher(None, sorted(stood), stood, autojunk=False).get_matching_blocks()
    return set(order) - {order[block.b + step] for block in blocks for step in range(block.size)}
