"""The rows by which a filing divides a figure into segments, products or regions, as its facts are tagged.

A part may be tagged alone, as a segment's own figure, inside another part, or only by region, so that its figure is the
sum. Products may be given for some segments only. Each way is tried, and the first one that adds up is used.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from agent.numbers.parts.divisions import Division, Part, divisions, undivided
from agent.numbers.parts.part_facts import AXES, OWN, Divided, axis
from filings.models import Fact
from filings.xbrl.axes import BESIDE, PARTS

SEGMENTS, SUBSEGMENTS = "StatementBusinessSegmentsAxis", "SubsegmentsAxis"
# A division in which one part is nearly all of the figure tells less than the division of that part.
NEARLY_ALL = Decimal("0.9")


@dataclass(frozen=True)
class Tagged:
    """A fact with its dimensions, as "Axis=Member": those of parts, and those of consolidation other than a segment's own."""

    fact: Fact

    @cached_property
    def tolds(self) -> frozenset[str]:
        return frozenset(told for told in self.fact.dimensions.split(";") if axis(told) not in BESIDE)

    @cached_property
    def is_own(self) -> bool:
        return OWN in self.fact.dimensions.split(";")

    @cached_property
    def item(self) -> str:
        """Its dimension of consolidation other than a segment's own; empty where it has none."""
        told = self.fact.dimensions.split(";")
        return next((one for one in told if axis(one) in BESIDE and one != OWN), "")

    @property
    def is_item(self) -> bool:
        return bool(self.item)

    def on(self, axes: Sequence[str]) -> str:
        """Its member on one of these axes; empty where it has none, or several."""
        found = [told for told in self.tolds if axis(told) in axes]
        return found[0] if len(found) == 1 else ""


def found_divisions(kind: str, figure: Divided, most: Decimal) -> list[Division]:
    """The divisions of a figure into parts of one kind: those that add up, or else the one that comes nearest.

    Of several that add up, those of the preferred tagging, the most detailed first. kind: as in AXES. most: parts that
    come to more than this multiple of the figure overlap, and are none.
    """
    every = {name: [Tagged(one) for one in figure.facts if one.name == name] for name in _elements(figure)}
    nearest: list[Division] = []
    for facts in every.values():
        for axes in ((one,) for one in AXES[kind]):
            tried = []
            ways = [(own_first, inside) for inside in (False, True) for own_first in (True, False)]
            for own_first, inside in ways if kind == "segment" else ((False, True), (True, True)):
                rows, items = _rows(facts, axes, own_first=own_first, inside=inside)
                if (rows, items) in tried:
                    continue
                tried.append((rows, items))
                if exact := divisions(figure.whole, rows, items):
                    return [_with_dominant_divided(one, facts) for one in exact] if kind == "segment" else exact
                if rest := undivided(figure.whole, rows, [one for one in items if one.told]):
                    nearest.append(rest)
    for facts in every.values() if kind != "segment" else ():
        if exact := [*_inside_segments(kind, figure, facts), *_as_printed(kind, figure, facts)]:
            return exact
    told = [one for one in nearest if not _overlaps(one, most)]
    return sorted(told, key=lambda one: abs(one.left))[:1]


def rows_of(members: Collection[str], figure: Divided) -> list[Part]:
    """The rows of a part in the ways in which a figure is divided, each once; those of several facts where these add up."""
    kinds = [kind for kind, axes in AXES.items() if any(axis(one) in axes for one in members)]
    found = [
        row
        for kind in kinds
        for one in found_divisions(kind, figure, Decimal(2))
        for row in one.rows
        if row.told in members and (len(row.facts) == 1 or one.adds_up)
    ]
    return list({row.key: row for row in found}.values())


def _elements(figure: Divided) -> tuple[str, ...]:
    return tuple(dict.fromkeys((figure.whole.name, *figure.names)))


def _overlaps(division: Division, most: Decimal) -> bool:
    total = sum((one.value for one in division.top), Decimal(0))
    return all(one.value >= 0 for one in division.top) and total > division.whole.value * most


def _rows(
    facts: Sequence[Tagged], axes: Sequence[str], *, own_first: bool, inside: bool = True
) -> tuple[list[Part], list[Part]]:
    """The parts on these axes and the items that reconcile them with the whole, in the order of the document.

    own_first: a segment's own figure, which includes sales to other segments, before the figure tagged without it.
    inside: also parts that are only tagged inside others.
    """
    members: dict[str, list[Tagged]] = {}
    for one in facts:
        if told := one.on(axes):
            members.setdefault(told, []).append(one)
    rows, items, around = [], [], set[str]()
    for told, tagged in members.items():
        if not inside:
            tagged = [one for one in tagged if one.tolds == {told}]
        if part := _part(told, [one for one in tagged if not one.is_item], own_first=own_first):
            rows.append(part)
            around |= {axis(other) for one in part.facts for other in Tagged(one).tolds} - set(axes)
        else:
            items += [Part((one.fact,), told, reconciling=True) for one in tagged if one.tolds == {told}]
    items += [
        Part((one.fact,), one.item, reconciling=True)
        for one in facts
        if one.is_item and not one.on(axes) and {axis(told) for told in one.tolds} <= around - PARTS
    ]
    # A row for all else is sometimes tagged as operating segments' without one; so is their total.
    items += [
        Part((one.fact,), "", reconciling=True) for one in facts if one.is_own and not one.tolds and one.fact.label
    ]
    return sorted(rows, key=lambda one: one.place), [one for one in items if one.value]


