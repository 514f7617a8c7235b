"""Drafts of sections: ranges of a document's text under an Item, and how ranges become one text."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from filings.document.blocks import BLOCK_GAP, Block, Cell, Page, page_at
from filings.document.layout import Layout
from filings.sections.form_items import FormItems
from filings.sections.headings import Contents, Heading

Range = tuple[int, int]


@dataclass(frozen=True)
class Source:
    """A document as text, with the Items of its form and its tables of contents.

    `headings` are those that cut it, `others` those that do not, `inside` titles of Items within another Item's text.
    """

    filename: str
    type: str
    form: FormItems
    layout: Layout
    contents: Contents
    headings: tuple[Heading, ...]
    others: tuple[Heading, ...] = ()
    inside: tuple[Heading, ...] = ()


@dataclass
class Draft:
    """An Item in progress: its ranges of one source. `named` is the end of its own heading in the first range."""

    item: str
    status: str
    heading: str = ""
    where: str = ""
    source: Source | None = None
    ranges: list[Range] = field(default_factory=list)
    named: int = 0

    @property
    def length(self) -> int:
        return sum(end - start for start, end in self.ranges)

    @property
    def text(self) -> str:
        return BLOCK_GAP.join(self.source.layout.text[a:b] for a, b in self.ranges) if self.source else ""


def trimmed(layout: Layout, start: int, end: int) -> Range:
    """A range without white space at its ends."""
    text = layout.text
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def without(ranges: Iterable[Range], taken: Iterable[Range]) -> list[Range]:
    """Ranges less what is taken."""
    apart: list[Range] = []
    for start, end in sorted(taken):
        if apart and start <= apart[-1][1]:
            apart[-1] = apart[-1][0], max(apart[-1][1], end)
        else:
            apart.append((start, end))
    left: list[Range] = []
    for a, b in sorted(ranges):
        start = a
        for number in range(max(bisect_right(apart, (a, a)) - 1, 0), len(apart)):
            first, last = apart[number]
            if first >= b:
                break
            if first > start:
                left.append((start, first))
            start = max(start, last)
        if start < b:
            left.append((start, b))
    return left


def assembled(
    layout: Layout, ranges: Sequence[Range], heading_end: int = 0
) -> tuple[str, tuple[Page, ...], tuple[Block, ...]]:
    """The text of ranges in order, a block's gap apart, with its pages and blocks.

    `heading_end`: the offset up to which the first range is the Item's own heading, whose blocks get level 1.
    """
    parts: list[str] = []
    pages: list[Page] = []
    blocks: list[Block] = []
    at = 0
    for place, (start, end) in enumerate(ranges):
        if parts:
            parts.append(BLOCK_GAP)
            at += len(BLOCK_GAP)
        by = at - start
        first = page_at(layout.pages, start)
        if first and (not pages or pages[-1].number != first.number):
            pages.append(Page(at, first.number, first.printed))
        begun = bisect_right(layout.pages, start, key=attrgetter("start"))
        ended = bisect_left(layout.pages, end, key=attrgetter("start"))
        pages += [Page(page.start + by, page.number, page.printed) for page in layout.pages[begun:ended]]
        number = layout.block_at(start)
        if number and layout.blocks[number - 1].end > start:
            number -= 1
        while number < len(layout.blocks) and layout.blocks[number].start < end:
            block = layout.blocks[number]
            own = place == 0 and block.start < heading_end and block.kind in {"heading", "paragraph"}
            if own and block.end <= heading_end:
                block = Block("heading", block.start, block.end, 1)
            blocks.append(_clipped(block, start, end).moved(by))
            number += 1
        parts.append(layout.text[start:end])
        at += end - start
    return "".join(parts), tuple(pages), tuple(blocks)


def _clipped(block: Block, start: int, end: int) -> Block:
    if start <= block.start and block.end <= end:
        return block
    # A trimmed range may leave out the empty cells of its last row.
    rows = tuple(
        tuple(Cell(min(max(cell.start, start), end), max(min(cell.end, end), start), cell.span) for cell in row)
        for row in block.rows
        if row[-1].end >= start and row[0].start < end
    )
    return replace(
        block,
        start=max(block.start, start),
        end=min(block.end, end),
        header=min(block.header, len(rows)),
        rows=rows,
    )
