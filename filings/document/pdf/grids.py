"""A table's rows as a grid: columns by the right edges of their figures, headings over the columns they name."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from filings.document.layout.lines import Grid, GridCell
from filings.document.pdf.labels import with_whole_labels
from filings.document.pdf.pieces import Piece
from filings.document.pdf.printed_lines import line_of
from filings.document.pdf.tables import MOST_COLUMNS, Found, TableRow

NEAREST = 6  # columns
CHAIN = 2.5  # points between the right edges of figures of one column
SLIGHT = 0.3  # of a column's width: a heading so little over it is not its own
TIGHT = 1.35  # of the size: from one line of a heading to the next
UNDER = 2.5  # points between the middles of a heading's lines
SLACK, BEYOND = 2.0, 1_000.0  # points
BETTER = 4.0  # points by which a heading must be better centered to span more columns


Placed = tuple[int, int, Piece]  # a cell's first column, the column after its last, and its words


@dataclass(slots=True, eq=False)
class Column:
    """Where a column is, and the numbers of the rows that have a cell in it."""

    x0: float
    x1: float
    rows: set[int]

    def add(self, other: "Column") -> None:
        """Take another column's cells."""
        self.x0, self.x1 = min(self.x0, other.x0), max(self.x1, other.x1)
        if len(self.rows) < len(other.rows):
            self.rows, other.rows = other.rows, self.rows
        self.rows |= other.rows

    def overlap(self, piece: Piece) -> float:
        return min(self.x1, piece.x1) - max(self.x0, piece.x0)


def grid(table: Found, page: int) -> Grid:
    """The cells of a table. A label is in column 0; every figure in a column of its own right edge."""
    rows = [*table.rows[: table.header], *with_whole_labels(table.rows[table.header :])]
    columns = _columns(rows, table.header)[:MOST_COLUMNS]
    # From the last row of headings upwards: what is centered over a heading has its columns.
    heads: list[list[Placed]] = []
    left = min(one.pieces[0].x0 for one in rows[table.header :])
    for number in range(table.header - 1, -1, -1):
        cells = _header_cells(rows[number], columns, heads[0] if heads else (), left)
        is_tight = heads and rows[number + 1].row.base - rows[number].row.base < TIGHT * rows[number].row.size
        if is_tight and _stacks(cells, heads[0]):
            heads[0] = _stacked(cells, heads[0])
        else:
            heads.insert(0, cells)
    found = [*heads, *(_body_cells(one, columns) for one in rows[table.header :])]
    return Grid(
        [
            [GridCell(start, end, [line_of([piece.words], page, piece.text)]) for start, end, piece in cells]
            for cells in found
        ]
    )


def _columns(rows: Sequence[TableRow], header: int) -> list[Column]:
    """The columns right of the labels, from left to right."""
    body = list(enumerate(rows))[header:]
    figures = [(piece, number) for number, one in body for piece in one.pieces[1:] if piece.figure]
    if not figures:
        figures = [(piece, number) for number, one in body for piece in one.figures]
    columns = _by_edges(figures)
    edge = min(column.x0 for column in columns)
    # A row without a label begins with a figure; a year that is a label stands left of all figures.
    firsts = [(one.pieces[0], number) for number, one in body if one.pieces[0].figure and one.pieces[0].x1 > edge]
    if firsts:
        known = {id(piece) for piece, _ in figures}
        columns = _by_edges([*figures, *(first for first in firsts if id(first[0]) not in known)])
    words = [(piece, number) for number, one in body for piece in one.pieces[1:] if not piece.figure]
    for piece, number in words:
        # Words between figures: in the column they stand in, else in one of their own.
        if len(columns) < MOST_COLUMNS and not any(column.overlap(piece) > 0 for column in columns):
            columns.append(Column(piece.x0, piece.x1, {number}))
    return _merged(sorted(columns, key=lambda column: column.x0))


def _by_edges(figures: Sequence[tuple[Piece, int]]) -> list[Column]:
    columns: list[Column] = []
    last = 0.0
    for piece, number in sorted(figures, key=lambda one: one[0].edge):
        column = Column(piece.x0, piece.x1, {number})
        edge = piece.edge
        if columns and edge - last < CHAIN and number not in columns[-1].rows:
            columns[-1].add(column)
        else:
            columns.append(column)
        last = edge
    return _merged(columns)


def _merged(columns: Sequence[Column]) -> list[Column]:
    """Columns with those joined that overlap and never have a cell in one row."""
    kept: list[Column] = []
    for column in columns:
        while kept and min(kept[-1].x1, column.x1) > max(kept[-1].x0, column.x0):
            if not kept[-1].rows.isdisjoint(column.rows):
                break
            column.add(kept.pop())
        kept.append(column)
    return kept


