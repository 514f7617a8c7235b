"""Printed figures that no table of facts holds: as facts, and read again from the stored text at their places."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from operator import itemgetter
from typing import NamedTuple

from filings.models import Fact, Filing, PrintedTable, Section
from filings.models.source_kinds import ANNUAL, QUARTERLY
from filings.tables.cell_meanings import ReadCell, ReadRow
from filings.tables.column_periods import NEAR, Period, said_of
from filings.tables.every_table import Usual
from filings.tables.outlook_tables import PREVIOUS
from filings.tables.read_again import TABLE, subject_of, table_again, usual_in
from filings.tables.sentence_figures import sentence_figures
from filings.tables.stored_tables import rows_of
from filings.xbrl.periods import HALF_DAYS, NINE_MONTHS_DAYS, QUARTER_DAYS, YEAR_DAYS

FISCAL = (QUARTER_DAYS, HALF_DAYS, NINE_MONTHS_DAYS, YEAR_DAYS)
TAXONOMY = "printed"
# Of what is expected of periods to come, and of what was expected before; never of results.
GUIDANCE, PREVIOUS_GUIDANCE = "guidance", "previous_guidance"
_NO_WORD = re.compile(r"[\W_]+")


class PrintedPlace(NamedTuple):
    """Where a figure is printed: its filing, the number of its section, and its first character in that section's text."""

    cik: int
    accession: str
    section: int
    start: int


def fact_of(
    filing: Filing, section: int, page: str, row: ReadRow, cell: ReadCell, ends: Sequence[date] | None = None
) -> Fact:
    """A printed figure as a fact, which is not stored; its first and last day are those of the company's own period.

    ends: `period_ends` of the filing, where many of its figures are asked.
    """
    period = in_calendar(
        cell.period, period_ends(filing) if ends is None else ends, dated=not said_of(cell.column).year
    )
    return Fact(
        company=filing.company,
        filing=filing,
        source=Fact.Source.PRINTED,
        taxonomy=_taxonomy(row, cell),
        tag=tag_of(row),
        unit=cell.unit,
        start=period.start,
        end=period.end,
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


def tag_of(row: ReadRow) -> str:
    """What a row is called, as a fact has it: its heading and label in one word."""
    return _NO_WORD.sub("_", f"{row.heading} {row.label}".lower()).strip("_")[:250]


def _taxonomy(row: ReadRow, cell: ReadCell) -> str:
    if not row.guidance:
        return TAXONOMY
    return PREVIOUS_GUIDANCE if cell.column.startswith(PREVIOUS) else GUIDANCE


def read_at(places: Iterable[PrintedPlace]) -> dict[PrintedPlace, Fact]:
    """The figures that the stored text prints at places; those that it prints none at are left out."""
    by_filing: dict[tuple[int, str], set[PrintedPlace]] = defaultdict(set)
    for place in places:
        by_filing[place.cik, place.accession].add(place)
    found = {}
    for (cik, accession), wanted in by_filing.items():
        held = Section.objects.select_related("filing__company")
        held = held.filter(filing__accession=accession, filing__company__cik=cik)
        sections = {one.number: one for one in held.filter(number__in={place.section for place in wanted})}
        usual = usual_in(next(iter(sections.values())).filing) if sections else Usual()
        for place in (one for one in wanted if one.section in sections):
            section = sections[place.section]
            for row in _rows_at(section, place.start, usual):
                for cell in row.cells:
                    if cell.start == place.start and section.text[cell.start : cell.end] == cell.text:
                        found[place] = fact_of(section.filing, section.number, "", row, cell)
    return found


def places_of(cik: int, accession: str, label: str, printed: str) -> list[PrintedPlace]:
    """Where the tables and sentences of a filing print a text in a row of a label."""
    tables = PrintedTable.objects.filter(filing__accession=accession, filing__company__cik=cik)
    return [
        PrintedPlace(cik, accession, table.section, cell.start)
        for table in tables
        for row in rows_of(table.content, table.start)
        for cell in row.cells
        if (row.label, cell.text) == (label, printed)
    ]


def _rows_at(section: Section, start: int, usual: Usual) -> tuple[ReadRow, ...]:
    """The rows of the table in which a figure stands, of results and of guidance, or of the section's sentences, read from
    the text.
    """
    at = bisect_right(section.blocks, start, key=itemgetter(1)) - 1
    in_table = at >= 0 and section.blocks[at][0] == TABLE
    rows = table_again(section, section.blocks[at][1], usual) if in_table else ()
    subject = subject_of(section.filing)
    return (*rows, *sentence_figures(section.text, section.parsed_blocks, subject, usual.currency, at=[start]))


def period_ends(filing: Filing) -> tuple[date, ...]:
    """The last days of the company's quarters and years: of its reports and of the document's own period."""
    reports = (
        Filing.objects.of_sec()
        .of_companies([filing.company.cik])
        .filter(source__in=[ANNUAL.key, QUARTERLY.key], period_end__isnull=False)
    )
    held = {end for end in reports.values_list("period_end", flat=True) if end}
    own = {filing.period_end} if filing.period_end and filing.kind.span != "day" else set()
    return tuple(sorted(held | own))


def in_calendar(period: Period, ends: Sequence[date], *, dated: bool) -> Period:
    """A printed period with the company's own days, where one that ends within ten days of it is the same.

    ends: of the company's periods. dated: whether a balance is of a day that is printed, which stays. A part of a quarter
    is none of the company's periods. A first day stays as printed where the period before is not held.
    """
    end = _near(period.end, ends)
    if period.start == period.end:
        return period if dated or end is None else Period(end, end)
    if end is None or not any((period.end - period.start).days in days for days in FISCAL):
        return period
    before = _near(period.start - timedelta(days=1), ends)
    start = before + timedelta(days=1) if before else period.start
    return Period(start, end)


def _near(day: date, ends: Sequence[date]) -> date | None:
    near = min(ends, key=lambda end: abs(end - day), default=None)
    return near if near and abs(near - day) <= NEAR else None
