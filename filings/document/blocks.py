"""The structure of a frozen text: paragraphs, headings, bullets and tables, and where its pages begin.

All positions are character offsets into one text. Blocks are two line feeds apart; the rows of a table are one line
feed apart and its cells one tab, so that a range over a table reads as its printed rows.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal, Self

BLOCK_GAP, ROW_GAP, CELL_GAP = "\n\n", "\n", "\t"

Kind = Literal["heading", "paragraph", "bullet", "table"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One printed cell: its range and how many columns it spans. Empty cells are kept, with start == end."""

    start: int
    end: int
    span: int = 1


@dataclass(frozen=True, slots=True)
class Block:
    """One block. `level` is a heading's: 1 the Item's own, 2 and more below it. Only tables have rows. `header` counts
    the rows that name the columns. A heading that `opens` begins a passage that none before it may reach into, such as
    a speaker's turn.
    """

    kind: Kind
    start: int
    end: int
    level: int = 0
    header: int = 0
    rows: tuple[tuple[Cell, ...], ...] = ()
    opens: bool = False

    def moved(self, by: int) -> Self:
        """The same block, `by` characters later."""
        rows = tuple(tuple(Cell(c.start + by, c.end + by, c.span) for c in row) for row in self.rows)
        return type(self)(self.kind, self.start + by, self.end + by, self.level, self.header, rows, self.opens)


@dataclass(frozen=True, slots=True)
class Page:
    """Where a page begins: the offset, its place in the document from 1, and its number as printed, where known."""

    start: int
    number: int
    printed: str = ""

    @property
    def label(self) -> str:
        return self.printed or str(self.number)


def page_at(pages: Sequence[Page], offset: int) -> Page | None:
    """The page of a character; None where no page is known."""
    place = bisect_right(pages, offset, key=attrgetter("start"))
    return pages[max(place, 1) - 1] if pages else None


def stored_blocks(blocks: Iterable[Block]) -> list[list[Any]]:
    """Blocks as JSON: [kind, start, end, level, header, [[[start, end, span], ...], ...], opens], without empty values at
    the end.
    """
    stored = []
    for block in blocks:
        row: list[Any] = [block.kind, block.start, block.end]
        if block.level or block.rows or block.opens:
            row.append(block.level)
        if block.rows or block.opens:
            row += [block.header, [[[cell.start, cell.end, cell.span] for cell in cells] for cells in block.rows]]
        if block.opens:
            row.append(1)
        stored.append(row)
    return stored


def read_blocks(stored: Iterable[Sequence[Any]]) -> tuple[Block, ...]:
    """Blocks from JSON."""
    blocks = []
    for kind, start, end, *rest in stored:
        level = rest[0] if rest else 0
        header = rest[1] if len(rest) > 1 else 0
        rows = tuple(tuple(Cell(*cell) for cell in cells) for cells in rest[2]) if len(rest) > 2 else ()
        opens = len(rest) > 3 and bool(rest[3])
        blocks.append(Block(kind, start, end, level, header, rows, opens))
    return tuple(blocks)


def stored_pages(pages: Iterable[Page]) -> list[list[Any]]:
    """Pages as JSON: [start, number, printed]."""
    return [[page.start, page.number, page.printed] for page in pages]


def read_pages(stored: Iterable[Sequence[Any]]) -> tuple[Page, ...]:
    """Pages from JSON."""
    return tuple(Page(*page) for page in stored)
