"""The printed rows of a table as filed, and tables used only for layout."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from filings.document.layout.lines import BULLETS, ITEM_START, Grid, GridCell, Line

# Filing tools set a figure in up to three cells: currency or opening bracket, digits, closing bracket or percent.
OPENING = re.compile(r"(?:US|C|A|HK|NT|R)?[$€£¥]\s*\(?|\(|(?:USD|EUR|GBP|CHF|Rs\.?)")
CLOSING = re.compile(r"\)|\)?\s*%\s*\)?|\)?\s*(?:x|bps|pts?\.?|points|pp)")
YEAR = re.compile(r"(?:fiscal\s*|fy\s*)?(?:19|20)\d\d(?:\s*\(?[a-z*\d]\)?)?", re.IGNORECASE)
LONGEST_SIGN = 8
# Cells that a table may always have, and for each printed one: a sparser table loses its last columns, or a page of a
# few cells could become a table of billions.
MOST_CELLS, MOST_EMPTY = 20_000, 16


MARK = re.compile(
    rf"[{BULLETS}\u2013—§*oØü-]|\(?(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})\)|(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})\."
)
SIGN = re.compile(rf"[{BULLETS}\u2013—§*oØü-]")
NUMERIC = re.compile(r"[$€£¥(\s+-]*[\d.,]*\d[\d.,]*[)%\s]*|[—\u2013-]+\s*%?|n/?[am]|nm|[$€£%)]+", re.IGNORECASE)
LONGEST_FIGURE = 40  # characters of a figure cell
LONG_CELL = 3  # lines of a cell from which it is a column of text
MOST_ITEM_ROWS = 3  # rows that begin with an Item: more are a table of contents


def is_figure(text: str) -> bool:
    """Whether a cell is a figure, a dash in its place, or a sign that belongs to one."""
    return len(text) <= LONGEST_FIGURE and bool(NUMERIC.fullmatch(text))


def unfolded(grid: Grid) -> list[Line]:
    """A table in the text: as one line, or as the lines that it only positions."""
    rows = grid.rows
    if not rows:
        return []
    cells = [cell for row in rows for cell in row]
    pages = {line.page for cell in cells for line in cell.lines}
    if len(pages) > 1 or any(line.grid for cell in cells for line in cell.lines):
        return [line for row in rows for line in _row_lines(row)]
    if all(len(row) == 1 for row in rows):
        return [line for cell in cells for line in cell.lines]
    if all(_is_marked(row) for row in rows) and any(len(row) == 2 for row in rows):
        return [line for row in rows for line in _marked_lines(row)]
    if len(rows) == 1 and not _has_figures(rows[0]):
        return _row_lines(rows[0])
    item_rows = sum(1 for row in rows if ITEM_START.match(row[0].text))
    if (
        0 < item_rows <= MOST_ITEM_ROWS
        and not any(_has_figures(row) for row in rows)
        and len(rows) <= 2 * item_rows + 2
    ):
        return [line for row in rows for line in _row_lines(row)]
    return [_table(grid, cells)]


def _row_lines(row: list[GridCell]) -> list[Line]:
    """The lines of a layout row: a label and its text as one line, columns of text one after another."""
    if len(row) == 2 and _is_marked(row):
        return _marked_lines(row)
    if any(line.grid for cell in row for line in cell.lines) or any(len(cell.lines) > LONG_CELL for cell in row):
        return [line for cell in row for line in cell.lines]
    lines = [line for cell in row for line in cell.lines]
    if len(row) > 1 and (len({line.page for line in lines}) > 1 or sum(len(line.text) > 200 for line in lines) > 1):
        return lines
    return [joined(lines)] if len(row) > 1 else lines


def _is_marked(row: list[GridCell]) -> bool:
    """A row of a mark (•, (1), a.) and one text; or of text alone, under such rows."""
    if len(row) == 1:
        return len(row[0].text) > 3
    if len(row) != 2 or not MARK.fullmatch(row[0].text):
        return False
    text = row[1].text
    return not is_figure(text) and (len(text) > 12 or bool(SIGN.fullmatch(row[0].text)))


def _marked_lines(row: list[GridCell]) -> list[Line]:
    if len(row) == 1:
        return row[0].lines
    first, *rest = row[1].lines
    entry = joined([*row[0].lines, first])
    entry.bullet = True
    entry.bold, entry.italic, entry.underline, entry.caps = first.bold, first.italic, first.underline, first.caps
    return [entry, *rest]


def joined(lines: list[Line]) -> Line:
    """Lines joined by blanks, with the styles that all of them have."""
    return Line(
        text=" ".join(line.text for line in lines),
        page=lines[0].page,
        bold=all(line.bold for line in lines),
        italic=all(line.italic for line in lines),
        underline=all(line.underline for line in lines),
        caps=all(line.caps for line in lines),
        centered=all(line.centered for line in lines),
        size=max(line.size for line in lines),
        bullet=lines[0].bullet,
        anchors=[anchor for line in lines for anchor in line.anchors],
        links=[link for line in lines for link in line.links],
    )


def _has_figures(row: list[GridCell]) -> bool:
    """Whether a row has a figure after its first cell."""
    return any(is_figure(cell.text) for cell in row[1:])


def _table(grid: Grid, cells: list[GridCell]) -> Line:
    lines = [line for cell in cells for line in cell.lines]
    table = joined(lines)
    table.bullet, table.grid = False, grid
    return table


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """Rows of (text, columns spanned); every row covers all columns. `header` counts the rows of column headings."""

    rows: tuple[tuple[tuple[str, int], ...], ...]
    header: int


@dataclass(slots=True)
class Piece:
    """A printed cell and the grid columns it covers."""

    start: int
    end: int
    text: str
    heads: bool


def printed(grid: Grid) -> PrintedTable:
    """The rows of a grid as printed. Figures stay strings: "—", "(8)", "12 %" are never made numbers."""
    rows = [put_together(row) for row in grid.rows]
    starts = columns(rows)
    room = max(MOST_CELLS, MOST_EMPTY * sum(map(len, rows)))
    starts = starts[: max(room // max(len(rows), 1), 1)]
    return PrintedTable(tuple(placed(row, starts) for row in rows), header_rows(rows, starts))


def put_together(row: list[GridCell]) -> list[Piece]:
    """One row with "$" + "1,234", "(8" + ")" and "12" + "%" in one cell each: "$ 1,234", "(8)", "12 %"."""
    pieces: list[Piece] = []
    opening: Piece | None = None
    for cell in row:
        text = cell.text
        heads = cell.heads or all(line.bold for line in cell.lines)
        if opening is not None:
            if is_figure(text) and not CLOSING.fullmatch(text):
                gap = "" if opening.text.endswith("(") else " "
                pieces.append(Piece(opening.start, cell.end, opening.text + gap + text, heads))
                opening = None
                continue
            pieces.append(opening)
            opening = None
        if len(text) <= LONGEST_SIGN and OPENING.fullmatch(text):
            opening = Piece(cell.start, cell.end, text, heads)
        elif pieces and len(text) <= LONGEST_SIGN and CLOSING.fullmatch(text) and is_figure(pieces[-1].text):
            gap = "" if text.startswith(")") else " "
            last = pieces[-1]
            pieces[-1] = Piece(last.start, cell.end, last.text + gap + text, last.heads)
        else:
            pieces.append(Piece(cell.start, cell.end, text, heads))
    if opening is not None:
        pieces.append(opening)
    return pieces


def columns(rows: list[list[Piece]]) -> list[int]:
    """Where columns begin: as few as keep every row's cells apart.

    Cells of several rows that overlap are one column. A cell over two cells of another row spans several columns and
    begins none; cells to the right of it in its row do.
    """
    placed_at: dict[tuple[int, int], set[int]] = {}
    for number, row in enumerate(rows):
        for piece in row:
            placed_at.setdefault((piece.start, piece.end), set()).add(number)
    wide = over_several(placed_at, rows)
    heaps: list[tuple[int, int, set[int]]] = []  # where it begins and ends, and the rows that have a cell in it
    for (start, end), numbers in sorted(placed_at.items(), key=lambda item: item[0]):
        if (start, end) in wide:
            continue
        if heaps and start < heaps[-1][1] and heaps[-1][2].isdisjoint(numbers):
            first, last, others = heaps[-1]
            others |= numbers
            heaps[-1] = first, max(last, end), others
        else:
            heaps.append((start, end, set(numbers)))
    starts = [min(start for start, _ in placed_at)] if placed_at else []
    taken: set[int] = set()
    over = sorted(wide, reverse=True)
    for start, _, numbers in heaps:
        while over and over[-1][0] < start:
            taken |= placed_at[over.pop()]
        if not taken.isdisjoint(numbers):
            starts.append(start)
            taken = set(numbers)
        else:
            taken |= numbers
    return starts


def over_several(spans: Iterable[tuple[int, int]], rows: list[list[Piece]]) -> set[tuple[int, int]]:
    """Column spans over two or more cells of a row: those that contain parts of both sides of a gap between them."""
    gaps = sorted({(one.end, other.start) for row in rows for one, other in pairwise(row)}, reverse=True)
    found: set[tuple[int, int]] = set()
    nearest = None  # where the first cell right of such a gap begins
    at = 0
    for start, end in sorted(spans, reverse=True):
        while at < len(gaps) and gaps[at][0] > start:
            nearest = gaps[at][1] if nearest is None else min(nearest, gaps[at][1])
            at += 1
        if nearest is not None and nearest < end:
            found.add((start, end))
    return found


def placed(row: list[Piece], starts: list[int]) -> tuple[tuple[str, int], ...]:
    """A row on the table's columns, with empty cells between."""
    cells: list[tuple[str, int]] = []
    beyond: list[str] = []
    column = 0
    for place, piece in enumerate(row):
        # A heading over several columns may begin slightly before the first of them.
        within = bisect_left(starts, piece.start)
        begins = within if within < len(starts) and starts[within] < piece.end else _column(starts, piece.start)
        first = max(column, begins)
        if first >= len(starts):
            # More cells than columns: the last column takes the rest.
            beyond.append(piece.text)
            continue
        cells += [("", 1)] * (first - column)
        limit = _column(starts, row[place + 1].start) if place + 1 < len(row) else len(starts)
        last = min(max(_column(starts, piece.end - 1), first), max(limit - 1, first))
        cells.append((piece.text, last - first + 1))
        column = last + 1
    cells += [("", 1)] * (len(starts) - column)
    if beyond:
        text, span = cells[-1]
        cells[-1] = (" ".join([text, *beyond]), span)
    return tuple(cells)


def _column(starts: list[int], at: int) -> int:
    return max(bisect_right(starts, at) - 1, 0)


def header_rows(rows: list[list[Piece]], starts: list[int]) -> int:
    """How many top rows name columns: those before the first row with a figure, down to the last with text beside its
    label.

    In a table of words it is the first row, if it is set apart.
    """
    beyond = starts[1] if len(starts) > 1 else 1
    header = 0
    for number, row in enumerate(rows):
        others = [piece for piece in row if piece.start >= beyond]
        if any(is_figure(piece.text) and not YEAR.fullmatch(piece.text) for piece in others):
            return header
        if others:
            header = number + 1
    first = rows[0] if rows else []
    return 1 if len(rows) > 1 and first and all(piece.heads for piece in first) else 0
