"""Turns an HTML document into one frozen text with its blocks and pages (see filings.document.blocks).

Characters are normalized here and nowhere else: no-break spaces and runs of blanks are one blank, soft hyphens and
zero-width characters are dropped, quotes and dashes stay as filed. Invisible text is left out; running headers, footers
and page numbers are cut; a sentence that a page break interrupts is joined again.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from filings.document.blocks import BLOCK_GAP, CELL_GAP, ROW_GAP, Block, Cell, Kind, Page
from filings.document.layout.joining import rejoined, without_ornaments
from filings.document.layout.lines import ITEM_START, LETTERS, Line, is_item_title, is_title
from filings.document.layout.running_lines import paged_by_numbers, without_running_lines
from filings.document.layout.tables import printed
from filings.document.layout.walk import UnreadableText, read_lines

__all__ = ["Layout", "Link", "UnreadableText", "is_title", "laid_out", "read_layout"]

LONGEST_HEADING = 600  # a risk factor's caption may be a heading of several lines
LONGEST_SLANTED = 240  # in italics alone: notes are as long
LONGEST_PLAIN_HEADING = 120  # in capitals, or an Item's own
LAST_LEVEL = 6
FRONT_PAGES = 3
MOST_PAGES = 32_767  # that one row may number; what follows is on the last of them
COMMON = 3  # headings of one style from which it is a level of its own


@dataclass(frozen=True, slots=True)
class Link:
    """A link within the document: its text, where it stands, and the anchor it goes to."""

    text: str
    start: int
    target: str


@dataclass(frozen=True)
class Layout:
    """A document as text. `anchors` maps ids to offsets."""

    text: str
    blocks: tuple[Block, ...]
    pages: tuple[Page, ...]
    anchors: dict[str, int] = field(default_factory=dict)
    links: tuple[Link, ...] = ()

    @cached_property
    def _starts(self) -> list[int]:
        return [block.start for block in self.blocks]

    def block_at(self, offset: int) -> int:
        """The index of the first block at or after an offset."""
        return bisect_left(self._starts, offset)

    def of(self, block: Block) -> str:
        """The text of a block."""
        return self.text[block.start : block.end]


def read_layout(document: bytes) -> Layout:
    """Read a document. Raises UnreadableText where it has no text."""
    return laid_out(*read_lines(document))


def laid_out(found: Sequence[Line], pages: int) -> Layout:
    """The layout of a document's lines, in order. Raises UnreadableText where there are none."""
    lines = without_ornaments(found)
    if not lines:
        raise UnreadableText("The document has no text.")
    if pages == 1:
        pages = paged_by_numbers(lines)
    kept, numbers = without_running_lines(lines)
    return frozen(rejoined(kept), pages, numbers)


def frozen(lines: Sequence[Line], pages: int, numbers: dict[int, str]) -> Layout:
    """The text of lines, with blocks, page starts, anchors and links."""
    levels = heading_levels(lines)
    parts: list[str] = []
    blocks: list[Block] = []
    starts: dict[int, int] = {}
    anchors: dict[str, int] = {}
    links: list[Link] = []
    at = 0
    for number, line in enumerate(lines):
        if parts:
            parts.append(BLOCK_GAP)
            at += len(BLOCK_GAP)
        starts.setdefault(line.page, at)
        for offset, page in line.breaks:
            starts.setdefault(page, at + offset)
        for anchor in line.anchors:
            anchors.setdefault(anchor, at)
        links += [Link(text, at, target) for target, text in line.links]
        text, block = _table(line, at) if line.grid else _plain(line, at, levels, _is_caption(lines, number))
        parts.append(text)
        blocks.append(block)
        at = block.end
    ordered: list[Page] = []
    for page in range(1, min(pages, MOST_PAGES) + 1):
        # A page whose lines were all cut, or joined to another, has no start of its own.
        if page in starts:
            ordered.append(Page(0 if not ordered else starts[page], page, numbers.get(page, "")))
    return Layout("".join(parts), tuple(blocks), tuple(ordered), anchors, tuple(links))


def _plain(line: Line, at: int, levels: dict[tuple[object, ...], int], caption: bool) -> tuple[str, Block]:
    kind: Kind = "heading" if caption or is_heading(line) else "bullet" if line.bullet else "paragraph"
    level = min(line.level or levels.get(_look(line), LAST_LEVEL), LAST_LEVEL) if kind == "heading" else 0
    return line.text, Block(kind, at, at + len(line.text), level)


def _is_caption(lines: Sequence[Line], number: int) -> bool:
    """Whether an entry of a list is set apart above a longer text that is not, as captions of risk factors may be; a note
    below a table is none.
    """
    line, below = lines[number], lines[number + 1] if number + 1 < len(lines) else None
    if (
        not line.bullet
        or not line.is_marked
        or len(line.text) > LONGEST_HEADING
        or (number and lines[number - 1].grid)
    ):
        return False
    return (
        below is not None and not (below.grid or below.bullet or below.is_marked) and len(below.text) > len(line.text)
    )


def _table(line: Line, at: int) -> tuple[str, Block]:
    assert line.grid  # noqa: S101
    table = printed(line.grid)
    rows: list[tuple[Cell, ...]] = []
    parts: list[str] = []
    start = at
    for number, row in enumerate(table.rows):
        if number:
            parts.append(ROW_GAP)
            at += len(ROW_GAP)
        cells = []
        for place, (text, span) in enumerate(row):
            if place:
                parts.append(CELL_GAP)
                at += len(CELL_GAP)
            parts.append(text)
            cells.append(Cell(at, at + len(text), span))
            at += len(text)
        rows.append(tuple(cells))
    return "".join(parts), Block("table", start, at, 0, table.header, tuple(rows))


def is_heading(line: Line) -> bool:
    """A short line set apart: entirely in bold, italics or underlined, or in capitals; or an Item's own name."""
    text = line.text
    if line.grid or line.bullet or len(text) > LONGEST_HEADING:
        return False
    if line.level:
        return True
    if not LETTERS.search(text):
        return False
    if line.is_marked:
        return (line.bold or line.underline or len(text) <= LONGEST_SLANTED) and not text.startswith("(")
    if is_item_title(text):
        text = text.partition(" (")[0]
    if len(text) > LONGEST_PLAIN_HEADING or text.endswith(","):
        return False
    return line.caps or is_item_title(text)


def _look(line: Line) -> tuple[object, ...]:
    """The rank of a heading's style: larger, then capitals in bold, bold, bold italics, underlined, italics, capitals."""
    if line.bold:
        rank = 0 if line.caps else 1 if not line.italic else 2
    else:
        rank = 3 if line.underline else 5 if line.italic else 4
    return -round(line.size * 2) / 2, rank


def heading_levels(lines: Sequence[Line]) -> dict[tuple[object, ...], int]:
    """The level of each heading style, from 2; level 1 is for an Item's own heading.

    Only styles that occur often enough in the body count: those of a cover page would push all others down.
    """
    pages = lines[-1].page
    body = [line for line in lines if line.page > FRONT_PAGES or pages <= 2 * FRONT_PAGES]
    looks = Counter(
        _look(line) for line in body if not line.level and is_heading(line) and not ITEM_START.match(line.text)
    )
    common = sorted(look for look, count in looks.items() if count >= COMMON)[: LAST_LEVEL - 1] or sorted(looks)
    return {
        look: min(2 + bisect_left(common, look), LAST_LEVEL)
        for look in {_look(line) for line in lines if not line.level and is_heading(line)}
    }
