"""Guidance that a document lays out as a table: rows of measures, columns of periods to come, figures and ranges."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from filings.document.blocks import Block
from filings.tables.cell_meanings import ReadCell, ReadRow, TableReader, plain_label
from filings.tables.column_periods import NEAR, QUARTER, Period, Subject
from filings.tables.printed_numbers import CURRENCIES
from filings.tables.sentence_dates import Calendar, Dated, dates_in
from filings.tables.sentence_grammar import Clauses
from filings.tables.sentence_tokens import MONEY, PER_SHARE, PERCENT, TAGS, WORDS, Token, tokens_of
from filings.tables.table import Cell

OUTLOOK = re.compile(rf"\b(?:{'|'.join(sorted(WORDS['outlook headings']))})\b", re.IGNORECASE)
LOW, HIGH = "low", "high"
_LIMITS = {one: re.compile(rf"\b{one}\b", re.IGNORECASE) for one in (LOW, HIGH)}
_RANGE = re.compile(r"\d\s*(?:%|[a-z]+)?\s*(?:to|-|\u2013|\u2014)\s*[$\u20ac\u00a3]?\d", re.IGNORECASE)
# Before the limit in a column of what was expected before.
PREVIOUS = "previous"
_BEFORE = re.compile(rf"\b(?:{'|'.join(sorted(WORDS['previous']))})\b", re.IGNORECASE)
HEAD = 300  # characters at the top of a table among which it is said to be of guidance


def results(rows: Iterable[ReadRow], title: str, subject: Subject) -> Iterator[ReadRow]:
    """Rows of a table without what it prints of periods to come, which is guidance and no result. title: above it."""
    for row in rows:
        cells = tuple(one for one in row.cells if not _is_to_come(one, title, subject.end))
        if cells:
            yield replace(row, cells=cells)


def _is_to_come(cell: ReadCell, title: str, end: date | None) -> bool:
    if OUTLOOK.search(cell.column):
        return True
    if OUTLOOK.search(title.rpartition("\u203a")[2]):
        return True  # an earlier outlook is no result either
    return end is not None and cell.period.end > end + NEAR


def to_come(dates: Sequence[Dated], subject: Subject) -> Dated | None:
    """The one date of a period after the document's; None where there is none, or several are."""
    end = subject.end
    found = [one for one in dates if end and _period(one, subject)]
    return found[0] if len(found) == 1 else None


def _period(dated: Dated, subject: Subject) -> Period | None:
    """The period to come that a date names, of a quarter at least."""
    if subject.end is None:
        return None
    if dated.ahead:
        return dated.ahead
    return next((one for one in dated.periods if one.end > subject.end and one.months >= QUARTER), None)


def outlook_rows(
    text: str,
    blocks: Sequence[Block],
    number: int,
    subject: Subject,
    currency: str,
    *,
    outlook: bool,
    ahead: Dated | None,
) -> Iterator[ReadRow]:
    """The rows of a table of guidance. outlook: whether its heading says that it is one; ahead: what dates it there."""
    block = blocks[number]
    if outlook or OUTLOOK.search(text, block.start, min(block.start + HEAD, block.end)):
        yield from _OutlookReader(text, blocks, number, subject, currency, outlook=outlook, ahead=ahead).guidance()


class _OutlookReader(TableReader):
    """Reads one table whose columns are of periods to come. found: the period of each by the columns that its cells cover."""

    def __init__(
        self,
        text: str,
        blocks: Sequence[Block],
        number: int,
        subject: Subject,
        currency: str,
        *,
        outlook: bool,
        ahead: Dated | None,
    ) -> None:
        self.calendar, self.text, self.outlook, self.ahead = Calendar.of(subject), text, outlook, ahead
        super().__init__(text, blocks, number, subject, currency=currency)
        self.dollars = currency if currency.endswith("D") else CURRENCIES["$"]
        self.subject = subject
        self.before_now: set[tuple[int, int]] = set()
        self.found = self._to_come()

    def period(self, cell: Cell, place: int) -> Period | None:
        return self.found.get((cell.first, cell.last))

    def _to_come(self) -> dict[tuple[int, int], Period]:
        """The period to come of each column that is said to be of guidance."""
        found = {}
        top = self._first()
        for place in range(top, len(self.table.rows)):
            heads = self.table.heads(place) or list(range(top))
            for cell in self.table.rows[place]:
                if cell.first and (cell.first, cell.last) not in found:
                    column = " ".join(one.text for one in self.table.stack(cell, heads))
                    if period := self._of(column):
                        found[cell.first, cell.last] = period
                        if self._is_earlier(column):
                            self.before_now.add((cell.first, cell.last))
        return found

    def _first(self) -> int:
        """The first row below the headings, of a table whose figures may all be ranges."""
        ranges = (
            place
            for place, row in enumerate(self.table.rows)
            if any(cell.first and _RANGE.search(cell.text) for cell in row)
        )
        first = next(ranges, None)
        if first is None:
            return self.table.header
        return min(self.table.header or first, first)

    def _of(self, column: str) -> Period | None:
        dates = dates_in(column, self.calendar)
        if not self.outlook and not OUTLOOK.search(column):
            return None
        dated = to_come(dates, self.subject) if dates else self.ahead
        return _period(dated, self.subject) if dated else None

    def guidance(self) -> Iterator[ReadRow]:
        """Its rows: figures as in any table, with "low" and "high" from the headings, and ranges in one cell."""
        for row in self.rows():
            if cells := tuple(replace(one, column=self._limit(one.column)) for one in row.cells):
                yield replace(row, cells=cells, guidance=True)
        for place in range(self._first(), len(self.table.rows)):
            label = plain_label(self.table.label(place))
            for cell in self.table.rows[place]:
                period = self.period(cell, place)
                if label and period and not self.table.figures(place):
                    earlier = (cell.first, cell.last) in self.before_now
                    cells = tuple(self._range(label, cell.start, cell.end, period, earlier=earlier))
                    if cells:
                        yield ReadRow(label, self._heading(place), cells, guidance=True)

    def _is_earlier(self, column: str) -> bool:
        """Whether a column is of what was guided before: "Prior outlook", "2026, as of November 21, 2025"."""
        end = self.subject.end
        days = (one.periods for one in dates_in(column, self.calendar))
        dated = any(one.start == one.end and end and one.end < end for periods in days for one in periods)
        return dated or bool(_BEFORE.search(column))

    def _limit(self, column: str) -> str:
        """Which limit of a range a column has, empty where it has its only figure; "previous" before an earlier one's."""
        limit = next((limit for limit, word in _LIMITS.items() if word.search(column)), "")
        return f"{PREVIOUS} {limit}".strip() if self._is_earlier(column) else limit

    def _range(self, label: str, start: int, end: int, period: Period, *, earlier: bool) -> Iterator[ReadCell]:
        """The limits of a range that says its own unit: "$4.2 to $4.4 billion", "12% - 15%"."""
        tokens = tokens_of(self.text, start, end, self.calendar, self.dollars)
        if not tokens or tokens[-1].tag not in {MONEY, PERCENT, PER_SHARE}:
            return
        named = [Token("n", -1, -1, word) for word in label.split()]
        for given in Clauses([*named, Token(TAGS["boundary"], -1, -1, ":"), *tokens], outlook=True).read():
            one = given.quantity
            said = self.text[given.start : given.end]
            limit = f"{PREVIOUS} {given.limit}".strip() if earlier else given.limit
            yield ReadCell(given.start, given.end, said, one.value, one.unit, one.power, one.digits, period, limit)
