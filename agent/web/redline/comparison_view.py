"""A comparison as its page shows it: changes with their words marked, and folded what stayed the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from filings.models import Section
from filings.redline.alignment import Kind, Pair
from filings.redline.changes import Stretch, anchor, stretches
from filings.redline.compared_units import Unit
from filings.redline.comparison import Comparison, Paragraph
from filings.redline.heads import heads_of
from filings.redline.marks import Words, words_of
from filings.redline.summary import OF_CAPTIONS

# The look of the badge that names a kind.
BADGES = {Kind.ADDED: "badge--ok", Kind.DROPPED: "badge--stop", Kind.CHANGED: "badge--warn"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, heading or table row, or several that stayed the same, word by word."""

    kind: Kind
    words: Sequence[Words]
    left: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A paragraph, or one row of a table."""

    kind: str
    pieces: Sequence[Piece]


@dataclass(frozen=True)
class Place:
    """Where a change stands in one of the filings: the address that marks it in the reader, and its page."""

    year: int | None
    href: str
    page: str


@dataclass(frozen=True)
class Shown:
    """A stretch of the page. number: of a change, from 1; before and after: the anchors of the changes next to it."""

    stretch: Stretch
    comparison: Comparison
    number: int = 0
    before: str = ""
    after: str = ""

    @property
    def badge(self) -> str:
        return BADGES.get(self.stretch.kind, "")

    @cached_property
    def rows(self) -> list[Row]:
        """Its paragraphs; of a change the rows of each table below the headings of their columns."""
        found: list[Row] = []
        tables = set[tuple[bool, int]]()
        for paragraph in self.stretch.paragraphs:
            first = paragraph.pairs[0]
            table = first.new is not None, first.unit.block
            if self.stretch.is_change and table not in tables:
                tables.add(table)
                heads = heads_of(first.old, self.comparison.old), heads_of(first.new, self.comparison.new)
                both = words_of(*heads) if all(heads) else [Words(*heads, same=True)]
                found += [Row("table", [Piece(Kind.SAME, both)])] if any(heads) else []
            found += _rows(paragraph, self.comparison)
        return found

    @property
    def places(self) -> list[Place]:
        """Where it stands in the older and in the newer filing."""
        pairs = [pair for paragraph in self.stretch.paragraphs for pair in paragraph.pairs]
        both = (
            (self.comparison.old, [one.old for one in pairs if one.old]),
            (self.comparison.new, [one.new for one in pairs if one.new]),
        )
        return [place(section, units) for section, units in both if units]


def place(section: Section, units: Sequence[Unit]) -> Place:
    """Where the first of some units stands, with those behind it in its block."""
    first = units[0]
    end = max(one.end for one in units if one.block == first.block)
    page = section.page(first.start)
    href = f"{section.get_absolute_url()}?cik={section.filing.company.cik}&at={first.start}-{end}#at"
    return Place(section.filing.fiscal_year, href, page.label if page else "")


def shown(comparison: Comparison) -> list[Shown]:
    """The whole comparison in reading order."""
    found = stretches(comparison)
    anchors = [one.anchor for one in found if one.is_change]
    rows, number = [], 0
    for one in found:
        if not one.is_change:
            rows.append(Shown(one, comparison))
            continue
        number += 1
        before = anchors[number - 2] if number > 1 else ""
        rows.append(Shown(one, comparison, number, before, "".join(anchors[number : number + 1])))
    return rows


@dataclass(frozen=True, slots=True)
class Captions:
    """The risks of which the same became, in reading order: the words of each heading, and the anchor of its change."""

    label: str
    badge: str
    risks: Sequence[tuple[Sequence[Words], str]]


def captions(comparison: Comparison) -> list[Captions]:
    """The risks that were added, removed and reworded, and those that stand under another heading than before."""
    found = []
    for kind, label in {**OF_CAPTIONS, Kind.MOVED: "under another heading"}.items():
        pairs = [one for one in comparison.captions if one.kind is kind]
        if pairs:
            risks = [(words(one, comparison), anchor(one)) for one in pairs]
            found.append(Captions(f"{len(pairs)} {label}", BADGES.get(kind, ""), risks))
    return found


def words(pair: Pair, comparison: Comparison) -> Sequence[Words]:
    """The words of a sentence in both texts, or in the one in which it stands here."""
    old = comparison.old.text[pair.old.start : pair.old.end] if pair.old else ""
    new = comparison.new.text[pair.new.start : pair.new.end] if pair.new else ""
    if pair.kind is Kind.MOVED:
        return [Words(old, "", same=False) if pair.left else Words("", new, same=False)]
    if pair.kind is Kind.SAME:
        return [Words(old, new, same=True)]
    return words_of(old, new) if old and new else [Words(old, new, same=False)]


def _rows(paragraph: Paragraph, comparison: Comparison) -> Iterator[Row]:
    pieces = [(pair.unit.kind, Piece(pair.kind, words(pair, comparison), pair.left)) for pair in paragraph.pairs]
    for kind, told in groupby(pieces, key=lambda one: one[0]):
        run = [piece for _, piece in told]
        yield from (Row(kind, [one]) for one in run) if kind == "table" else [Row(kind, run)]
