"""All tables of a document with the figures whose meaning is certain: what can be asked of it beside its statements."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from filings.document.blocks import Block, page_at
from filings.tables.cell_meanings import LONGEST_LINE, ReadRow, lines_above
from filings.tables.column_periods import Subject, said_of
from filings.tables.failures import Failures
from filings.tables.mixed_tables import MixedTableReader
from filings.tables.outlook_tables import results
from filings.tables.printed_facts import SIGNED, Text, currency_of
from filings.tables.statements import title_of
from filings.tables.table import PrintedTable
from filings.tables.table_units import SCALE, TableUnit, places_of, table_unit

LONGEST_NAME = 500
MOST_LINES = 2  # of those above a table in its title
MOST_HEADINGS = 2
LONGEST_FURNITURE = 80
WITHOUT_TABLE = 3  # blocks below a unit that stands above text, of which none is a table
OFTEN = 4  # how often what heads the pages of a section stands in it
INSTANT = {"balance": True, "income": False, "cashflow": False}  # of primary statements
# A sentence of the unit of all tables: "Amounts in tables are in millions, unless otherwise stated."
_SCALES = ("thousands", "millions", "billions")
_OF_ALL = re.compile(r"\b(?:tables?|tabular|otherwise|throughout)\b", re.IGNORECASE)
_OF_ONE = re.compile(r"\b(?:this|following|above|below)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table, or the figures of a section's sentences. section: its number, from 1. title: what names it above.

    start, end: its range in the section's text. page: as printed or counted; empty where none is known.
    """

    section: int
    kind: str
    start: int
    end: int
    title: str
    page: str
    rows: tuple[ReadRow, ...]


@dataclass(frozen=True, slots=True)
class Usual:
    """What a document says of all its tables: their currency and, where it tells one, their unit. signs: whether it prints
    a currency's sign.
    """

    currency: str = ""
    signs: bool = True
    unit: TableUnit = TableUnit()  # noqa: RUF009 - frozen


def usual_of(sections: Sequence[Text]) -> Usual:
    """What a document says of all its tables."""
    signs = any(SIGNED.search(one.text) for one in sections)
    return Usual(currency_of(sections), signs, _declared(one.text for one in sections))


def every_table(sections: Sequence[Text], subject: Subject, failures: Failures | None = None) -> Iterator[ReadTable]:
    """The tables of a document's sections that have a figure whose unit and period are certain. failures: takes those that
    could not be read.
    """
    usual, failures = usual_of(sections), failures or Failures()
    for number, section in enumerate(sections, 1):
        with failures.at(f"section {number}"):
            furniture, headings = _furniture(section), _headings(section)
            for place, reader in _readers(section, subject, usual, failures=failures):
                block = section.blocks[place]
                with failures.at(f"the table at {block.start}"):
                    title = _title(section, place, headings[place], furniture)
                    if rows := tuple(results(reader.rows(), title, subject)):
                        page = page_at(section.pages, block.start)
                        label = page.label if page else ""
                        yield ReadTable(number, "table", block.start, block.end, title, label, rows)


def table_at(section: Text, start: int, subject: Subject, usual: Usual) -> tuple[ReadRow, ...]:
    """The rows of the table that begins at an offset of a section's text, read as every_table reads them."""
    place = next((at for at, block in enumerate(section.blocks) if block.rows and block.start == start), None)
    if place is None:
        return ()
    first = place
    while (before := _before(section, first)) is not None:
        first = before
    found = next((reader for at, reader in _readers(section, subject, usual, first) if at == place), None)
    return tuple(found.rows()) if found else ()


def _readers(
    section: Text, subject: Subject, usual: Usual, first: int = 0, failures: Failures | None = None
) -> Iterator[tuple[int, MixedTableReader]]:
    """The tables of a section from a block on, each with its reader; those that have none are among the failures."""
    failures = failures or Failures()
    told = (_declared([section.text]), _standing(section), usual.unit)
    unit = next((one for one in told if one.known), TableUnit())
    read: dict[int, MixedTableReader] = {}
    for place in range(first, len(section.blocks)):
        if not section.blocks[place].rows:
            continue
        reader = None
        with failures.at(f"the table at {section.blocks[place].start}"):
            kind, _ = title_of(section.text, section.blocks, place) or ("", "")
            before = _before(section, place)
            reader = MixedTableReader(
                section.text, section.blocks, place, subject, instant=INSTANT.get(kind), currency=usual.currency,
                unsigned=not usual.signs, usual=unit, before=read.get(before) if before is not None else None,
            )  # fmt: skip
        read = {place: reader} if reader else {}
        if reader:
            yield place, reader


