"""One HTML document -> one frozen text with its blocks and pages, as filings.blocks describes them.

Characters are normalised here and nowhere else: no-break spaces and runs of blanks are one blank, soft hyphens and
characters without width are dropped, quotes and dashes stay as filed. What cannot be seen is not there; running
headers, footers and page numbers are cut; a sentence that a page break interrupts is whole again.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from filings.blocks import BLOCK_GAP, CELL_GAP, ROW_GAP, Block, Cell, Kind, Page
from filings.layout.lines import ITEM_START, Line
from filings.layout.running_lines import without_running_lines
from filings.layout.tables import printed
from filings.layout.walk import UnreadableText, read_lines

__all__ = ["Layout", "Link", "UnreadableText", "read_layout"]

LONGEST_HEADING = 480  # a risk factor's caption is a heading of several lines
LONGEST_PLAIN_HEADING = 120  # in capitals, or an Item's own
LAST_LEVEL = 6
LONGEST_REJOINED = 20_000  # characters up to which a paragraph grows: no filer writes a longer one
BROKEN = 60  # characters of a line that does not end a paragraph
SENTENCE_END = re.compile(r"[.!?:;][)\]”\u2019\"'*\d]*$")
FRONT_PAGES = 3
COMMON = 3  # headings of one look from which it is a level of its own
WORD = re.compile(r"[A-Za-z\u2019']+")
LETTERS = re.compile(r"[A-Za-z]{2}")
CONNECTED = re.compile(
    r"(?:\b(?:and|or|of|the|to|in|for|a|an|by|with|our|its|on|at|from|as|that|which|is|are|was|were|be|not|their|these|this|we|us|U\.S\.)|[,\u2013—-])$"
)


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
        """The place of the first block that starts at an offset or after it."""
        return bisect_left(self._starts, offset)

    def of(self, block: Block) -> str:
        """The text of a block."""
        return self.text[block.start : block.end]


def read_layout(document: bytes) -> Layout:
    """Read a document. Errors: UnreadableText, where it has no text at all."""
    lines, pages = read_lines(document)
    if not lines:
        raise UnreadableText("The document has no text.")
    kept, numbers = without_running_lines(lines)
    return frozen(rejoined(kept), pages, numbers)


def rejoined(lines: Sequence[Line]) -> list[Line]:
    """Paragraphs that a page break interrupts, whole again; the page begins inside them."""
    whole: list[Line] = []
    for line in lines:
        last = whole[-1] if whole else None
        if last and (_goes_on(last, line) if last.last_page < line.page else _is_broken(last, line)):
            gap = "" if last.text.endswith("-") and not last.text.endswith(" -") else " "
            offset = len(last.text) + len(gap)
            last.text += gap + line.text
            last.breaks += [(offset, line.page)] if last.last_page < line.page else []
            last.breaks += [(at + offset, page) for at, page in line.breaks]
            last.anchors += line.anchors
            last.links += line.links
            last.bold, last.italic = last.bold and line.bold, last.italic and line.italic
            last.underline = last.underline and line.underline
            continue
        whole.append(line)
    return whole


def _goes_on(last: Line, line: Line) -> bool:
    """Whether a sentence that ends a page goes on with the first line of the next."""
    if last.grid or line.grid or line.bullet or len(last.text) > LONGEST_REJOINED:
        return False
    end = last.text[-80:]
    if SENTENCE_END.search(end) or ITEM_START.match(line.text):
        return False
    if not LETTERS.search(line.text) or (last.bold, last.italic, last.caps) != (line.bold, line.italic, line.caps):
        return False
    if line.text[0].islower():
        return len(last.text) > 40 or bool(CONNECTED.search(end))
    return (len(last.text) > 80 and not last.is_marked and not last.bullet) or bool(CONNECTED.search(end))


def _is_broken(last: Line, line: Line) -> bool:
    """Whether a sentence is broken over two elements of one page, as around a picture."""
    if last.grid or line.grid or last.bullet or line.bullet or last.is_marked or line.is_marked or last.caps:
        return False
    return BROKEN <= len(last.text) < LONGEST_REJOINED and line.text[0].islower() and last.text[-1].islower()


def frozen(lines: Sequence[Line], pages: int, numbers: dict[int, str]) -> Layout:
    """The text of lines, with blocks, page starts, anchors and links."""
    levels = heading_levels(lines)
    parts: list[str] = []
    blocks: list[Block] = []
    starts: dict[int, int] = {}
    anchors: dict[str, int] = {}
    links: list[Link] = []
    at = 0
    for line in lines:
        if parts:
            parts.append(BLOCK_GAP)
            at += len(BLOCK_GAP)
        starts.setdefault(line.page, at)
        for offset, page in line.breaks:
            starts.setdefault(page, at + offset)
        for anchor in line.anchors:
            anchors.setdefault(anchor, at)
        links += [Link(text, at, target) for target, text in line.links]
        text, block = _table(line, at) if line.grid else _plain(line, at, levels)
        parts.append(text)
        blocks.append(block)
        at = block.end
    ordered: list[Page] = []
    for page in range(1, pages + 1):
        # A page whose every line was cut, or joined to another, has no start of its own.
        if page in starts:
            ordered.append(Page(0 if not ordered else starts[page], page, numbers.get(page, "")))
    return Layout("".join(parts), tuple(blocks), tuple(ordered), anchors, tuple(links))


def _plain(line: Line, at: int, levels: dict[tuple[object, ...], int]) -> tuple[str, Block]:
    kind: Kind = "bullet" if line.bullet else "heading" if is_heading(line) else "paragraph"
    level = levels.get(_look(line), LAST_LEVEL) if kind == "heading" else 0
    return line.text, Block(kind, at, at + len(line.text), level)


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
    """A short line that is set apart: whole in bold, italics or underlined, or in capitals; or an Item's own name."""
    text = line.text
    if line.grid or line.bullet or len(text) > LONGEST_HEADING or not LETTERS.search(text):
        return False
    if line.is_marked:
        return (line.bold or line.underline or len(text) <= LONGEST_HEADING // 2) and not text.startswith("(")
    if len(text) > LONGEST_PLAIN_HEADING or text.endswith(","):
        return False
    return line.caps or (ITEM_START.match(text) is not None and is_title(text))


def is_title(text: str) -> bool:
    """Whether the longer words of a text begin with capitals, as those of titles do."""
    words = [word for word in WORD.findall(text) if len(word) > 3]
    return bool(words) and sum(word[0].isupper() for word in words) >= 0.7 * len(words)


def _look(line: Line) -> tuple[object, ...]:
    """What ranks a heading: larger, then capitals in bold, bold, bold italics, underlined, italics, capitals alone."""
    if line.bold:
        rank = 0 if line.caps else 1 if not line.italic else 2
    else:
        rank = 3 if line.underline else 5 if line.italic else 4
    return -round(line.size * 2) / 2, rank


def heading_levels(lines: Sequence[Line]) -> dict[tuple[object, ...], int]:
    """The level of each look of a heading, from 2; level 1 is kept for an Item's own heading.

    Only looks that stand in the body count, and often enough: those of a cover page would push all others down.
    """
    pages = lines[-1].page
    body = [line for line in lines if line.page > FRONT_PAGES or pages <= 2 * FRONT_PAGES]
    looks = Counter(_look(line) for line in body if is_heading(line) and not ITEM_START.match(line.text))
    common = sorted(look for look, count in looks.items() if count >= COMMON)[: LAST_LEVEL - 1] or sorted(looks)
    return {
        look: min(2 + sum(other < look for other in common), LAST_LEVEL)
        for look in {_look(line) for line in lines if is_heading(line)}
    }
