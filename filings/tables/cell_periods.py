"""The period of each cell of a table: by its column's headings, else by the line that stands above its row or the table."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache

from filings.tables.column_periods import YEAR, Period, Said, Subject, apart, period_of, said_of
from filings.tables.months import NAMES
from filings.tables.table import Cell, PrintedTable
from filings.tables.table_units import CACHED
from filings.tables.table_words import any_of, word_of

# First and last place of its cells, and the rows in their midst that name it and date it anew.
Column = tuple[int, int, tuple[int | None, int | None]]

# What is printed of the change between two columns, and of no period of its own.
_CHANGE = re.compile(rf"{word_of('change')}|^\W*(?:%|\$|{any_of('percent sign')})\W*$", re.IGNORECASE)
_AGAINST = re.compile(word_of("against"), re.IGNORECASE)
_FOR = re.compile(rf"\b{any_of('for')}\s+(?:{any_of('stretch')}|(?:19|20)\d\d)\b", re.IGNORECASE)
# Columns of quarters that are only counted: "1st" below a year.
_COUNTED = re.compile(word_of("counted parts"), re.IGNORECASE)
_FOR_YEARS = re.compile(rf"\b{any_of('for years')}\s+(?:{any_of('stretch')}\s+)*20\d\d\b", re.IGNORECASE)
_MONTH = re.compile(rf"\W*(?:{NAMES})\b\.?\s*(?:\d{{1,2}}\b(?!,?\s*\d{{4}}\s*$)|\d{{4}}\W*$|$)", re.IGNORECASE)
SENTENCE = re.compile(r"[.:]\s*$")
_OPENING = re.compile(rf"{word_of('opening')}|^\W*{any_of('opens')}\b", re.IGNORECASE)
_CLOSING = re.compile(rf"{word_of('closing')}|^\W*{any_of('closes')}\b", re.IGNORECASE)
_BALANCE_AT = re.compile(rf"^\W*{any_of('balance')}\b", re.IGNORECASE)
_YEAR_TO_COME = re.compile(
    rf"\W*(?:{any_of('to come')}\s*)?(?P<year>20\d\d)\W*(?:\([^()]*{any_of('remaining')}[^()]*\)\W*)?$", re.IGNORECASE
)
FEWEST_YEARS = 2  # rows of years to come that make a schedule


@lru_cache(maxsize=CACHED)
def _turn(said: str) -> tuple[bool, bool]:
    """Whether words say that a balance is the first of a period, and whether that it is the last."""
    return bool(_OPENING.search(said)), bool(_CLOSING.search(said))


def is_change(column: str) -> bool:
    """Whether the headings of a column say that it is of the change between two others."""
    return bool(_CHANGE.search(column))


class CellPeriods:
    """The periods of a table's cells. above: the lines above it, the nearest first.

    instant, parts: as in period_of. before: of the page before, of a table that goes on without headings.
    """

    def __init__(
        self,
        table: PrintedTable,
        above: Sequence[str],
        subject: Subject,
        *,
        instant: bool | None,
        parts: bool,
        before: "CellPeriods | None" = None,
    ) -> None:
        self.table, self.subject, self.instant, self.parts = table, subject, instant, parts
        of_figures = (place for place in range(len(table.rows)) if table.figures(place))
        # Those of headings, and of a unit below them.
        self.head_rows = range(next((place for place in of_figures if place >= table.header), 0))
        self.labels = [cell.text for head in self.head_rows for cell in table.rows[head] if not cell.first]
        self.above = above
        self.dating = [
            row
            for row in range(table.header, len(table.rows))
            if not table.figures(row) and (said := said_of(table.label(row))).plain and said.dates and not said.year
        ]
        self.keys: dict[int, Column] = {}
        self.texts: dict[Column, str] = {}
        self.inherited: dict[tuple[int, int], str] = {}
        for place in range(table.header, len(table.rows)):
            for cell in table.figures(place):
                if (key := self._column_of(cell, place)) not in self.texts:
                    self.texts[key] = self.column(cell, place)
        self.moves = parts and any(
            _OPENING.search(one)
            for one in (
                *(table.label(row) for row in range(table.header, len(table.rows)) if table.figures(row)),
                *self.texts.values(),
            )
        )
        self.columns = self._columns()
        if not any(self.texts.values()) and before:
            last = list(before.columns)[-1][2] if before.columns else None
            again = {key[:2]: period for key, period in before.columns.items() if key[2] == last}
            self.columns = {key: again[key[:2]] for key in self.texts if key[:2] in again}
            self.inherited = {
                **before.inherited,
                **{key[:2]: text for key, text in before.texts.items() if key[2] == last},
            }
        self.of_table = self._of_table() if parts else None
        self.schedule = self._schedule() if parts else None
        self.balances = self._dated_balances() if parts else {}

    def _column_of(self, cell: Cell, place: int) -> Column:
        if (held := self.keys.get(cell.start)) is None:
            heads = self.table.heads(place)
            named = heads[-1] if heads and heads[-1] >= self.table.header else None
            held = self.keys[cell.start] = cell.first, cell.last, (named, self._dated_anew(place))
        return held

    def _dated_anew(self, place: int) -> int | None:
        """The nearest line in the midst of a table that only says of what length or day the rows below are."""
        return next((row for row in reversed(self.dating) if row < place), None)

    def column(self, cell: Cell, place: int) -> str:
        """The headings above a cell as they stand, of a statement without a title over all of its columns."""
        if held := self.texts.get(self._column_of(cell, place)):
            return held
        heads = self.table.heads(place)
        found = self.table.stack(cell, heads)
        if not self.parts:
            found = [one for one in found if not (self.table.is_over_all(one, heads) and not said_of(one.text).tells)]
        anew = [
            one for one in found if any(one in self.table.rows[head] for head in heads if head >= self.table.header)
        ]
        if said_of(" ".join(one.text for one in anew)).year:
            found = anew
        own = " ".join(one.text for one in found)
        return own or self.inherited.get((cell.first, cell.last), "")

    def _columns(self) -> dict[Column, Period]:
        every = said_of(" ".join(dict.fromkeys(filter(None, self.texts.values()))))
        around = [replace(every, at=every.at and not self.parts), *self._dated()]
        said = {key: said_of(text) for key, text in self.texts.items()}
        if self.parts and self.instant is None and any(_FOR_YEARS.search(line) for line in self.above):
            # Days may stand for the years that end with them.
            said = {key: replace(one, ended=one.ended or not one.at) for key, one in said.items()}
        filled = {
            key: one.filled(self._around(key, one, around)) if self.texts[key] else None for key, one in said.items()
        }
        periods = [
            period_of(one, self.subject, instant=self.instant, parts=self.parts) if one else None
            for one in filled.values()
        ]
        if self.parts:
            # What is told against a period is of another.
            against = [_AGAINST.search(self.texts[key]) and not said[key].compared for key in self.texts]
            periods = [None if other else one for one, other in zip(periods, against, strict=True)]
        names = [self.texts[key] if self.parts and not said[key].plain else "" for key in self.texts]
        anew = [key[2] for key in self.texts]
        found = dict(zip(self.texts, apart(periods, list(zip(names, anew, strict=True))), strict=True))
        columns = {key: period for key, period in found.items() if period}
        if self.parts:
            parts_of_years = {key for key, text in self.texts.items() if _COUNTED.search(text)}
            columns = {
                key: period
                for key, period in columns.items()
                if key not in parts_of_years or said[key].quarter or period.months != YEAR
            }
            columns |= self._changes(columns, said)
        return columns

    def _around(self, key: Column, own: Said, around: Sequence[Said]) -> list[Said]:
        """What may say the rest of a column's period; of a day that its heading names whole no length."""
        anew = [said_of(self.table.label(place)) for place in sorted(filter(None, key[2]), reverse=True)]
        told = [*anew, *around]
        if self.parts and (own.at or (own.day and own.year and not own.ended)):
            return [replace(one, length=None, weeks=None) for one in told]
        return told

    def _dated(self) -> list[Said]:
        """What dates the columns from beside and above them: "Years ended December 31". Beside parts only the nearest line."""
        told = [
            one
            for text in self.labels
            if (one := said_of(text)).dates or (self.parts and one.day and one.plain and not one.year)
        ]
        for text in self.above:
            one = said_of(text)
            if not one.dates:
                continue
            if not self.parts:
                told.append(one)
            else:
                is_of_it = (one.ended or one.at) and not (one.at and _FOR.search(text))
                return [*told, one] if is_of_it or not SENTENCE.search(text) else told
        return told

    def _changes(self, columns: dict[Column, Period], said: dict[Column, Said]) -> dict[Column, Period]:
        """The periods of columns of changes: the later of the two columns of periods before each, or that right before it
        where each period but the last has one.
        """
        found: dict[Column, Period] = {}
        for anew in dict.fromkeys(key[2] for key in self.texts):
            keys = sorted(key for key in self.texts if key[2] == anew)
            changes = [key for key in keys if self._is_change(key, columns, said)]
            periods = [key for key in keys if key in columns and said[key].plain]
            if not changes or not periods:
                continue
            if len(periods) > 2 and len(changes) == len(periods) - 1 and keys[-1] == periods[-1]:
                found |= {
                    key: columns[max(one for one in periods if one < key)] for key in changes if key > periods[0]
                }
                continue
            later = {key: self._later([columns[one] for one in periods if one < key], said[key]) for key in changes}
            if all(later.values()):
                found |= {key: period for key, period in later.items() if period}
        return found

    def _is_change(self, key: Column, columns: dict[Column, Period], said: dict[Column, Said]) -> bool:
        one = said[key]
        return key not in columns and not (one.year or one.several) and is_change(self.texts[key])

    @staticmethod
    def _later(before: Sequence[Period], said: Said) -> Period | None:
        """Of the periods of the columns before a change the later of the last two, where these are of one length."""
        alike = [one for one in before if said.length is None or one.months == said.length][-2:]
        if len(alike) < 2 or alike[0].months != alike[1].months:
            return None
        return max(alike, key=lambda period: period.end)

    def of(self, cell: Cell, place: int) -> Period | None:
        """The period of a cell; None where it is not certain."""
        period = self.columns.get(self._column_of(cell, place))
        if not self.parts:
            return period
        label, column = self.table.label(place), self.column(cell, place)
        if said_of(label).quarter:
            return None  # of a part of what the column is of
        opening, closing = (any(one) for one in zip(_turn(label), _turn(column), strict=True))
        if period is None and not self.of_columns and self._is_named(cell, place):
            period = self._of_row(place, label)
            said = said_of(column)
            if not (opening or closing) and (
                said.quarter or (said.length and period and said.length != period.months)
            ):
                return None
        if period is None or (period.months > 1 and _MONTH.match(label)):
            return None
        if period.start == period.end:
            # Beside what moved a day stands for the time that ends with it.
            return None if self.moves and not closing else period
        if opening:
            day = period.start - timedelta(days=1)
            return Period(day, day)
        return Period(period.end, period.end) if closing else self._in_stretch(period, place, label)

    def _in_stretch(self, period: Period, place: int, label: str) -> Period | None:
        """The period of a row among those of a stretch of time: a day, where its label is a balance's."""
        balance = self._balance_at(label)
        if balance and balance.end in (period.end, period.start - timedelta(days=1)):
            return balance
        if _BALANCE_AT.search(label) and said_of(label).tells:
            return balance
        group = self.table.group(place)
        above = self.table.label(group) if group is not None else ""
        # Below the heading of a balance stand balances of that day, or what changed since.
        return None if _BALANCE_AT.search(above) and said_of(above).day else period

    def _is_named(self, cell: Cell, place: int) -> bool:
        """Whether a heading says which column a cell stands in: it is the only one, or all have headings, and it one of its own."""
        column = self._column_of(cell, place)
        texts = [text for key, text in self.texts.items() if key[2] == column[2]]
        return len(texts) == 1 or (all(texts) and texts.count(self.texts[column]) == 1)

    @property
    def of_columns(self) -> bool:
        """Whether a heading of a column tells a year, so that a column without one is of no period that is known."""
        return any(said_of(text).year or said_of(text).several for text in self.texts.values())

    def _balance_at(self, label: str) -> Period | None:
        """The day that a row is the balance of: "Balance at December 31, 2022"; None where it names none."""
        said = said_of(label)
        if said.several or said.length or said.ended or not said.day or not said.year:
            return None
        return period_of(said, self.subject, instant=True, parts=True)

    def _of_row(self, place: int, label: str) -> Period | None:
        """The period that the row's own label names, else the nearest line above it in the table, else above the table."""
        if place in self.balances or _BALANCE_AT.search(label) or _OPENING.search(label) or _CLOSING.search(label):
            return self.balances.get(place)
        if self.balances:
            return self._between(place)
        if self.schedule:
            return self.schedule
        said = said_of(label)
        if said.plain and (said.year or said.several):
            around = [one for text in self.labels if (one := said_of(text)).tells]
            return period_of(said.filled(around), self.subject, instant=self.instant, parts=True)
        for above in range(place - 1, self.table.header - 1, -1):
            if self.table.figures(above):
                continue
            said = said_of(" ".join(cell.text for cell in self.table.rows[above]))
            if said.tells and said.plain:
                return period_of(said, self.subject, instant=self.instant, parts=True)
        return self.of_table

    def _dated_balances(self) -> dict[int, Period]:
        """The rows that are balances of a day which they name, of a table whose columns name no year."""
        if self.of_columns:
            return {}
        rows = range(self.table.header, len(self.table.rows))
        return {
            place: day
            for place in rows
            if self.table.figures(place) and (day := self._balance_at(self.table.label(place)))
        }

    def _between(self, place: int) -> Period | None:
        """The time between the balances above and below a row, of which it says what changed."""
        above = [row for row in self.balances if row < place]
        below = [row for row in self.balances if row > place]
        if not above or not below:
            return None
        first, last = self.balances[above[-1]].end, self.balances[below[0]].end
        # What was left on the first day of a month is what the month began with.
        return Period(first + timedelta(days=first.day != 1), last) if first < last else None

    def _of_table(self) -> Period | None:
        """The one period that stands above all columns, or else in the nearest line above the table that names one."""
        heads = " ".join(cell.text for head in self.head_rows for cell in self.table.rows[head] if cell.first)
        for said in (said_of(heads), *(one for text in self.labels if (one := said_of(text)).plain)):
            if said.year or said.several:
                return period_of(said, self.subject, instant=self.instant, parts=True)
        for text in self.above:
            one = said_of(text)
            if not (one.year or one.several):
                continue
            whole = one.day and (one.at or (one.length and one.ended))
            return period_of(one, self.subject, instant=self.instant, parts=True) if whole or one.plain else None
        return None

    def _schedule(self) -> Period | None:
        """The day that a schedule of years to come is of, where rows are these: the last of the document's period."""
        end = self.subject.end
        if end is None or self.of_columns:
            return None
        first = (self.subject.fiscal_year if self.subject.annual else None) or end.year
        labels = [self.table.label(place) for place in range(self.table.header, len(self.table.rows))]
        years = [int(found["year"]) for label in labels if (found := _YEAR_TO_COME.match(label))]
        to_come = [year for year in years if year > first or (year == first and not self.subject.annual)]
        if len(to_come) < max(FEWEST_YEARS, len(years)) or to_come != sorted(to_come):
            return None
        if self.of_table and self.of_table.end != end:
            return None
        return Period(end, end)
