"""Which figure of a printed row is of a document's own fiscal year, whatever it counts.

A figure is put beside a year only where the document's own structure leaves no doubt: every figure of its row stands under
headings of its own, no heading is left over, and one column alone is of the year. What is not known to be right is not
chosen; the row and its headings are then quoted without a choice.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from filings.tables.column_periods import YEAR, Said, said_of
from filings.tables.table import Cell, PrintedTable

# What a column with the last day of the year is not of that year with.
_OTHERWISE = re.compile(
    r"%|\b(?:percent\w*|change\w*|vs|versus|increase\w*|decrease\w*|variance|growth|pro forma|quarters?|interim|"
    r"not|no|after|since|from|prior|previous|compared|average|forecast|budget\w*|plan\w*)\b",
    re.IGNORECASE,
)
_INTERIM = re.compile(r"\b(?:quarter\w*|(?:three|six|nine) months|(?:13|26|39) weeks|interim)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The figure of a row that is of a year, and what its column is headed with."""

    figure: Cell
    heads: tuple[Cell, ...]


def figure_of_year(table: PrintedTable, place: int, year: int, end: date, above: str) -> Chosen | None:
    """The figure of a row in the column of the fiscal year that ended on a day; None where that is not certain.

    above: what stands above the table; where it speaks of quarters, none is chosen.
    """
    heads = table.heads(place)
    labels = [cell.text for head in heads for cell in table.rows[head] if not cell.first]
    if not table.aligned(place) or any(head >= table.header for head in heads):
        return None
    if _INTERIM.search(" ".join((above, *labels))):
        return None
    figures = table.figures(place)
    stacks = [table.stack(cell, heads) for cell in figures]
    over = {cell for stack in stacks for cell in stack}
    if any(cell.first and cell not in over for head in heads for cell in table.rows[head]):
        return None  # a heading whose figure is missing: the cells may have slipped
    texts = [" ".join(cell.text for cell in stack) for stack in stacks]
    found = _column(texts, [said_of(text) for text in texts], year, end)
    if found is None or not any(letter.isdigit() for letter in figures[found].text):
        return None
    return Chosen(figures[found], tuple(stacks[found]))


def _column(texts: Sequence[str], told: Sequence[Said], year: int, end: date) -> int | None:
    """The one column that is headed with the year's last day, or else with the year, the last of those that head columns."""
    last_day = (end.month, end.day)
    found = [
        place
        for place, one in enumerate(told)
        if (one.day, one.year) == (last_day, end.year) and one.length in (None, YEAR)
        if not _OTHERWISE.search(texts[place])
    ]
    if len(found) > 1:
        found = [place for place in found if told[place].plain]
    if not found and not any(one.day and one.year for one in told):
        named = [place for place, one in enumerate(told) if one.year == year and not one.several]
        newest = max((one.year for one in told if one.year), default=0)
        found = [place for place in named if told[place].plain and told[place].length in (None, YEAR)]
        found = found if newest == year else []
    if len(found) != 1:
        return None
    parts = any(one.length not in (None, YEAR) for one in told)
    return None if parts and told[found[0]].length != YEAR else found[0]
