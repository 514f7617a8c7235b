"""Finds the tables among the rows of a page: figures under one another, with their labels and headings."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from filings.document.pdf.pieces import Piece, pieces
from filings.document.pdf.rows import Row

ALIGNED = 3.0  # points by which figures under one another may differ at their last digit, middle or right edge
SHARE_ALIGNED = 0.6  # of a table's rows with figures
MOST_COLUMNS = 200
FAR = 5.0  # of the size: a distance between rows that ends a table
INDENT = 2.0  # of the size: what begins further right is no label
LARGER = 1.0  # points: the text of a title beside a table's
ALONE = 2.2  # of the size: how far below the last row a figure alone may be
NEAR = 2.6  # of the size: how far above the first figures a heading of columns may be
MOST_HEADINGS = 8  # rows above the first figures that may name columns
CENTERED = 3.0  # points between the middles of a heading's lines


@dataclass(slots=True, eq=False)
class TableRow:
    """A row and its pieces."""

    row: Row
    pieces: list[Piece]
    labelled: bool = False  # its first piece is a label, though it reads as a figure

    @property
    def figures(self) -> list[Piece]:
        """Its figures after a label; all of them where there are several and no label."""
        found = [piece for piece in self.pieces[1:] if piece.figure]
        if not self.labelled and found and all(piece.figure for piece in self.pieces):
            return self.pieces
        return found

    @property
    def is_body(self) -> bool:
        """Whether it has a figure that is not the year of a column's heading."""
        return any(not piece.is_year for piece in self.figures)


@dataclass(slots=True, eq=False)
class Found:
    """A table: its rows, of which the first `header` name the columns."""

    rows: list[TableRow]
    header: int


def with_tables(rows: Sequence[Row]) -> list[Row | Found]:
    """Rows in order, with those that make a table in one."""
    every = [TableRow(row, pieces(row)) for row in rows]
    every = [one for one in every if one.pieces]
    found: list[Row | Found] = []
    done = at = 0
    while at < len(every):
        if not every[at].figures or len(every[at].pieces) > MOST_COLUMNS:
            at += 1
            continue
        end = _end(every, at)
        table = every[at:end]
        if not _is_table(table) and not _is_headed(every[at], every[max(at - 1, done) : at]):
            at += 1
            continue
        first = _first_heading(every, at, done, table)
        found += [one.row for one in every[done:first]]
        found.append(Found(every[first:end], _header(every[first:end])))
        done = at = end
    return found + [one.row for one in every[done:]]


def _end(every: Sequence[TableRow], start: int) -> int:
    """After the last row of a table that begins with the figures at `start`."""
    end = start + 1
    edge = min(piece.x0 for piece in every[start].figures)
    far = max(piece.x1 for piece in every[start].figures)
    has_body = every[start].is_body
    between = False
    for number in range(start + 1, len(every)):
        last, one = every[number - 1], every[number]
        far_off = one.row.base - last.row.base > FAR * max(one.row.size, last.row.size)
        if far_off or len(one.pieces) > MOST_COLUMNS:
            break
        # A row cannot begin with a figure far left of all others: the end of a label, or a year that is one.
        one.labelled = has_body and one.pieces[0].figure and one.pieces[0].x1 < edge - one.row.size
        figures = one.figures
        if not figures and one.pieces[0].figure and _within(one.pieces[0], edge, far):
            # A figure alone is a sum without a label; further below stands the number of the page.
            if between or one.row.base - last.row.base > ALONE * one.row.size:
                break
            figures = one.pieces
        if figures:
            if has_body and not one.is_body and all(piece.is_year for piece in figures) and between:
                # Years again, after words alone: the next table begins.
                break
            end, between = number + 1, False
            has_body = has_body or one.is_body
            edge = min(edge, *(piece.x0 for piece in figures))
            far = max(far, *(piece.x1 for piece in figures))
            continue
        between = True
        if not _is_label(one, edge) and not all(_within(piece, edge, far) for piece in one.pieces[1:] or one.pieces):
            break
        if len(one.pieces) == 1 and one.pieces[0].x0 < edge and one.pieces[0].x1 > edge + ALIGNED:
            break
    return end


def _within(piece: Piece, edge: float, far: float) -> bool:
    """Whether a piece stands above or below figures."""
    return piece.x1 > edge and edge - (far - edge) * 0.1 < piece.middle and piece.x0 < far


def _is_label(one: TableRow, edge: float) -> bool:
    return len(one.pieces) == 1 and one.pieces[0].x1 <= edge + ALIGNED


