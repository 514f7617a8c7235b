"""Tables of a filing's text that divide a figure: rows that add up to the figure, which is printed below them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from agent.prose.about import about
from agent.prose.part_rows import digits
from agent.prose.rows import Row
from agent.prose.section_text import SectionText
from agent.state import FilingRef
from filings.tables.table import PrintedTable
from filings.tables.year_column import figure_of_year

# Tables print figures in units, thousands or millions.
SCALES = tuple(map(Decimal, (1, 1_000, 1_000_000)))
_DASH = re.compile(r"[\u2014\u2013-]+")


@dataclass(frozen=True, slots=True)
class Division:
    """What is asked for: a figure of a filing's year, and the kind of parts it is divided into.

    kinds: which kinds of parts a text names. is_measure: whether the label of a row is that of a measure, and of no part.
    """

    whole: Decimal
    kind: str
    kinds: Callable[[str], frozenset[str]]
    is_measure: Callable[[str], bool]


def dividing_tables(read: Iterable[SectionText], asked: Division, filing: FilingRef) -> list[Row]:
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
                    found.append(Row(text, start, end, last - first, certain=True))
    return sorted(found, key=lambda one: -one.worth)


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
    said = digits(_DASH.sub("-", printed))
    try:
        return -Decimal(said.strip("(-")) if said[:1] in ("(", "-") else Decimal(said)
    except InvalidOperation:
        return None