def _before(section: Text, place: int) -> int | None:
    """The table of the page before that the one at a place goes on with: without headings, as wide, and with nothing
    between them but what heads and ends pages.
    """
    block = section.blocks[place]
    last = place - 1
    while last >= 0 and not section.blocks[last].rows:
        between = section.blocks[last]
        if between.kind == "heading" or between.end - between.start > LONGEST_FURNITURE:
            return None
        last -= 1
    if last < 0 or not block.rows or _width(section.blocks[last]) != _width(block):
        return None
    ended, began = page_at(section.pages, section.blocks[last].start), page_at(section.pages, block.start)
    if ended is None or began is None or began.number - ended.number > 1:
        return None
    return None if PrintedTable(section.text, block).header else last


def _width(block: Block) -> int:
    return max(sum(cell.span for cell in row) for row in block.rows)


def _declared(texts: Iterator[str] | Sequence[str]) -> TableUnit:
    """The one unit that texts say all their tables have; unknown where they say none or several."""
    said = set()
    for text in texts:
        plain = text.lower()
        for at in (at for scale in _SCALES for at in places_of(scale, plain)):
            sentence = _sentence(text, at)
            if _OF_ALL.search(sentence) and not _OF_ONE.search(sentence) and (unit := table_unit(sentence)).known:
                said.add(unit)
    return _agreed(said)


def _standing(section: Text) -> TableUnit:
    """The one unit that stands in lines of its own above text, as below the title of the notes; unknown where none does."""
    blocks, said = section.blocks, set()
    for place, block in enumerate(blocks[:-1]):
        behind = blocks[place + 1 : place + 1 + WITHOUT_TABLE]
        if block.rows or block.end - block.start > LONGEST_FURNITURE or any(one.rows for one in behind):
            continue
        line = section.text[block.start : block.end]
        if any(one in line.lower() for one in _SCALES) and _is_bare(line) and (unit := table_unit(line)).known:
            said.add(unit)
    return _agreed(said)


def _agreed(said: set[TableUnit]) -> TableUnit:
    if len({unit.money for unit in said}) != 1:
        return TableUnit()
    shares, currencies = {unit.shares for unit in said}, {unit.currency for unit in said}
    return TableUnit(
        next(iter(said)).money,
        shares.pop() if len(shares) == 1 else None,
        currencies.pop() if len(currencies) == 1 else "",
    )


def _sentence(text: str, at: int) -> str:
    """The sentence, or the line, that a place of a text stands in."""
    first = max(text.rfind(end, max(at - LONGEST_LINE, 0), at) for end in (". ", "\n", "(")) + 1
    ends = [end for one in (". ", ".\n", "\n", ")") if (end := text.find(one, at, at + LONGEST_LINE)) >= 0]
    return text[first : min(ends, default=at)]


def _furniture(section: Text) -> set[str]:
    """What heads or ends the pages of a section: short lines that stand in it often."""
    lines = (section.text[one.start : one.end] for one in section.blocks if not one.rows)
    return {line for line, count in Counter(lines).items() if count >= OFTEN or not any(map(str.isalpha, line))}


def _headings(section: Text) -> dict[int, list[str]]:
    """The last headings that each table of a section stands under, by its place."""
    found, headings = {}, dict[int, str]()
    for place, block in enumerate(section.blocks):
        if block.kind == "heading":
            headings = {level: said for level, said in headings.items() if level < block.level}
            headings[block.level] = " ".join(section.text[block.start : block.end].split())
        elif block.rows:
            found[place] = [said for _, said in sorted(headings.items())][-MOST_HEADINGS:]
    return found


def _title(section: Text, place: int, under: Sequence[str], furniture: set[str]) -> str:
    """What names a table: the headings that it stands under, and the lines above it that are no unit and no period."""
    lines = list(takewhile(lambda line: line not in under, lines_above(section.text, section.blocks, place)))
    lines = [line for line in lines if line not in furniture and not _is_bare(line)]
    names = [one for one in (*under, *reversed(lines[:MOST_LINES])) if one not in furniture]
    return " \u203a ".join(names)[-LONGEST_NAME:]


def _is_bare(line: str) -> bool:
    """Whether a line only tells a unit or a period."""
    said = said_of(SCALE.sub(" ", line))
    return not said.words or (table_unit(line).known and len(SCALE.sub("", line)) < len(line) / 3)