def _part(told: str, tagged: Sequence[Tagged], *, own_first: bool) -> Part | None:
    """The part that these facts of one member give: tagged alone, inside exactly one other, or by the parts of another
    axis.
    """
    alone = sorted((one for one in tagged if one.tolds == {told}), key=lambda one: one.is_own is not own_first)
    if alone:
        return Part((alone[0].fact,), told)
    inside = list({one.tolds: one for one in sorted(tagged, key=lambda one: one.is_own is own_first)}.values())
    if len(inside) == 1:
        return Part((inside[0].fact,), told)
    others = [one.tolds - {told} for one in inside]
    by_one = {axis(next(iter(one))) for one in others if len(one) == 1}
    if inside and len(by_one) == 1 and by_one <= PARTS and all(len(one) == 1 for one in others):
        return Part(tuple(one.fact for one in sorted(inside, key=lambda one: (one.fact.order, one.fact.pk))), told)
    return None


def _with_dominant_divided(division: Division, facts: Sequence[Tagged]) -> Division:
    """The division with a segment that is nearly all of the figure divided into its own segments, where it is."""
    used = {fact for one in division.rows for fact in one.facts}
    spare = [Part((one.fact,), one.item) for one in facts if one.is_item and not one.tolds and one.fact not in used]
    top = tuple(
        _divided(one, facts, (SUBSEGMENTS,), spare)
        if abs(one.value) >= abs(division.whole.value) * NEARLY_ALL
        else one
        for one in division.top
    )
    return replace(division, top=top)


def _divided(part: Part, facts: Sequence[Tagged], axes: Sequence[str], spare: Sequence[Part] = ()) -> Part:
    """A segment with the parts that add up to it, where its own facts give them.

    spare: items of the whole company that may be the segment's.
    """
    if len(part.facts) > 1 or part.reconciling:
        return part
    inside = [_without(one, part.told) for one in facts if part.told in one.tolds and one.fact != part.facts[0]]
    for own_first in (True, False):
        rows, items = _rows(inside, axes, own_first=own_first)
        if found := divisions(part.facts[0], rows, [*items, *spare]):
            # An item inside a segment is one of its parts.
            return replace(part, parts=tuple(replace(one, reconciling=False) for one in found[0].top))
    return part


def _without(one: Tagged, told: str) -> Tagged:
    """A fact inside a part, without that part among its dimensions."""
    found = Tagged(one.fact)
    found.__dict__["tolds"] = one.tolds - {told}
    return found


def _inside_segments(kind: str, figure: Divided, facts: Sequence[Tagged]) -> Iterator[Division]:
    """The segments with each one divided that the filing divides into parts of this kind.

    Only where most of the figure is divided, and the segments add up but for a small rest.
    """
    for own_first in (True, False):
        rows, items = _rows(facts, (SEGMENTS,), own_first=own_first)
        exact = divisions(figure.whole, rows, items)
        near = undivided(figure.whole, rows, items)
        for one in exact[:1] or ([near] if near and near.has_small_rest else []):
            division = replace(one, top=tuple(_divided(part, facts, AXES[kind]) for part in one.top))
            inside = sum((abs(part.value) for part in division.top if part.parts), Decimal(0))
            if inside > abs(figure.whole.value) / 2:
                yield division
                return


def _as_printed(kind: str, figure: Divided, facts: Sequence[Tagged]) -> Iterator[Division]:
    """Rows of segments and of parts of this kind, as one table of the filing lists them."""
    axes = {SEGMENTS, SUBSEGMENTS, *AXES[kind]}
    kept: dict[frozenset[str], Tagged] = {}
    for one in facts:
        if one.tolds and not one.is_item and {axis(told) for told in one.tolds} <= axes:
            kept.setdefault(one.tolds, one)
    rows = [Part((one.fact,), one.on(AXES[kind]) or min(tolds)) for tolds, one in kept.items()]
    for found in divisions(figure.whole, sorted(rows, key=lambda part: part.place)):
        if sum(axis(part.told) in AXES[kind] for part in found.rows if not part.parts) > 1:
            yield found
