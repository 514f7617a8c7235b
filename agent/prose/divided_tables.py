"""Tables of a filing's text that divide a figure: rows that add up to the figure, which is printed below them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from agent.prose.about import about
from agent.prose.claims import Picked
from agent.prose.passages import passage
from agent.prose.section_text import SectionText
from agent.state import FilingRef, Target
from filings.models import Chunk
from filings.tables.table import PrintedTable
from filings.tables.year_column import figure_of_year

# Tables print figures in units, thousands or millions.
SCALES = tuple(map(Decimal, (1, 1_000, 1_000_000)))
_DASH = re.compile(r"[\u2014\u2013-]+")


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a table that divide a figure: where they stand, and how many they are."""

    text: SectionText
    start: int
    end: int
    count: int

    def picked(self, target: Target, filing: FilingRef, query: int) -> Picked | None:
        """As they are quoted, with the passage that holds them; None where none does."""
        section = self.text.section
        for chunk in Chunk.objects.filter(section=section.pk).order_by("pk"):
            if any(first <= self.start and self.end <= last for first, last in chunk.ranges):
                chunk.section = section
                headings = [one.text for one in about(self.text, self.start, self.end) if one.kind == "heading"]
                heading = headings[-1][:500] if headings else ""
                return Picked(passage(chunk, filing, target), self.start, self.end, query, self.count, heading)
        return None


@dataclass(frozen=True, slots=True)
class Division:
    """What is asked for: a figure of a filing's year, and the kind of parts it is divided into.

    kinds: which kinds of parts a text names. is_measure: whether the label of a row is that of a measure, and of no part.
    """

    whole: Decimal
    kind: str
    kinds: Callable[[str], frozenset[str]]
    is_measure: Callable[[str], bool]


def dividing_tables(read: Iterable[SectionText], asked: Division, filing: FilingRef) -> list[Rows]:
    """The rows of each table that divide a figure of the filing's year, with their total; those of most rows first."""
    found = []
    totals = [f"{abs(asked.whole) / scale:,.0f}" for scale in SCALES]
    for text in read:
        for number, stored in enumerate(text.bounds.stored):
            if stored[0] != "table" or not any(one in text.text[stored[1] : stored[2]] for one in totals):
                continue
            table = PrintedTable(text.text, text.block(number))
            for first, last in _divisions(text, table, asked.whole, filing):
                labels = [table.label(place) for place in range(first, last)]
                start, end = table.range_of(first)[0], table.range_of(last)[1]
                if asked.kind in _kinds(text, start, end, labels, asked) and not any(map(asked.is_measure, labels)):
                    found.append(Rows(text, start, end, last - first))
    return sorted(found, key=lambda one: -one.count)


def _kinds(text: SectionText, start: int, end: int, labels: Iterable[str], asked: Division) -> frozenset[str]:
    """The kinds of parts that rows are of, by what stands nearest above them, and of several by their own labels."""
    told = about(text, start, end)
    levels = (("group", "header"), ("caption", "lead"), ("heading",))
    above = (asked.kinds(" ".join(one.text for one in told if one.kind in level)) for level in levels)
    nearest = next(filter(None, above), frozenset[str]())
    return nearest & asked.kinds(" ".join(labels)) or nearest


def _divisions(text: SectionText, table: PrintedTable, whole: Decimal, filing: FilingRef) -> Iterator[tuple[int, int]]:
    """The first row of parts and the row of their total, for each total that is the figure."""
    figures = dict(_figures(text, table, filing))
    for last, total in figures.items():
        if any(abs(total * scale - whole) <= scale / 2 for scale in SCALES):
            first = _first(table, figures, last)
            while first is not None and (under := _first(table, figures, first)) is not None:
                first = under  # a subtotal comes after its own parts
            if first is not None:
                yield first, last


def _first(table: PrintedTable, figures: Mapping[int, Decimal], last: int) -> int | None:
    """The first of the rows right above one that add up to it; None where none do."""
    added, count = Decimal(0), 0
    for place in range(last - 1, table.header - 1, -1):
        if place not in figures:
            if table.figures(place):
                return None
            continue
        added, count = added + figures[place], count + 1
        # Every row is rounded.
        if count > 1 and abs(added - figures[last]) <= Decimal(count) / 2:
            return place
    return None


def _figures(text: SectionText, table: PrintedTable, filing: FilingRef) -> Iterator[tuple[int, Decimal]]:
    """The figure of each row for the filing's year, where its column is certain."""
    for place in range(table.header, len(table.rows)):
        if not table.figures(place):
            continue
        told = about(text, *table.range_of(place))
        said = " ".join(one.text for one in told if one.kind == "caption")
        chosen = figure_of_year(table, place, filing.fiscal_year, filing.period_end, said)
        if chosen and (amount := _amount(chosen.figure.text)) is not None:
            yield place, amount


def _amount(printed: str) -> Decimal | None:
    if "%" in printed:
        return None
    said = "".join(one for one in _DASH.sub("-", printed) if one.isdigit() or one in "(-.")
    try:
        return -Decimal(said.strip("(-")) if said[:1] in ("(", "-") else Decimal(said)
    except InvalidOperation:
        return None
