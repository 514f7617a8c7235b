"""The changes of a comparison in reading order, and between them what stayed the same."""

from collections.abc import Iterator
from dataclasses import dataclass

from filings.redline.alignment import Kind, Pair
from filings.redline.comparison import QUIET, ComparedPart, Comparison, Paragraph

# Paragraphs that follow each other and were only added, or only dropped, are one change.
JOINED = frozenset({Kind.ADDED, Kind.DROPPED})


@dataclass(frozen=True, slots=True)
class Stretch:
    """Paragraphs that follow each other and of which the same became. heading: of the part in which a change stands."""

    kind: Kind
    paragraphs: tuple[Paragraph, ...]
    heading: Pair | None = None
    is_heading: bool = False

    @property
    def is_change(self) -> bool:
        return self.kind not in QUIET

    @property
    def rolled(self) -> int:
        """How many of its paragraphs have other figures, dates or years than before."""
        return sum(one.kind is Kind.ROLLED for one in self.paragraphs)

    @property
    def anchor(self) -> str:
        """Its name in addresses."""
        return anchor(self.paragraphs[0].pairs[0])


def anchor(first: Pair) -> str:
    """The name in addresses of the change that a pair begins, which stays as long as both texts: where it begins in the
    newer text, or in the older one.
    """
    stands = first.new if first.new and not first.left else None
    return f"new-{stands.start}" if stands else f"old-{first.old.start if first.old else 0}"


def stretches(comparison: Comparison) -> list[Stretch]:
    """The whole comparison in reading order: changes, headings of the parts that have some, and what stayed the same."""
    found: list[Stretch] = []
    for one in _drafts(comparison):
        last = found[-1] if found else None
        quiet = last is not None and not (last.is_change or one.is_change or last.is_heading or one.is_heading)
        same = last is not None and one.kind in JOINED and last.kind is one.kind and last.heading == one.heading
        if last and (quiet or same):
            found[-1] = Stretch(last.kind, (*last.paragraphs, *one.paragraphs), last.heading)
        else:
            found.append(one)
    return found


def _drafts(comparison: Comparison) -> Iterator[Stretch]:
    for part in comparison.parts:
        if part.is_quiet:
            yield from (Stretch(one.kind, (one,)) for one in part.all)
        else:
            yield from _changed(part)


def _changed(part: ComparedPart) -> Iterator[Stretch]:
    """A part with changes: its heading shown where that is none of them."""
    if part.heading:
        shown = Kind.MOVED if part.moved and part.heading.kind in QUIET else part.heading.kind
        yield Stretch(shown, part.all[:1], part.heading, is_heading=shown in QUIET)
    yield from (Stretch(one.kind, (one,), part.heading if one.kind not in QUIET else None) for one in part.paragraphs)
