"""What each cell of a printed table is certain to mean: its number, unit and period. What is not certain is left out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from filings.document.blocks import Block
from filings.tables.cell_periods import SENTENCE, CellPeriods, is_change
from filings.tables.cell_units import CellUnits, kind_of_column
from filings.tables.column_periods import Period, Subject, said_of
from filings.tables.matrix_rows import is_basis, measure_of, names_of
from filings.tables.printed_numbers import CURRENCIES, figure, is_dash
from filings.tables.sums import first_rows
from filings.tables.table import Cell, PrintedTable
from filings.tables.table_units import PERCENT, SCALE, TableUnit, kind_said, own_power, table_unit

BEFORE = 8  # blocks above a table among which its title, its unit and its period stand
LONGEST_LINE = 300

# The number of a footnote behind a label; "Level 2" and "Series A" are names.
_NOTE = re.compile(
    r"(?<!level)(?<!tier)(?<!series)(?<!note)(?<!class)(?<=[a-z)\u2014])\s?\d{1,2}$|\s*\((?:\d{1,2}|[a-z])\)$",
    re.IGNORECASE,
)
_FOOTNOTE = re.compile(r"\(?(?:\d{1,2}|[a-z])\)\s|\*|\d{1,2}\s+[A-Z]")
_IN_SCALE = re.compile(r"\bin\s+(?:\w+\s+)?(?:thousands|millions|billions)\b", re.IGNORECASE)
LONGEST_HEADING = 100
# Behind the name of a sum that has none: words in these brackets are no part of a label.
WITHOUT_LABEL = "[sum without a label]"


@dataclass(frozen=True, slots=True)
class ReadCell:
    """A cell whose meaning is certain. value: with its scale, in `unit`: USD, USD/shares, shares, percent or count.

    power: of ten, of its scale. digits: decimals as printed. column: the headings above it.
    """

    start: int
    end: int
    text: str
    value: Decimal
    unit: str
    power: int
    digits: int
    period: Period
    column: str

    @property
    def decimals(self) -> int:
        """To which power of ten it is rounded, as XBRL writes it: -6 for millions."""
        return self.digits - self.power


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A row with its label, the line above it that names it and others, and its cells.

    guidance: whether they are what is expected of periods to come, said on the document's date; never results. Of a
    range the columns are "low" and "high".
    """

    label: str
    heading: str
    cells: tuple[ReadCell, ...]
    guidance: bool = False