def _is_table(table: Sequence[TableRow]) -> bool:
    """Whether figures stand under one another, in two rows or below headings of several columns."""
    body = [one for one in table if one.is_body]
    if not body:
        return False
    with_figures = [one for one in table if one.figures]
    if len(with_figures) < 2:
        return False
    if len(body) == 1:
        years = max((len(one.figures) for one in with_figures if not one.is_body), default=0)
        return years > 1 and len(body[0].figures) > 1
    edges = [[(piece.edge, piece.middle, piece.x1) for piece in one.figures] for one in body]
    aligned = 0
    for number, own in enumerate(edges):
        near = edges[max(0, number - 4) : number] + edges[number + 1 : number + 5]
        aligned += any(
            abs(one - other) < ALIGNED
            for places in own
            for others in near
            for other_places in others
            for one, other in zip(places, other_places, strict=True)
        )
    return aligned >= max(2, SHARE_ALIGNED * len(body))


def _is_headed(one: TableRow, above: Sequence[TableRow]) -> bool:
    """Whether each figure of a row alone stands below a heading of its own in the row above."""
    figures = one.figures
    if not above or len(figures) < 2 or not one.is_body or one.row.base - above[0].row.base > NEAR * one.row.size:
        return False
    over = [
        [number for number, head in enumerate(above[0].pieces) if head.x0 < piece.x1 and piece.x0 < head.x1]
        for piece in figures
    ]
    return all(len(found) == 1 for found in over) and len({found[0] for found in over}) == len(figures)


def _first_heading(every: Sequence[TableRow], start: int, done: int, table: Sequence[TableRow]) -> int:
    """The first of the rows above a table's figures that name its columns, or begin its first label."""
    left, edge, far = _extent(table)
    size = median(one.row.size for one in table)
    label = every[start].pieces[0].text
    first = start
    for number in range(start - 1, max(start - MOST_HEADINGS, done) - 1, -1):
        one, below = every[number], every[number + 1]
        if below.row.base - one.row.base > NEAR * max(size, one.row.size) or one.row.size > size + LARGER:
            break
        over = [piece for piece in one.pieces if _is_over(piece, left + INDENT * size, edge) and piece.x0 < far]
        beside = [piece for piece in one.pieces if piece not in over]
        if len(beside) > 2 or any(piece.x1 > edge + ALIGNED for piece in beside):
            break
        if not over:
            # A label alone, between the headings and the first figures.
            if first == number + 1 == start and label[0].islower():
                first = number
            continue
        is_alone = len(over) == 1 and not beside
        if is_alone and _is_title(one, below, (left + far) / 2, (edge + far) / 2):
            # Unless headings of columns stand above it.
            continue
        first = number
    return first


def _is_over(piece: Piece, left: float, edge: float) -> bool:
    """Whether words reach over figures that begin at `edge`, without beginning where labels do."""
    return piece.x0 > left and piece.x1 > edge + 1


def _extent(table: Sequence[TableRow]) -> tuple[float, float, float]:
    """Where a table begins, its figures begin, and they end."""
    figures = [piece for one in table for piece in one.figures]
    return (
        min(one.pieces[0].x0 for one in table),
        min(piece.x0 for piece in figures),
        max(piece.x1 for piece in figures),
    )


def _header(table: Sequence[TableRow]) -> int:
    """How many rows name columns: down to the last with words over them, before the first figures."""
    left, edge, _ = _extent(table)
    header = 0
    for number, one in enumerate(table):
        if one.is_body:
            break
        if any(_is_over(piece, left + INDENT * one.row.size, edge) for piece in one.pieces):
            header = number + 1
    return header


def _is_title(one: TableRow, below: TableRow, outer: float, inner: float) -> bool:
    """Whether a row alone is set in the middle of the whole table (`outer`) rather than of its figures (`inner`)."""
    alone = one.pieces[0].middle
    middles = [piece.middle for piece in below.pieces]
    middles += [(left.x0 + right.x1) / 2 for left, right in pairwise(below.pieces)]
    if len(below.pieces) > 1 and any(abs(middle - alone) < CENTERED for middle in middles):
        # Set over a heading, or over two of them, it is one itself.
        return False
    return abs(alone - outer) < abs(alone - inner)


def pitch(rows: Sequence[TableRow]) -> float:
    """The usual distance of rows with figures that follow each other; 0 where none do."""
    steps = [other.row.base - one.row.base for one, other in pairwise(rows) if one.figures and other.figures]
    return median(steps) if steps else 0.0
