"""Tables that are no tables: columns that only place a bullet, a heading or a paragraph on the page."""

import re

from filings.document.layout.lines import BULLETS, ITEM_START, Grid, GridCell, Line

MARK = re.compile(
    rf"[{BULLETS}\u2013—§*oØü-]|\(?(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})\)|(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})\."
)
SIGN = re.compile(rf"[{BULLETS}\u2013—§*oØü-]")
NUMERIC = re.compile(r"[$€£¥(\s+-]*[\d.,]*\d[\d.,]*[)%\s]*|[—\u2013-]+\s*%?|n/?[am]|nm|[$€£%)]+", re.IGNORECASE)
LONGEST_FIGURE = 40  # characters of a cell that is a figure
LONG_CELL = 3  # lines of a cell from which it is a column of text
MOST_ITEM_ROWS = 3  # rows that begin with an Item: more are a table of contents


def is_figure(text: str) -> bool:
    """Whether a cell is a figure, a dash in the place of one, or a sign that belongs to one."""
    return len(text) <= LONGEST_FIGURE and bool(NUMERIC.fullmatch(text))


def unfolded(grid: Grid) -> list[Line]:
    """What a table is in the text: itself as one line, or the lines that it only places."""
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
    """The lines of a row that is no row: a label and its text as one line, columns of text one after another."""
    if len(row) == 2 and _is_marked(row):
        return _marked_lines(row)
    if any(line.grid for cell in row for line in cell.lines) or any(len(cell.lines) > LONG_CELL for cell in row):
        return [line for cell in row for line in cell.lines]
    lines = [line for cell in row for line in cell.lines]
    if len(row) > 1 and (len({line.page for line in lines}) > 1 or sum(len(line.text) > 200 for line in lines) > 1):
        return lines
    return [joined(lines)] if len(row) > 1 else lines


def _is_marked(row: list[GridCell]) -> bool:
    """A row of a mark (•, (1), a.) and one text; or of text alone, under marked rows."""
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
    """Lines as one, a blank apart. It has the styles that all of them have."""
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
    """Whether a row has a cell that is a figure, apart from its first."""
    return any(is_figure(cell.text) for cell in row[1:])


def _table(grid: Grid, cells: list[GridCell]) -> Line:
    lines = [line for cell in cells for line in cell.lines]
    table = joined(lines)
    table.bullet, table.grid = False, grid
    return table
