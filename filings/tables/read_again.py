"""Printed figures, stored as facts or in tables, read again from the stored text at their places."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from filings.document.blocks import Block, Page, read_blocks
from filings.models import Fact, Filing, Section
from filings.tables.balances import balances_in
from filings.tables.cell_meanings import BEFORE, ReadRow
from filings.tables.column_periods import Subject
from filings.tables.every_table import Usual, table_at, usual_of
from filings.tables.printed_facts import figures_at
from filings.tables.statements import MOST_PARTS
from filings.xbrl.parsed_xbrl import ParsedFact

TABLE = "table"
COMPARED = ("tag", "unit", "start", "end", "value", "printed", "label")


@dataclass(frozen=True, slots=True)
class StoredText:
    """A stored section as it is read."""

    text: str
    blocks: Sequence[Block]
    pages: Sequence[Page]


def subject_of(filing: Filing) -> Subject:
    """What a filing reports on, as far as it is known."""
    annual = filing.kind.span == "year"
    return Subject(filing.period_end, filing.fiscal_year, filing.fiscal_quarter, annual, balances_in(filing))


def usual_in(filing: Filing) -> Usual:
    """What a filing's stored text says of all its tables."""
    texts = filing.sections.order_by("number").values_list("text", flat=True)
    return usual_of([StoredText(text, (), ()) for text in texts])


def table_again(section: Section, start: int, usual: Usual) -> tuple[ReadRow, ...]:
    """The rows of the table that begins at an offset of a stored section, read again; nothing where none does.

    usual: usual_in of its filing. A table that goes on from the page before is read with that.
    """
    text = StoredText(section.text, section.parsed_blocks, section.parsed_pages)
    return table_at(text, start, subject_of(section.filing), usual)


def unlike(facts: Iterable[Fact]) -> dict[int, str]:
    """By primary key, how printed facts differ from what the stored text prints at their places, in a sentence.

    Facts that are printed just so are left out. Their filings are needed.
    """
    by_section: dict[tuple[int, int], list[Fact]] = defaultdict(list)
    found: dict[int, str] = {}
    for fact in facts:
        if fact.section is None or fact.text_start is None:
            found[fact.pk] = f"Where {fact} is printed is not stored."
        else:
            by_section[fact.filing_id, fact.section].append(fact)
    for (filing, number), held in by_section.items():
        section = Section.objects.filter(filing=filing, number=number).first()
        printed = _printed(held, section) if section else set()
        found |= {one.pk: f"The document does not print {one} at its place." for one in held if one.pk not in printed}
    return found


def _printed(facts: Sequence[Fact], section: Section) -> set[int]:
    """Those facts of a section that it prints."""
    by_table: dict[int, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_table[bisect_right(section.blocks, fact.text_start or 0, key=itemgetter(1)) - 1].append(fact)
    printed = set()
    for at, held in by_table.items():
        text = StoredText(section.text, blocks_near(section.blocks, at), section.parsed_pages)
        starts = {fact.text_start or 0 for fact in held}
        read = figures_at(text, subject_of(held[0].filing), held[0].unit.partition("/")[0], starts)
        printed |= {
            fact.pk
            for fact in held
            if section.text[fact.text_start : fact.text_end] == fact.printed
            and any(_is(fact, one) for one in read if one.place and one.place[1] == fact.text_start)
        }
    return printed


def _is(fact: Fact, read: ParsedFact) -> bool:
    return all(getattr(fact, name) == getattr(read, name) for name in COMPARED)


def blocks_near(stored: Sequence[Sequence[Any]], at: int) -> tuple[Block, ...]:
    """The blocks of a text that decide what the figures of the table at a place are: it, the tables before and behind it,
    and what stands above them.
    """
    tables = [number for number, one in enumerate(stored) if one[0] == TABLE]
    place = bisect_left(tables, at)
    first, last = max(place - MOST_PARTS, 0), min(place + MOST_PARTS, len(tables) - 1)
    if not tables or place >= len(tables) or tables[place] != at:
        return ()
    return read_blocks(stored[max(tables[first] - BEFORE, 0) : tables[last] + 1])
