"""Reads a table whose columns may be of parts, kinds and changes beside periods, as any table of a report may have them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from filings.tables.cell_meanings import ReadCell, ReadRow, TableReader, plain_label
from filings.tables.cell_periods import SENTENCE, is_change
from filings.tables.cell_units import kind_of_column
from filings.tables.column_periods import Period, said_of
from filings.tables.matrix_rows import is_basis, measure_of, names_of
from filings.tables.printed_numbers import CURRENCIES, is_dash
from filings.tables.table import Cell
from filings.tables.table_units import PERCENT, SCALE

_FOOTNOTE = re.compile(r"\(?(?:\d{1,2}|[a-z])\)\s|\*|\d{1,2}\s+[A-Z]")
_IN_SCALE = re.compile(r"\bin\s+(?:\w+\s+)?(?:thousands|millions|billions)\b", re.IGNORECASE)


class MixedTableReader(TableReader):
    """Reads one table of any kind. What a column is of must be certain, be it a period, a part of the company or a change."""

    mixed = True

    def _nearest(self) -> Sequence[str]:
        return nearest(self.above)

    def _said_of_unit(self) -> Iterator[str]:
        heads = (cell for head in self.periods.head_rows for cell in self.table.rows[head])
        yield " ".join(cell.text for cell in heads if not self._is_of_column(cell))
        yield from map(scale_of, self.near)
        yield from (one for one in self.above[len(self.near) :] if not SENTENCE.search(one))

    def _is_of_column(self, cell: Cell) -> bool:
        """Whether a heading says what some columns are, beside their unit: "Aggregate value (in millions)"."""
        words = re.sub(r"\W+", "", SCALE.sub("", cell.text))
        return bool(cell.first and words) and not said_of(cell.text).tells

    def _basis(self) -> str:
        # "Adjusted non-GAAP results" beside the headings of the columns is said of every row.
        return next(filter(is_basis, map(plain_label, self.periods.labels)), self.before.basis if self.before else "")

    def _rows_of(self, row: ReadRow, figures: Sequence[Cell], place: int) -> Iterator[ReadRow]:
        cells = sorted((*row.cells, *self._nothings(figures, place, row.cells)), key=lambda cell: cell.start)
        yield from self._by_measure(replace(row, cells=tuple(cells)), figures, place)

    def _by_measure(self, row: ReadRow, figures: Sequence[Cell], place: int) -> Iterator[ReadRow]:
        """A row as one for each measure that its columns name, where its own label names none of them alone."""
        heads = self.table.heads(place)
        measures = {cell.start: measure_of(self.table.stack(cell, heads)) for cell in figures}
        names = names_of(row.label, {*measures.values()}) if measures else {}
        heading = row.heading if names and self._heads_bases(place) else self.basis
        for measure, label in names.items():
            if cells := tuple(cell for cell in row.cells if measures[cell.start] == measure):
                yield ReadRow(label, heading, cells)
        if not names:
            yield row

    def _heads_bases(self, place: int) -> bool:
        """Whether the line above a row that names a basis heads such rows, as a part does, and not the items between two."""
        group = self.table.group(place)
        first = next((row for row in range((group or 0) + 1, place) if self.table.figures(row)), place)
        return group is not None and (first == place or is_basis(plain_label(self.table.label(first))))

    def _dated(self, period: Period, unit: str, place: int, column: str) -> Period | None:
        if period.start == period.end or unit == PERCENT or is_change(column):
            return period
        return self._of_day(period, plain_label(self.table.label(place)))

    def _of_day(self, period: Period, label: str) -> Period | None:
        """The period of a figure under a stretch of time: the day that it ends with, of a row that the document has as a
        balance; None where that may be the first or the last of what moves, or the balance of a part.
        """
        balances, name = self.subject.balances, label.casefold()
        if name in balances.of_parts:
            return None
        if name not in balances.of_company:
            return period
        return None if self.periods.moves or self.periods.instant is False else Period(period.end, period.end)

    def _nothings(self, figures: Sequence[Cell], place: int, read: Sequence[ReadCell]) -> Iterator[ReadCell]:
        """The dashes of a row as zeros, in the one unit of its other figures."""
        units = {(cell.unit, cell.power) for cell in read if not kind_of_column(cell.column)}
        for cell in figures:
            period = self.period(cell, place) if len(units) == 1 and is_dash(cell.text) else None
            column = self.periods.column(cell, place)
            if period and not kind_of_column(column):
                unit, power = next(iter(units))
                if any(sign in cell.text for sign in CURRENCIES) and unit != self.currency:
                    continue
                yield ReadCell(cell.start, cell.end, cell.text, Decimal(), unit, power, 0, period, column)


def nearest(above: Sequence[str]) -> list[str]:
    """Of the lines above a table those that speak of it: the titles right above it and the first sentence above these."""
    found: list[str] = []
    for line in above:
        if _FOOTNOTE.match(line):
            break
        found.append(line)
        if SENTENCE.search(line):
            break
    return found


def scale_of(line: str) -> str:
    """The words of a line that may tell a table's unit: of a sentence those in brackets, or of amounts "in millions"."""
    if not SENTENCE.search(line):
        return line
    return " ".join((*re.findall(r"\([^()]*\)", line), *_IN_SCALE.findall(line)))
