"""Printed figures that no table of facts holds: as facts, and read again from the stored text at their places."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple

from filings.document.blocks import read_blocks
from filings.models import Fact, Filing, Section
from filings.tables.read_again import TABLE, subject_of
from filings.tables.reading import BEFORE, ReadCell, ReadRow, TableReader

TAXONOMY = "printed"
_NO_WORD = re.compile(r"[\W_]+")


class PrintedPlace(NamedTuple):
    """Where a figure is printed: its filing, the number of its section, and its first character in that section's text."""

    cik: int
    accession: str
    section: int
    start: int


def fact_of(filing: Filing, section: int, page: str, row: ReadRow, cell: ReadCell) -> Fact:
    """A printed figure as a fact, which is not stored."""
    name = f"{row.heading} {row.label}" if row.heading else row.label
    return Fact(
        company=filing.company,
        filing=filing,
        source=Fact.Source.PRINTED,
        taxonomy=TAXONOMY,
        tag=_NO_WORD.sub("_", name.lower()).strip("_")[:250],
        unit=cell.unit,
        start=cell.period.start,
        end=cell.period.end,
        raw=format(cell.value, "f"),
        value=cell.value,
        decimals=cell.decimals,
        form=filing.form or filing.kind.called,
        filed=filing.filed,
        label=row.label[:500],
        column=cell.column[:300],
        printed=cell.text[:60],
        section=section,
        text_start=cell.start,
        text_end=cell.end,
        page=page,
    )


def read_at(places: Iterable[tuple[PrintedPlace, str]]) -> dict[PrintedPlace, Fact]:
    """The figures that the stored text prints at places, each with the currency of its document; those that it prints none
    at are left out.
    """
    by_section: dict[tuple[int, str, int], set[tuple[PrintedPlace, str]]] = defaultdict(set)
    for place, currency in places:
        by_section[place[:3]].add((place, currency))
    found = {}
    for (cik, accession, number), wanted in by_section.items():
        section = (
            Section.objects.select_related("filing__company")
            .filter(filing__accession=accession, filing__company__cik=cik, number=number)
            .first()
        )
        if section is None:
            continue
        for place, currency in wanted:
            cells = ((row, cell) for row in rows_at(section, place.start, currency) for cell in row.cells)
            for row, cell in cells:
                if cell.start == place.start and section.text[cell.start : cell.end] == cell.text:
                    found[place] = fact_of(section.filing, number, "", row, cell)
    return found


def rows_at(section: Section, start: int, currency: str) -> Iterator[ReadRow]:
    """The rows of the table of a section in which a figure stands, read from the text."""
    at = bisect_right(section.blocks, start, key=itemgetter(1)) - 1
    if at >= 0 and section.blocks[at][0] == TABLE:
        first = max(at - BEFORE, 0)
        blocks = read_blocks(section.blocks[first : at + 1])
        yield from TableReader(section.text, blocks, at - first, subject_of(section.filing), currency=currency).rows()
