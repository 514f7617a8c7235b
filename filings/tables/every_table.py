"""All tables of a document with the figures whose meaning is certain: what can be asked of it beside its statements."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from filings.document.blocks import page_at
from filings.tables.column_periods import Subject
from filings.tables.printed_facts import Text, currency_of
from filings.tables.reading import ReadRow, TableReader
from filings.tables.statements import title_of

LONGEST_NAME = 500
INSTANT = {"balance": True, "income": False, "cashflow": False}  # of primary statements


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table, or the figures of a section's sentences. section: its number, from 1. title: the lines above that name it.

    start, end: its range in the section's text. page: as printed or counted; empty where none is known.
    """

    section: int
    kind: str
    start: int
    end: int
    title: str
    page: str
    rows: tuple[ReadRow, ...]


def every_table(sections: Sequence[Text], subject: Subject) -> Iterator[ReadTable]:
    """The tables of a document's sections that have a figure whose unit and period are certain."""
    currency = currency_of(sections)
    for number, section in enumerate(sections, 1):
        for place, block in enumerate(section.blocks):
            if not block.rows:
                continue
            kind, _ = title_of(section.text, section.blocks, place) or ("", "")
            reader = TableReader(
                section.text, section.blocks, place, subject, instant=INSTANT.get(kind), currency=currency, parts=True
            )
            rows = tuple(reader.rows())
            if rows:
                page = page_at(section.pages, block.start)
                title = " \u203a ".join(reversed(reader.above[:2]))[:LONGEST_NAME]
                yield ReadTable(number, "table", block.start, block.end, title, page.label if page else "", rows)