class TableReader:
    """Reads one table of a section. `above`: the lines above it, the nearest first.

    instant: whether its figures are balances; None: as it says. currency: of the document, where the table has none.
    usual: the unit that the section says of all its tables. before: the reader of the page before, of a table that goes
    on without headings. parts: whether columns of parts and kinds are read beside those of periods alone. unsigned:
    whether the document prints no currency's sign.
    """

    def __init__(
        self,
        text: str,
        blocks: Sequence[Block],
        number: int,
        subject: Subject,
        *,
        instant: bool | None = None,
        currency: str = "",
        usual: TableUnit = TableUnit(),  # noqa: B008 - frozen
        before: "TableReader | None" = None,
        parts: bool = False,
        unsigned: bool = False,
    ) -> None:
        self.table, self.subject = PrintedTable(text, blocks[number], mixed=parts), subject
        self.periods: CellPeriods
        self.units: CellUnits
        self.before, self.parts = before, parts
        self.above = lines_above(text, blocks, number, sentences=parts)
        self.near = nearest(self.above) if parts else self.above
        self.periods = CellPeriods(
            self.table, self.near, subject, instant=instant, parts=parts, before=before.periods if before else None
        )
        self.unit = self._unit()
        # "Adjusted non-GAAP results" beside the headings of the columns is said of every row.
        labels = map(plain_label, self.periods.labels) if parts else ()
        self.basis: str = next(filter(is_basis, labels), before.basis if before and parts else "")
        own = self._currency(currency)
        self.currency: str = "" if own is None else own or (before.currency if before else "") or currency
        self.units = CellUnits(
            self.table,
            self.unit,
            self.currency,
            usual=usual,
            parts=parts,
            unsigned=bool(before.units.signed) if before else unsigned,
        )

    def _unit(self) -> TableUnit:
        heads = " ".join(
            cell.text
            for head in self.periods.head_rows
            for cell in self.table.rows[head]
            if not (self.parts and self._is_of_column(cell))
        )
        near = self.near
        if self.parts:
            near = [*map(scale_of, near), *(one for one in self.above[len(near) :] if not SENTENCE.search(one))]
        for said in (heads, *near):
            if (unit := table_unit(said)).known:
                return unit
        return self.before.unit if self.before else TableUnit()

    def _is_of_column(self, cell: Cell) -> bool:
        """Whether a heading says what some columns are, beside their unit: "Aggregate value (in millions)"."""
        words = re.sub(r"\W+", "", SCALE.sub("", cell.text))
        return bool(cell.first and words) and not said_of(cell.text).tells

    def _currency(self, documents: str) -> str | None:
        """The table's own currency; "" where it has no sign and no words, None where these are of several."""
        signs = {told.sign for row in self.table.rows for cell in row if (told := figure(cell.text)) and told.sign}
        words = self.unit.currency
        if not signs:
            return words
        found = {CURRENCIES.get(sign) for sign in signs}
        if signs == {"$"}:
            found = {words if words.endswith("D") else documents if documents.endswith("D") else CURRENCIES["$"]}
        one = found.pop() if len(found) == 1 else None
        return one if words in ("", one) else None

    def rows(self) -> Iterator[ReadRow]:
        """The rows with a cell whose meaning is certain."""
        totals = self._unlabelled_totals()
        for place in range(self.table.header, len(self.table.rows)):
            figures = self.table.figures(place)
            label, heading = plain_label(self.table.label(place)), self._heading(place)
            if figures and not label:
                label, heading = totals.get(place, ""), ""
            if not figures or not label:
                continue
            counted = f"{label} ({unit})" if (unit := self.table.unit(place)) else label
            if unit and own_power(counted) is None and not kind_said(counted):
                continue  # "MBOED"
            cells = [one for cell in figures if (one := self._read(cell, place, counted, heading))]
            if self.parts and cells:
                cells += self._nothings(figures, place, cells)
                cells.sort(key=lambda cell: cell.start)
            if cells:
                yield from self._by_measure(ReadRow(label, heading, tuple(cells)), figures, place)

    def _by_measure(self, row: ReadRow, figures: Sequence[Cell], place: int) -> Iterator[ReadRow]:
        """A row as one for each measure that its columns name, where its own label names none of them alone."""
        heads = self.table.heads(place)
        measures = {cell.start: measure_of(self.table.stack(cell, heads)) for cell in figures} if self.parts else {}
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

    def _unlabelled_totals(self) -> dict[int, str]:
        """What rows without a label are the sums of, where they are: "Total assets", below the rows headed so."""
        places = [place for place in range(self.table.header, len(self.table.rows)) if self.table.figures(place)]
        if all(self.table.label(place) for place in places):
            return {}
        rows: list[dict[object, Decimal]] = [
            {
                (cell.first, cell.last): told.value
                for cell in self.table.figures(place)
                if (told := figure(cell.text)) and not told.percent
            }
            for place in places
        ]
        found = {}
        for total, first in first_rows(rows).items():
            above = places[first] - 1
            while above >= self.table.header and not any(cell.first for cell in self.table.rows[above]):
                above -= 1
            heading = plain_label(self.table.label(above + 1)).rstrip(":") if above + 1 < places[first] else ""
            if heading and not self.table.label(places[total]) and len(rows[total]) > 1:
                found[places[total]] = f"Total {heading} {WITHOUT_LABEL}"
        return found

    def _heading(self, place: int) -> str:
        """The line above a row that names it and others, with the one right above that: "Per share, net income"."""
        group = self.table.group(place)
        if group is None:
            return self.basis
        said = [plain_label(self.table.label(group)).rstrip(":")]
        if group > self.table.header and not any(cell.first for cell in self.table.rows[group - 1]):
            above = plain_label(self.table.label(group - 1)).rstrip(":")
            said = [above, *said] if above and len(above) <= LONGEST_HEADING else said
        return ", ".join(filter(None, (self.basis, *said)))

    def period(self, cell: Cell, place: int) -> Period | None:
        """The period of a cell; None where it is not certain."""
        return self.periods.of(cell, place)

    def _read(self, cell: Cell, place: int, label: str, heading: str) -> ReadCell | None:
        told, period = figure(cell.text), self.period(cell, place)
        if told is None or period is None:
            return None
        column = self.periods.column(cell, place)
        found = self.units.of(told, cell, place, label, heading, column)
        if found is None:
            return None
        unit, power = found
        if self.parts and period.start != period.end and unit != PERCENT and not is_change(column):
            period = self._of_day(period, plain_label(self.table.label(place)))
            if period is None:
                return None
        value = told.value.scaleb(power)
        return ReadCell(cell.start, cell.end, cell.text, value, unit, power, told.digits, period, column)

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


def plain_label(label: str) -> str:
    """A label in one line, without the mark of a footnote at its end."""
    return _NOTE.sub("", " ".join(label.split())).strip()


def lines_above(text: str, blocks: Sequence[Block], number: int, *, sentences: bool = False) -> list[str]:
    """The short lines above a table, the nearest first, up to the table before; of one without figures also its text.

    sentences: whether the last sentence of a paragraph that leads to the table ("as follows:") is one of them, also of one
    that leads to several ("the following tables").
    """
    found: list[str] = []
    next_to_table = False
    for block in reversed(blocks[max(0, number - BEFORE) : number]):
        line = " ".join(text[block.start : block.end].split())
        if block.rows and any(figure(text[cell.start : cell.end]) for row in block.rows for cell in row[1:]):
            if sentences and not found:
                next_to_table = True
                continue
            break
        if sentences and line.endswith(":"):
            line = re.split(r"(?<=[a-z)]\.)\s+(?=[A-Z])", line)[-1][-LONGEST_LINE:]
        if sentences and next_to_table and not re.search(r"\btables\b", line):
            break
        if len(line) <= LONGEST_LINE:
            found.append(line)
        elif sentences:
            break
    return found


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
