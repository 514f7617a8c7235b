"""Reads plain text: paragraphs between blank lines, lines that a program wrapped joined, headings, columns, pages."""

import re
from collections.abc import Sequence
from itertools import groupby, pairwise

from filings.document.layout.lines import BULLET_START, LETTERS, Grid, GridCell, Line, folded, is_title
from filings.document.layout.markup import as_typed, is_typed
from filings.document.layout.tables import NUMERIC, unfolded

PAGE = re.compile(r"\f|^<PAGE>[ \t]*$", re.MULTILINE | re.IGNORECASE)
BLANK = re.compile(r"\n[ \t]*(?:\n[ \t]*)*\n")
WIDEST = 140  # characters of a line that was wrapped: longer ones are paragraphs
NARROWEST = 40
UNWRAPPED = 0.05  # share of longer lines from which none was wrapped
NEARLY = 0.85  # of the text's own width: a paragraph may be indented on the right
LIST_ITEM = re.compile(r"\s*(?:[-*+]\s+(?=\S)|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]\s+(?=\S))")
# A dash at the beginning of a line was escaped by another when filings came as mail (RFC 1421).
UNDERLINE = re.compile(r"\s*(?:={3,}|(?:- )?-{3,}|~{3,})\s*")
ENDS_SENTENCE = re.compile(r"[.!?:;,]$")
NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){1,4}\.?|[IVX]{1,5}\.|\d{1,2}[.)]|[A-Z]\.)\s+(?=[A-Z])")
LONGEST_HEADING = 100
CELL_GAP = re.compile(r"\t+ *| {2,}(?=\S)")
COLUMN = re.compile(r"\S+(?: \S+)*")
LEAST_ROWS = 2


def text_lines(text: str) -> tuple[list[Line], int]:
    """The lines of a text, and its number of pages."""
    lines: list[Line] = []
    page = 1
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text, prose = as_typed(text) if is_typed(text) else (text, text)
    width = wrap_width(prose)
    for number, part in enumerate(PAGE.split(text)):
        if number and lines and lines[-1].page == page:
            page += 1
        for paragraph in BLANK.split(part):
            rows = [row.rstrip() for row in paragraph.split("\n") if row.strip()]
            if rows:
                lines += _paragraph(rows, page, width)
    return lines, page


def wrap_width(text: str) -> int:
    """The width at which a program wrapped the lines; 0 where each line is a paragraph."""
    lengths = sorted(len(line.rstrip()) for line in text.split("\n") if line.strip())
    if not lengths:
        return 0
    short = [length for length in lengths if length <= WIDEST]
    if len(lengths) - len(short) > UNWRAPPED * len(lengths):
        return 0
    width = short[int(0.95 * (len(short) - 1))]
    return width if width >= NARROWEST else 0


def _paragraph(rows: Sequence[str], page: int, width: int) -> list[Line]:
    """The lines of rows without a blank row between them: tables, headings, list entries and joined paragraphs."""
    if len(rows) == 1:
        return [_line(rows, page, alone=True)]
    lines: list[Line] = []
    for is_row, group in groupby(_tabular(rows), key=lambda pair: pair[0]):
        some = [row for _, row in group]
        if is_row:
            lines += _table(some, page)
            continue
        for joined in _unwrapped(some, width):
            lines.append(_line(joined, page, alone=False))
    return lines


def _tabular(rows: Sequence[str]) -> list[tuple[bool, str]]:
    """Each row, and whether it is one of a table: two or more in columns, one of them with a figure."""
    in_columns = [len(CELL_GAP.findall(row.strip())) > 0 for row in rows]
    marked: list[tuple[bool, str]] = []
    for wide, group in groupby(zip(in_columns, rows, strict=True), key=lambda pair: pair[0]):
        some = [row for _, row in group]
        figures = sum(any(NUMERIC.fullmatch(cell) for cell in CELL_GAP.split(row.strip())[1:]) for row in some)
        is_table = wide and len(some) >= LEAST_ROWS and 2 * figures >= len(some)
        marked += [(is_table, row) for row in some]
    return marked


def _table(rows: Sequence[str], page: int) -> list[Line]:
    grid = Grid()
    tabs = {row.count("\t") for row in rows}
    for row in rows:
        cells = []
        for start, end, text in _by_tabs(row, len(tabs) == 1) if tabs != {0} else _by_place(row):
            line = Line(folded(text), page)
            if line.text:
                cells.append(GridCell(start, end, [line]))
        if cells:
            grid.rows.append(cells)
    return unfolded(grid)


def _by_place(row: str) -> list[tuple[int, int, str]]:
    """The cells of a row of columns, which are where they stand."""
    return [(found.start(), found.end(), found[0]) for found in COLUMN.finditer(row)]


def _by_tabs(row: str, each: bool) -> list[tuple[int, int, str]]:
    """The cells of a row between tabs. each: every tab begins a column; otherwise several side by side begin one."""
    cells = row.split("\t") if each else re.split(r"\t+", row.strip())
    return [(place, place + 1, text) for place, text in enumerate(cells)]


def _unwrapped(rows: Sequence[str], width: int) -> list[list[str]]:
    """Groups of rows that are one line each: a row goes on where the next row's first word did not fit in it."""
    longest = max(map(len, rows))
    own = longest if longest >= NEARLY * width else int(NEARLY * width)
    groups: list[list[str]] = [[rows[0]]]
    for before, row in pairwise(rows):
        goes_on = (
            width > 0
            and longest <= WIDEST
            and not LIST_ITEM.match(row)
            and not BULLET_START.match(row.lstrip())
            and not UNDERLINE.fullmatch(row)
            and len(before) + 1 + len(row.split(None, 1)[0]) > own
        )
        if goes_on or UNDERLINE.fullmatch(row):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _line(rows: Sequence[str], page: int, alone: bool) -> Line:
    """A heading that is underlined or stands alone, a list entry, or a paragraph."""
    underline = rows[-1].strip() if len(rows) > 1 and UNDERLINE.fullmatch(rows[-1]) else ""
    text = folded(" ".join(rows[:-1] if underline else rows))
    bullet = bool(BULLET_START.match(text) or LIST_ITEM.match(text))
    level = 0
    if underline and len(text) <= LONGEST_HEADING and LETTERS.search(text):
        level = 2 if underline.startswith("=") else 3
    elif alone and not ENDS_SENTENCE.search(text) and len(text) <= LONGEST_HEADING and LETTERS.search(text):
        number = NUMBERED.match(text)
        if number and is_title(text[number.end() :]):
            level = min(3 + number[0].rstrip(". )").count("."), 5)
        elif is_title(text) and text[0].isupper():
            level = 3
    bullet = bullet and not level
    return Line(text, page, bold=level > 0, caps=text.isupper(), bullet=bullet, level=level)
