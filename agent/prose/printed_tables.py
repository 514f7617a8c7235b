"""A table as it is printed: which rows name the columns of a row, and which of its figures stands in the column of a year.

A figure is put beside a year only where the filing's own structure leaves no doubt: every figure of its row stands under
headings of its own, no heading is left over, and one column alone is of the year. What is not known to be right is not
chosen; the row and its headings are then quoted without a choice.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate, pairwise

from agent.prose.marks import words
from agent.query.dates import MONTHS
from filings.document.blocks import Block

# Rows of a table of words have no headings: what is counted as such is its text.
MOST_HEADER_ROWS = 5

_FIGURE = re.compile(
    r"[A-Z]{0,3}[$€£¥]?\s*\(?\s*[$€£¥]?\s*[+\u2013-]?\s*[\d.,]*\d[\d.,]*\s*\)?\s*(?:%|x|bps|pts?\.?|pp)?\s*\)?|"
    r"[$€£¥]?\s*[\u2014\u2013-]+\s*%?|n/?[am]\.?|[$€£¥%()]+",
    re.IGNORECASE,
)
_CURRENCY = re.compile(r"[$€£¥]")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATE = re.compile(rf"\b({_MONTH})\.?\s+(\d{{1,2}}),?\s+((?:19|20)\d\d)\b", re.IGNORECASE)
_NOTE = re.compile(r"\(\s*(?:\d{1,2}|[a-z])\s*\)|\*+", re.IGNORECASE)
# The unit of the figures of a table, as it is printed above them.
SCALE = re.compile(
    r"\(?\b(?:(?:dollars?|amounts?|\$|u\.?s\.?)\s+)*in\s+(?:thousands|millions|billions)\b[^()]*\)?", re.IGNORECASE
)
# What a heading of a whole year consists of, beside its years and days; any other word may make another column of it.
_OF_A_YEAR = frozenset(
    words("year years fiscal fy ended ending end as of at for the and in on twelve months 52 53 weeks week actual")
)
# What a column with the last day of the year is not of that year with.
_OTHERWISE = re.compile(
    r"%|\b(?:percent\w*|change\w*|vs|versus|increase\w*|decrease\w*|variance|growth|pro forma|quarters?|interim|"
    r"not|no|(?:three|six|nine|13|26|39) (?:months|weeks)|after|since|from|prior|previous|compared|average|forecast|budget\w*|plan\w*)\b",
    re.IGNORECASE,
)
_INTERIM = re.compile(r"\b(?:quarter\w*|(?:three|six|nine) months|(?:13|26|39) weeks|interim)\b", re.IGNORECASE)

_WHOLE = re.compile(r"\b(?:years?|fiscal|twelve months|5[23] weeks)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cell:
    """A printed cell: its range in the section's text, and the columns [first, last) that it covers."""

    start: int
    end: int
    text: str
    first: int
    last: int

    def over(self, other: "Cell") -> bool:
        return self.first < other.last and other.first < self.last


@dataclass(frozen=True, slots=True)
class Chosen:
    """The figure of a row that is of a year, and what its column is headed with."""

    figure: Cell
    heads: tuple[Cell, ...]


