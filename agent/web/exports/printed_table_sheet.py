"""A table that a filing prints, as a file: its cells where they stand, figures as numbers."""

import io
import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import zip_longest

from agent.web.exports import csv_file
from agent.web.exports.cell_values import DIGITS, Linked, Printed, Value
from agent.web.exports.xlsx_writer import Book, Sheet
from filings.document.blocks import Block
from filings.models import Section
from filings.sections import item_coverage
from filings.web.reading_views import document_url

_FIGURE = re.compile(
    r"(?P<before>\(?\s*[-\u2212\u2013]?\s*)(?P<money>US\$|[$\u20ac\u00a3\u00a5]?)\s*(?P<open>\(?)\s*"
    r"(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<decimals>(?:\.\d+)?)\s*(?P<close>\)?)\s*(?P<percent>%?)\s*\)?"
)
WIDEST, NARROW = 60.0, 16.0


@dataclass(frozen=True)
class SectionTable:
    """One table of a section, as printed."""

    section: Section
    block: Block

    @property
    def grid(self) -> list[list[str]]:
        """The printed cells, row by row; behind a cell that covers several columns stand empty ones."""
        text = self.section.text
        rows = [
            [word for cell in row for word in (text[cell.start : cell.end].strip(), *[""] * (cell.span - 1))]
            for row in self.block.rows
        ]
        columns = list(zip_longest(*rows, fillvalue=""))
        kept = [column for column in columns if any(column)]
        return [list(row) for row in zip(*kept, strict=True)]

    @property
    def values(self) -> list[list[Value]]:
        """The same with figures as numbers, below the rows that name the columns and behind the rows' names."""
        return [
            [printed(one) if place >= self.block.header and column else one for column, one in enumerate(row)]
            for place, row in enumerate(self.grid)
        ]

    @property
    def title(self) -> str:
        """Apple 10-K, Item 7, table on page 21."""
        filing = self.section.filing
        page = self.section.page(self.block.start)
        where = f"table on page {page.label}" if page else "table"
        return f"{filing.company.called} {filing.form}, {item_coverage.title(self.section)}, {where}"


def table_at(section: Section, offset: int) -> SectionTable | None:
    """The table of a section that covers a position in its text."""
    found = (
        one for one in section.parsed_blocks if one.kind == "table" and one.start <= offset < one.end and one.rows
    )
    return next((SectionTable(section, one) for one in found), None)


def printed(text: str) -> Value:
    """A printed figure as a number that a spreadsheet shows the same way; any other text as it is."""
    found = _FIGURE.fullmatch(text)
    if not found or text.count("(") != text.count(")") or len(found["digits"]) + len(found["decimals"]) > DIGITS:
        return text
    negative = (
        "(" in found["before"] or bool(found["open"]) or any(sign in found["before"] for sign in "-\u2212\u2013")
    )
    number = Decimal(found["digits"].replace(",", "") + found["decimals"])
    places = len(found["decimals"].removeprefix("."))
    decimals = f".{'0' * places}" if places else ""
    whole = "#,##0" if "," in found["digits"] else "0"
    if found["percent"]:
        number, shown = number.scaleb(-2), f"0{decimals}%"
    else:
        shown = f'"{found["money"]}"{whole}{decimals}' if found["money"] else f"{whole}{decimals}"
    return Printed(-number if negative else number, shown, bool(found["percent"]))


def as_csv(table: SectionTable) -> bytes:
    """The rows alone."""
    file = io.BytesIO()
    first, *rows = table.values or [[]]
    csv_file.write(file, first, rows)
    return file.getvalue()


def as_xlsx(table: SectionTable, address: str) -> bytes:
    """The table on a sheet, below what it is of. address: of the section's page."""
    file = io.BytesIO()
    grid = table.grid
    columns = [
        ("", min(max(len(row[at]) for row in grid) + 2.0, WIDEST) if at == 0 else NARROW) for at in range(len(grid[0]))
    ]
    filing = table.section.filing
    source = f"As printed in {filing.form} {filing.accession}, filed {filing.filed:%-d %b %Y}."
    document = document_url(table.section)
    links: list[Value] = [Linked(one, one) for one in (address, document) if one]
    with Book(file, table.title) as book:
        sheet = Sheet(book, "Table", columns, [table.title, source, *links], frozen=1)
        for place, row in enumerate(table.values):
            sheet.write(row, **({"bold": True} if place < table.block.header else {}))
    return file.getvalue()
