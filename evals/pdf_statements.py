"""The three primary statements among the tables of a document, and their figures as numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from filings.document.blocks import Block, page_at
from filings.document.layout import Layout

BEFORE = 8  # blocks above a table among which its title stands
LONGEST_TITLE = 200
SCALES = {"thousands": 3, "millions": 6, "billions": 9}
_SCALE = re.compile(
    rf"(?:\bin\s+(?:\w+\s+)?|\([^\w)]*)({'|'.join(one.rstrip('s') for one in SCALES)})s?\b", re.IGNORECASE
)
_TITLES = {
    "balance": re.compile(r"balance\s+sheets?|statements?\s+of\s+financial\s+(?:position|condition)", re.IGNORECASE),
    "income": re.compile(
        r"(?:statements?\s+of\s+(?:consolidated\s+)?(?:operations|income|earnings)|income\s+statements?)",
        re.IGNORECASE,
    ),
    "cashflow": re.compile(
        r"cash\s+flows?\s+statements?|statements?\s+of\s+(?:consolidated\s+)?cash\s+flows?", re.IGNORECASE
    ),
}
_OTHERS = re.compile(
    r"statements?\s+of\s+.*(?:equity|comprehensive|deficit|investment)|equity\s+statements?", re.IGNORECASE
)
_ROWS = {
    "balance": (r"total\s+assets", r"total\s+liabilities|total\s+.*equity"),
    "income": (
        r"(?:net|total)\s+(?:income|earnings|loss|sales|revenue)|\brevenues?\b",
        r"(?:basic|diluted|per\s+share)",
    ),
    "cashflow": (r"operating\s+activities|from\s+operations", r"financing"),
}
_FIGURE = re.compile(
    r"(?:[$€£¥]\s*)?(?P<open>\(?)\s*(?:[$€£¥]\s*)?(?P<minus>[-\u2212]?)(?P<digits>\d[\d,]*(?:\.\d+)?|\.\d+)\s*\)?(?:\s*\(?[\da-z]\)?)?"
)
_DASH = re.compile(r"[$\s]*[\u2012-\u2015-]+\s*\)?")


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row with figures: its label, and (column, figure); a dash is None."""

    label: str
    figures: tuple[tuple[int, Decimal | None], ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A primary statement: its kind, its first page, the power of ten of its money, headings by column, rows."""

    kind: str
    page: int
    scale: int
    headings: tuple[str, ...]
    rows: tuple[PrintedRow, ...]


def statements(layout: Layout) -> Iterator[Statement]:
    """The primary statements of a document: of each kind the titled table with the most rows, and its next pages."""
    tables = [number for number, block in enumerate(layout.blocks) if block.rows]
    for kind in _TITLES:
        titled = [number for number in tables if _is_titled(layout, number, kind)]
        found = [
            (number, parts)
            for number in titled
            for parts in [_parts(layout, number, tables)]
            if _is(kind, layout, parts)
        ]
        if found:
            number, parts = max(found, key=lambda one: sum(len(block.rows) for block in one[1]))
            first = layout.blocks[number]
            page = page_at(layout.pages, first.start)
            rows = tuple(row for block in parts for row in _rows(layout, block))
            yield Statement(kind, page.number if page else 0, _scale(layout, number), _headings(layout, first), rows)


def figure(text: str) -> Decimal | None:
    """A printed figure as a number; None for what is none, and for a share."""
    found = _FIGURE.fullmatch(text.strip())
    if not found:
        return None
    number = Decimal(found["digits"].replace(",", ""))
    return -number if found["open"] or found["minus"] else number


def added_up(rows: Sequence[PrintedRow]) -> set[int]:
    """The rows that, with those next to them, add up to a printed total in every column."""
    found: set[int] = set()
    began: dict[int, int] = {}  # total: the first row in it
    for total, row in enumerate(rows):
        wanted = {column: number or Decimal() for column, number in row.figures}
        summed = dict.fromkeys(wanted, Decimal())
        at, count = total - 1, 0
        while at >= 0 and {column for column, _ in rows[at].figures} <= wanted.keys():
            for column, number in rows[at].figures:
                summed[column] += number or 0
            count += 1
            at = began.get(at, at) - 1
            if count > 1 and summed == wanted:
                began[total] = at + 1
                found |= set(range(at + 1, total + 1))
                break
    return found


def _is_titled(layout: Layout, number: int, kind: str) -> bool:
    """Whether the nearest title above a table is a statement's of this kind."""
    for block in reversed(layout.blocks[max(0, number - BEFORE) : number]):
        text = layout.of(block)
        if block.rows:
            return False
        if len(text) <= LONGEST_TITLE:
            for other, title in _TITLES.items():
                if title.search(text):
                    return other == kind
    return False


def _parts(layout: Layout, number: int, tables: Sequence[int]) -> list[Block]:
    """A table and those that follow it without another title of a statement."""
    blocks = [layout.blocks[number]]
    for other in tables[tables.index(number) + 1 :]:
        last, block = blocks[-1], layout.blocks[other]
        between = layout.text[last.end : block.start]
        before, after = page_at(layout.pages, last.start), page_at(layout.pages, block.start)
        if not before or not after or after.number - before.number > 1 or len(between) > 3 * LONGEST_TITLE:
            break
        if any(title.search(between) for title in (*_TITLES.values(), _OTHERS)) or len(blocks) == 3:
            break
        if before.number == after.number and between.strip():
            break
        if _width(block) != _width(last):
            break
        blocks.append(block)
    return blocks


def _width(block: Block) -> int:
    return sum(cell.span for cell in block.rows[0])


def _is(kind: str, layout: Layout, parts: Sequence[Block]) -> bool:
    text = " ".join(layout.of(block) for block in parts)
    return all(re.search(words, text, re.IGNORECASE) for words in _ROWS[kind])


def _rows(layout: Layout, block: Block) -> Iterator[PrintedRow]:
    for cells in block.rows[block.header :]:
        column = 0
        label = ""
        figures: list[tuple[int, Decimal | None]] = []
        for cell in cells:
            text = layout.text[cell.start : cell.end]
            number = figure(text)
            if column == 0:
                label = text
            elif number is not None or (text and _DASH.fullmatch(text)):
                figures.append((column, number))
            column += cell.span
        if any(number is not None for _, number in figures):
            yield PrintedRow(label, tuple(figures))


def _headings(layout: Layout, block: Block) -> tuple[str, ...]:
    """The words above each column."""
    heads = [""] * _width(block)
    for cells in block.rows[: block.header]:
        column = 0
        for cell in cells:
            for at in range(column, column + cell.span):
                heads[at] = f"{heads[at]} {layout.text[cell.start : cell.end]}".strip()
            column += cell.span
    return tuple(heads)


def _scale(layout: Layout, number: int) -> int:
    """The power of ten that the table or the blocks just above it name."""
    block = layout.blocks[number]
    first = layout.blocks[max(0, number - BEFORE // 2)]
    found = _SCALE.search(layout.text, first.start, min(block.end, block.start + 400))
    return SCALES[f"{found[1].lower()}s"] if found else 0