class PrintedTable:
    """One table of a section's text. text: the section's."""

    def __init__(self, text: str, block: Block) -> None:
        self.block = block
        self.rows: list[list[Cell]] = []
        widths = set()
        for row in block.rows:
            firsts = [0, *accumulate(cell.span for cell in row)]
            widths.add(firsts[-1])
            self.rows.append(
                [
                    Cell(cell.start, cell.end, printed, first, last)
                    for cell, (first, last) in zip(row, pairwise(firsts), strict=True)
                    if (printed := text[cell.start : cell.end].strip())
                ]
            )
        self.regular = len(widths) == 1

    def places(self, start: int, end: int) -> range:
        """The rows that text[start:end] holds, or a part of."""
        held = [
            place for place, row in enumerate(self.block.rows) if row and row[0].start < end and start < row[-1].end
        ]
        return range(held[0], held[-1] + 1) if held else range(0)

    def range_of(self, place: int) -> tuple[int, int]:
        """Where the words of a row stand."""
        return self.rows[place][0].start, self.rows[place][-1].end

    def printed(self, place: int) -> tuple[tuple[str, int], ...]:
        """All cells of a row, those without words too: the text of each, and how many columns it covers."""
        told = {cell.first: cell.text for cell in self.rows[place]}
        firsts = [0, *accumulate(cell.span for cell in self.block.rows[place])]
        return tuple((told.get(first, ""), last - first) for first, last in pairwise(firsts))

    def figures(self, place: int) -> list[Cell]:
        """The cells of a row behind its label, where all of them are figures or signs for one; else nothing."""
        behind = [cell for cell in self.rows[place] if cell.first]
        return behind if all(is_figure(cell.text) for cell in behind) else []

    def label(self, place: int) -> str:
        """What a row is called; empty where its first column is."""
        return next((cell.text for cell in self.rows[place][:1] if not cell.first), "")

    def is_band(self, place: int) -> bool:
        """Whether a row in the midst of a table names columns anew: behind its label are words or years alone."""
        behind = [cell.text for cell in self.rows[place] if cell.first]
        return bool(behind) and all(not is_figure(text) or _YEAR.fullmatch(text) for text in behind)

    def heads(self, place: int) -> list[int]:
        """The rows that name the columns of a row: those at the top, and those between that name them anew."""
        top = self.block.header
        if place < top or top > MOST_HEADER_ROWS:
            return []
        between = [row for row in range(top, place) if self.is_band(row)] if self.figures(place) else []
        return [*range(top), *between[-1:]]

    def named(self, start: int, end: int) -> str:
        """What names the row text[start:end] and its columns: the rows above that do, and the label that it goes on from."""
        place = next(iter(self.places(start, end)), None)
        if place is None or place < self.block.header:
            return ""
        group = self.group(place)
        above = [*self.heads(place), *(() if group is None else (group,))]
        own = next((self.label(row) for row in range(place, self.block.header - 1, -1) if self.label(row)), "")
        told = [cell.text for row in above for cell in self.rows[row]]
        return " ".join((*told, *(() if self.label(place) else (own,))))

    def is_money(self, place: int) -> bool:
        """Whether the figures of a row are of money: its own have the sign, or the first of the table have."""
        first = next((row for row in range(self.block.header, place) if self.figures(row)), place)
        return any(_CURRENCY.search(cell.text) for row in (first, place) for cell in self.figures(row))

    def group(self, place: int) -> int | None:
        """The row above that only names the rows below it, as "International:"; None behind a total of these."""
        for above in range(place - 1, self.block.header - 1, -1):
            if not any(cell.first for cell in self.rows[above]) and self.label(above):
                return above
            if self.label(above).lower().startswith("total") or self.is_band(above):
                return None
        return None

    def stack(self, cell: Cell, heads: Sequence[int]) -> list[Cell]:
        """The headings above a cell, the uppermost first; nothing where two of one row are."""
        found: list[Cell] = []
        for head in heads:
            over = [one for one in self.rows[head] if one.first and one.over(cell)]
            if len(over) > 1:
                return []
            found += over
        return found

    def aligned(self, place: int) -> bool:
        """Whether every figure of a row stands under headings of its own."""
        figures, heads = self.figures(place), self.heads(place)
        stacks = [tuple(self.stack(cell, heads)) for cell in figures]
        return self.regular and bool(figures) and all(stacks) and len(set(stacks)) == len(stacks)

    def chosen(self, place: int, year: int, end: date, said: str) -> Chosen | None:
        """The figure of a row in the column of the fiscal year that ended on a day; None where that is not certain.

        said: what stands above the table; where it speaks of quarters, none is chosen.
        """
        heads = self.heads(place)
        labels = [cell.text for head in heads for cell in self.rows[head] if not cell.first]
        if not self.aligned(place) or any(head >= self.block.header for head in heads):
            return None
        if _INTERIM.search(" ".join((said, *labels))):
            return None
        figures = self.figures(place)
        stacks = [self.stack(cell, heads) for cell in figures]
        above = {cell for stack in stacks for cell in stack}
        if any(cell.first and cell not in above for head in heads for cell in self.rows[head]):
            return None  # a heading whose figure is missing: the cells may have slipped
        told = [_NOTE.sub(" ", " ".join(cell.text for cell in stack)) for stack in stacks]
        found = _dated(told, end)
        if found is None and not any(_DATE.search(one) for one in told):
            found = _labelled(told, year)
        if found is not None and any(map(_INTERIM.search, told)) and not _WHOLE.search(told[found]):
            return None
        if found is None or not any(letter.isdigit() for letter in figures[found].text):
            return None
        return Chosen(figures[found], tuple(stacks[found]))


def is_figure(text: str) -> bool:
    """Whether a cell is a figure, a dash in the place of one, or a sign that belongs to one."""
    return bool(_FIGURE.fullmatch(_NOTE.sub("", text).strip() or "-"))


def _dated(told: Sequence[str], end: date) -> int | None:
    """The one column that is headed with this day."""
    found = [
        place
        for place, one in enumerate(told)
        if (days := days_of(one)) and set(days) == {end} and not _OTHERWISE.search(one)
    ]
    plain = [place for place in found if _rest(told[place]) <= _OF_A_YEAR] if len(found) > 1 else found
    return plain[0] if len(plain) == 1 else None


def _labelled(told: Sequence[str], year: int) -> int | None:
    """The one column that is headed with this year, the last of those that head columns, and nothing else."""
    named = [set(map(int, _YEAR.findall(one))) for one in told]
    if max((one for years in named for one in years), default=0) != year:
        return None
    found = [place for place, years in enumerate(named) if years == {year} and _rest(told[place]) <= _OF_A_YEAR]
    return found[0] if len(found) == 1 else None


def _rest(said: str) -> frozenset[str]:
    """The words of a heading beside its days, years and unit."""
    plain = _YEAR.sub(" ", _DATE.sub(" ", SCALE.sub(" ", said))).lower()
    # "December 31" over years that stand in the row below.
    plain = re.sub(rf"\b(?:{_MONTH})\b\.?(?:\s+\d{{1,2}}\b)?", " ", plain)
    return frozenset(re.findall(r"[^\W_]+|[%$]", plain))


def days_of(said: str) -> list[date]:
    """The days that a text names in full."""
    found = []
    for month, day, year in _DATE.findall(said):
        number = MONTHS[month.lower()]
        if 1 <= int(day) <= 31:
            try:
                found.append(date(int(year), number, int(day)))
            except ValueError:
                continue
    return found
