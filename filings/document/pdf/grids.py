"""A table's rows as a grid: columns by the right edges of their figures, headings over the columns they name."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from filings.document.layout.lines import Grid, GridCell
from filings.document.pdf.labels import with_whole_labels
from filings.document.pdf.pieces import Piece
from filings.document.pdf.printed_lines import line_of
from filings.document.pdf.tables import MOST_COLUMNS, Found, TableRow

CHAIN = 2.5  # points between the right edges of figures of one column
SLIGHT = 0.3  # of a column's width: a heading so little over it is not its own
TIGHT = 1.35  # of the size: from one line of a heading to the next
UNDER = 2.5  # points between the middles of a heading's lines
BETTER = 4.0  # points by which a heading must be better centered to span more columns


Placed = tuple[int, int, Piece]  # a cell's first column, the column after its last, and its words


@dataclass(slots=True, eq=False)
class Column:
    """A column: the pieces in it, and the numbers of their rows."""

    pieces: list[Piece]
    rows: set[int]
    x0: float = field(init=False)
    x1: float = field(init=False)

    def __post_init__(self) -> None:
        self.x0 = min(piece.x0 for piece in self.pieces)
        self.x1 = max(piece.x1 for piece in self.pieces)

    def joined(self, other: "Column") -> "Column":
        return Column([*self.pieces, *other.pieces], self.rows | other.rows)

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
        if not any(column.overlap(piece) > 0 for column in columns):
            columns.append(Column([piece], {number}))
    return _merged(sorted(columns, key=lambda column: column.x0))


def _by_edges(figures: Sequence[tuple[Piece, int]]) -> list[Column]:
    columns: list[Column] = []
    last = 0.0
    for piece, number in sorted(figures, key=lambda one: one[0].edge):
        if columns and piece.edge - last < CHAIN and number not in columns[-1].rows:
            columns[-1] = columns[-1].joined(Column([piece], {number}))
        else:
            columns.append(Column([piece], {number}))
        last = piece.edge
    return _merged(columns)


def _merged(columns: Sequence[Column]) -> list[Column]:
    """Columns with those joined that overlap and never have a cell in one row."""
    kept: list[Column] = []
    for column in columns:
        while kept and min(kept[-1].x1, column.x1) > max(kept[-1].x0, column.x0):
            if not kept[-1].rows.isdisjoint(column.rows):
                break
            column = kept.pop().joined(column)
        kept.append(column)
    return kept


def _body_cells(one: TableRow, columns: Sequence[Column]) -> list[Placed]:
    cells: list[Placed] = []
    taken = -1
    for place, piece in enumerate(one.pieces):
        within = max(range(len(columns)), key=lambda at: (columns[at].overlap(piece), -abs(columns[at].x1 - piece.x1)))
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
    first, edge = over[0], columns[0].x0
    is_under = any(start and abs(piece.middle - first.middle) < UNDER for start, _, piece in below)
    is_full = len(over) == len(columns) and first.x0 > left + 2 * one.row.size
    if first.middle < edge and columns[0].overlap(first) < SLIGHT * (columns[0].x1 - edge) and not is_under | is_full:
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
        first, last = (under[0] - 1, under[1] - 2) if under else _named(piece, columns, own)
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
    off = abs((columns[best[0]].x0 + columns[best[1]].x1) / 2 - piece.middle)
    for first in own:
        for last in own:
            if first > touched[0] or last < touched[-1] or first > last:
                continue
            other = abs((columns[first].x0 + columns[last].x1) / 2 - piece.middle)
            if other < off - BETTER:
                best, off = (first, last), other
    return best