def _body_cells(one: TableRow, columns: Sequence[Column]) -> list[Placed]:
    cells: list[Placed] = []
    taken = -1
    starts = [column.x0 for column in columns]
    for place, piece in enumerate(one.pieces):
        # The column it overlaps most is among the last that begin before it ends.
        end = bisect_right(starts, piece.x1)
        near = range(max(0, end - NEAREST), min(end + 1, len(columns)))
        within = max(near, key=lambda at: (columns[at].overlap(piece), -abs(columns[at].x1 - piece.x1)))
        is_label = place == 0 and (
            (not piece.figure and piece.x0 < columns[0].x0) or columns[within].overlap(piece) <= 0
        )
        at = 0 if is_label else max(within + 1, taken + 1)
        cells.append((at, at + 1, piece))
        taken = at
    return cells


def _header_cells(one: TableRow, columns: Sequence[Column], below: Sequence[Placed], left: float) -> list[Placed]:
    """The headings of a row with the columns that they name; `below` are those of the next row; labels begin at `left`."""
    cells: list[Placed] = []
    over = list(one.pieces)
    head, edge = over[0], columns[0].x0
    is_under = any(start and abs(piece.middle - head.middle) < UNDER for start, _, piece in below)
    is_full = len(over) == len(columns) and head.x0 > left + 2 * one.row.size
    if head.middle < edge and columns[0].overlap(head) < SLIGHT * (columns[0].x1 - edge) and not is_under | is_full:
        cells.append((0, 1, over.pop(0)))
    taken = 0
    for place, piece in enumerate(over):
        before = (over[place - 1].middle + piece.middle) / 2 if place else float("-inf")
        after = (over[place + 1].middle + piece.middle) / 2 if place + 1 < len(over) else float("inf")
        own = [at for at, column in enumerate(columns) if before < (column.x0 + column.x1) / 2 <= after]
        own = [at for at in own if at >= taken]
        if not own:
            own = [min(max(taken, 0), len(columns) - 1)]
        under = next(
            (named for named in below if abs(named[2].middle - piece.middle) < UNDER and named[0] > taken), None
        )
        if under and (_wide(piece) <= _wide(under[2]) or _holds(columns, under[0] - 1, under[1] - 2, piece)):
            first, last = under[0] - 1, under[1] - 2
        else:
            first, last = _named(piece, columns, own)
        cells.append((first + 1, last + 2, piece))
        taken = last + 1
    return cells


def _stacks(upper: Sequence[Placed], lower: Sequence[Placed]) -> bool:
    """Whether two rows of headings are lines of the same ones: no heading of one stands over a part of another's."""
    spans = {(start, end) for start, end, _ in lower}
    shared = False
    for start, end, _ in upper:
        if (start, end) in spans:
            shared = True
        elif any(start < other_end and other_start < end for other_start, other_end in spans):
            return False
    return shared


def _stacked(upper: Sequence[Placed], lower: Sequence[Placed]) -> list[Placed]:
    """Two lines of headings as one row."""
    cells = {start: (start, end, piece) for start, end, piece in upper}
    for start, end, piece in lower:
        over = cells[start][2] if start in cells else None
        if over is not None:
            piece = Piece([*over.words, *piece.words], f"{over.text} {piece.text}", False)
        cells[start] = start, end, piece
    return [cells[start] for start in sorted(cells)]


def _named(piece: Piece, columns: Sequence[Column], own: Sequence[int]) -> tuple[int, int]:
    """The first and last of the columns that a heading is centered over, of those that may be its own."""
    touched = [at for at in own if columns[at].overlap(piece) > SLIGHT * (columns[at].x1 - columns[at].x0)]
    if not touched:
        nearest = min(own, key=lambda at: abs((columns[at].x0 + columns[at].x1) / 2 - piece.middle))
        touched = [nearest]
    best = (touched[0], touched[-1])
    off = _off(columns, *best, piece)
    for first in own:
        for last in own:
            if first > touched[0] or last < touched[-1] or first > last:
                continue
            other = _off(columns, first, last, piece)
            if other < off - BETTER:
                best, off = (first, last), other
    return best


def _wide(piece: Piece) -> float:
    return piece.x1 - piece.x0


def _off(columns: Sequence[Column], first: int, last: int, piece: Piece) -> float:
    """How far a heading is from the middle of columns; further than any where it reaches over others."""
    off = abs((columns[first].x0 + columns[last].x1) / 2 - piece.middle)
    return off if _holds(columns, first, last, piece) else off + BEYOND


def _holds(columns: Sequence[Column], first: int, last: int, piece: Piece) -> bool:
    """Whether a heading stays within columns and half the gaps beside them."""
    left = (columns[first - 1].x1 + columns[first].x0) / 2 if first else float("-inf")
    right = (columns[last].x1 + columns[last + 1].x0) / 2 if last + 1 < len(columns) else float("inf")
    return left - SLACK < piece.x0 and piece.x1 < right + SLACK
