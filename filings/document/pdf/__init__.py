"""Reads a PDF file into the same frozen text, blocks and pages as an HTML document (see filings.document.layout).

Text is read by its place on the page: words on one baseline are a row, figures under one another a table, rows that
were broken because the next word had no room a paragraph. Nothing is recognized in pictures: a page without text is
named in `silent`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from filings.document.layout import Layout, UnreadableText, frozen
from filings.document.layout.joining import rejoined
from filings.document.layout.running_lines import without_running_lines
from filings.document.pdf.characters import Word, page_words
from filings.document.pdf.columns import regions
from filings.document.pdf.grids import grid
from filings.document.pdf.hyphens import Hyphens
from filings.document.pdf.opening import Sheet, opened
from filings.document.pdf.paragraphs import measure, paragraphs
from filings.document.pdf.positions import Place, PrintedPage, places
from filings.document.pdf.printed_lines import PrintedLine
from filings.document.pdf.rows import Row
from filings.document.pdf.tables import Found, with_tables

__all__ = ["PdfLayout", "Place", "PrintedPage", "UnreadableText", "read_pdf", "read_printed"]

MOST_CHARACTERS = 20_000_000  # of a file: 20 times those of a long annual report


@dataclass(frozen=True, slots=True)
class PdfLayout:
    """A PDF file as text, and where that text stands on its pages. `silent` are the numbers of pages without text."""

    layout: Layout
    pages: tuple[PrintedPage, ...]
    silent: tuple[int, ...]


def read_pdf(content: bytes) -> Layout:
    """Read a PDF file. Raises UnreadableText, with a sentence for people."""
    return read_printed(content).layout


def read_printed(content: bytes) -> PdfLayout:
    """Read a PDF file with the places of its text. Raises UnreadableText, with a sentence for people."""
    hyphens = Hyphens()
    sheets: list[PrintedPage] = []
    lines: list[PrintedLine] = []
    silent: list[int] = []
    read = 0
    with opened(content) as file:
        for number in range(1, file.pages + 1):
            with file.sheet(number) as sheet:
                sheets.append(PrintedPage(number, sheet.width, sheet.height))
                words = page_words(sheet)
                found = _page_lines(words, sheet, hyphens)
            read += sum(len(word.text) for word in words)
            if read > MOST_CHARACTERS:
                raise UnreadableText(
                    f"The PDF file has over {MOST_CHARACTERS:,} characters of text, the most that are read."
                )
            if not words:
                silent.append(number)
            lines += found
    if not lines:
        raise UnreadableText("The PDF file has no text: its pages are pictures. Text recognition would add it.")
    kept, numbers = without_running_lines(lines)
    marks = [mark for line in kept if isinstance(line, PrintedLine) for mark in line.marks]
    whole = rejoined(kept)
    hyphens.mend(whole)
    layout = frozen(whole, len(sheets), numbers)
    placed = places(layout.text, marks)
    pages = tuple(
        PrintedPage(page.number, page.width, page.height, tuple(placed.get(page.number, ()))) for page in sheets
    )
    return PdfLayout(layout, pages, tuple(silent))


def _page_lines(words: Sequence[Word], sheet: Sheet, hyphens: Hyphens) -> list[PrintedLine]:
    """The lines of a page in the order of reading: upright text first, then what is turned."""
    lines: list[PrintedLine] = []
    turns = {word.turn for word in words}
    for turn in sorted(turns, key=lambda turn: (-sum(word.turn == turn for word in words), turn)):
        for rows in regions([word for word in words if word.turn == turn]):
            lines += _region_lines(rows, sheet.number, hyphens)
    for line in lines:
        for mark in line.marks:
            boxes = [word.box(sheet) for word in mark.words or ()]
            mark.box = (
                min(box[0] for box in boxes),
                min(box[1] for box in boxes),
                max(box[2] for box in boxes),
                max(box[3] for box in boxes),
            )
            mark.words = None
    return lines


def _region_lines(rows: Sequence[Row], page: int, hyphens: Hyphens) -> list[PrintedLine]:
    for row in rows:
        hyphens.learn(word.text for word in row.words)
    found = with_tables(rows)
    on = measure(rows)
    lines: list[PrintedLine] = []
    text: list[Row] = []
    for one in found:
        if isinstance(one, Row):
            text.append(one)
            continue
        lines += paragraphs(text, on, page, hyphens)
        text = []
        lines.append(_table_line(one, page))
    return lines + paragraphs(text, on, page, hyphens)


def _table_line(table: Found, page: int) -> PrintedLine:
    cells = grid(table, page)
    inner = [line for row in cells.rows for cell in row for line in cell.lines if isinstance(line, PrintedLine)]
    return PrintedLine(
        text=" ".join(line.text for line in inner),
        page=page,
        bold=all(line.bold for line in inner),
        caps=all(line.caps for line in inner),
        size=max(line.size for line in inner),
        grid=cells,
        marks=[mark for line in inner for mark in line.marks],
    )
