"""A section of two filings compared: its parts, their paragraphs, and what became of each sentence."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from filings.document.blocks import Block
from filings.models import Section
from filings.redline.alignment import Kind, Pair, aligned, paired, with_moved
from filings.redline.captions import is_caption
from filings.redline.parts import Part, matched, moved, parts_of
from filings.redline.units import units_of

QUIET = frozenset({Kind.SAME, Kind.ROLLED})


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, list item or table, with what became of each of its sentences or rows."""

    pairs: tuple[Pair, ...]

    @property
    def kinds(self) -> frozenset[Kind]:
        return frozenset(one.kind for one in self.pairs)

    @property
    def kind(self) -> Kind:
        """What became of it as a whole: changed, where not the same of all its sentences."""
        kinds = self.kinds
        return next(iter(kinds)) if len(kinds) == 1 else Kind.ROLLED if kinds <= QUIET else Kind.CHANGED


@dataclass(frozen=True, slots=True)
class ComparedPart:
    """A heading with its paragraphs. moved: whether the part stands in another order than before."""

    heading: Pair | None
    paragraphs: tuple[Paragraph, ...]
    moved: bool = False

    @property
    def is_quiet(self) -> bool:
        """Whether nothing in it changed but figures."""
        told = [one.kind for one in self.paragraphs] + ([self.heading.kind] if self.heading else [])
        return not self.moved and QUIET.issuperset(told)


@dataclass(frozen=True)
class Comparison:
    """Two filings' texts of one Item, part by part in the newer one's order; a dropped part stands where it was."""

    old: Section
    new: Section
    parts: tuple[ComparedPart, ...]

    @cached_property
    def captions(self) -> tuple[Pair, ...]:
        """The captions of risks in either filing."""
        return tuple(one.heading for one in self.parts if one.heading and self._states_risk(one.heading))

    def _states_risk(self, heading: Pair) -> bool:
        old, new = heading.old, heading.new
        return bool(
            (old and is_caption(self.old.text[old.start : old.end]))
            or (new and is_caption(self.new.text[new.start : new.end]))
        )

    @cached_property
    def counts(self) -> Counter[Kind]:
        """How many sentences, rows and headings there are of each kind, a moved one once, and each moved part."""
        told = [one for part in self.parts for one in pairs_of(part) if not one.left]
        return Counter([*(one.kind for one in told), *(Kind.MOVED for part in self.parts if part.moved)])


def pairs_of(part: ComparedPart) -> tuple[Pair, ...]:
    """A part's heading and all its sentences, in order."""
    heading = (part.heading,) if part.heading else ()
    return (*heading, *(pair for paragraph in part.paragraphs for pair in paragraph.pairs))


def compare(old: Section, new: Section) -> Comparison:
    """The texts of two sections compared. Takes about a second for 80 pages against 80 pages."""
    blocks = old.parsed_blocks, new.parsed_blocks
    before, after = parts_of(units_of(old.text, blocks[0])), parts_of(units_of(new.text, blocks[1]))
    places = matched(before, after)
    elsewhere = moved(places)
    order = _order(len(before), len(after), places, elsewhere)
    drafts = [_aligned(before[one] if one is not None else None, after[other] if other is not None else None) for one, other in order]
    pairs = iter(with_moved([pair for _, told in drafts for pair in told]))
    parts = tuple(
        ComparedPart(heading, tuple(_paragraphs([next(pairs) for _ in told])), moved=other in elsewhere)
        for (heading, told), (_, other) in zip(drafts, order, strict=True)
    )
    return Comparison(old, new, parts)


def _order(
    before: int, after: int, places: dict[int, int], elsewhere: set[int]
) -> list[tuple[int | None, int | None]]:
    """(old place, new place) of every part: the new ones in order, each dropped one behind the part it stood behind."""
    taken = set(places.values())
    behind: dict[int, list[int]] = {}
    last = -1
    follows = {places[new]: new for new in places if new not in elsewhere}
    for old in range(before):
        if old in follows:
            last = follows[old]
        elif old not in taken:
            behind.setdefault(last, []).append(old)
    found: list[tuple[int | None, int | None]] = [(old, None) for old in behind.get(-1, ())]
    for new in range(after):
        found.append((places.get(new), new))
        found += ((old, None) for old in behind.get(new, ()))
    return found


def _aligned(old: Part | None, new: Part | None) -> tuple[Pair | None, list[Pair]]:
    """The heading and the sentences of a part in both texts, or in one."""
    before, after = old.heading if old else None, new.heading if new else None
    if before and after:
        heading: Pair | None = paired(before, after)
    else:
        heading = Pair(Kind.DROPPED, old=before) if before else Pair(Kind.ADDED, new=after) if after else None
    return heading, list(aligned(old.units if old else (), new.units if new else ()))


def _paragraphs(pairs: Iterable[Pair]) -> Iterable[Paragraph]:
    """The sentences by the paragraphs of the newer text, dropped ones by those of the older one."""
    run: list[Pair] = []
    for pair in pairs:
        if run and not _together(run, pair):
            yield Paragraph(tuple(run))
            run = []
        run.append(pair)
    if run:
        yield Paragraph(tuple(run))


def _together(run: Sequence[Pair], pair: Pair) -> bool:
    """Whether a sentence goes on in the paragraph of those before it."""
    new = next((one.new.block for one in reversed(run) if one.new and not one.left), None)
    old = next((one.old.block for one in reversed(run) if one.old and (one.new is None or one.left)), None)
    if pair.new and not pair.left:
        if new is not None:
            return pair.new.block == new
        return bool(pair.old) and pair.kind is not Kind.MOVED and pair.old.block == old  # type: ignore[union-attr]
    near = next((one.old.block for one in reversed(run) if one.old and (one.kind is not Kind.MOVED or one.left)), None)
    return bool(pair.old) and pair.old.block == near  # type: ignore[union-attr]
