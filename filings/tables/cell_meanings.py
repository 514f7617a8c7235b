"""What each cell of a printed table is certain to mean: its number, unit and period. What is not certain is left out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from filings.document.blocks import Block
from filings.tables.cell_periods import CellPeriods
from filings.tables.cell_units import CellUnits
from filings.tables.column_periods import Period, Subject
from filings.tables.printed_numbers import CURRENCIES, figure
from filings.tables.sums import first_rows
from filings.tables.table import Cell, PrintedTable
from filings.tables.table_units import TableUnit, kind_said, own_power, table_unit

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
    """Reads one table of a section whose columns are of the company's periods. `above`: the lines above it, the nearest
    first; `near`: those of them that speak of it.

    instant: whether its figures are balances; None: as it says. currency: of the document, where the table has none.
    before: the reader of the page before, of a table that goes on without headings. usual: the unit that the section says
    of all its tables. unsigned: whether the document prints no currency's sign.
    """

    mixed = False  # whether columns of parts and kinds are read beside those of periods alone

    def __init__(
        self,
        text: str,
        blocks: Sequence[Block],
        number: int,
        subject: Subject,
        *,
        instant: bool | None = None,
        currency: str = "",
        before: "TableReader | None" = None,
        usual: TableUnit = TableUnit(),  # noqa: B008 - frozen
        unsigned: bool = False,
    ) -> None:
        self.table, self.subject = PrintedTable(text, blocks[number], mixed=self.mixed), subject
        self.before = before
        self.above = lines_above(text, blocks, number, sentences=self.mixed)
        self.near = self._nearest()
        self.periods: CellPeriods = CellPeriods(
            self.table,
            self.near,
            subject,
            instant=instant,
            parts=self.mixed,
            before=before.periods if before else None,
        )
        told = (unit for said in self._said_of_unit() if (unit := table_unit(said)).known)
        self.unit: TableUnit = next(told, before.unit if before else TableUnit())
        self.basis: str = self._basis()
        own = self._currency(currency)
        self.currency: str = "" if own is None else own or (before.currency if before else "") or currency
        self.units: CellUnits = CellUnits(
            self.table,
            self.unit,
            self.currency,
            usual=usual,
            parts=self.mixed,
            unsigned=bool(before.units.signed) if before else unsigned,
        )

    def _nearest(self) -> Sequence[str]:
        """The lines above the table that speak of it."""
        return self.above

    def _said_of_unit(self) -> Iterator[str]:
        """The words that may tell the unit of the whole table, the nearest first."""
        yield " ".join(cell.text for head in self.periods.head_rows for cell in self.table.rows[head])
        yield from self.near

    def _basis(self) -> str:
        """What headings say of every row: "Adjusted non-GAAP results"; empty for nothing."""
        return ""

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
            if cells := [one for cell in figures if (one := self._read(cell, place, counted, heading))]:
                yield from self._rows_of(ReadRow(label, heading, tuple(cells)), figures, place)

    def _rows_of(self, row: ReadRow, figures: Sequence[Cell], place: int) -> Iterator[ReadRow]:
        """What a row is read as, whose cells with a certain meaning are given. figures: all of its cells."""
        yield row

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
        if (period := self._dated(period, unit, place, column)) is None:
            return None
        value = told.value.scaleb(power)
        return ReadCell(cell.start, cell.end, cell.text, value, unit, power, told.digits, period, column)

    def _dated(self, period: Period, unit: str, place: int, column: str) -> Period | None:
        """The period of a figure of a row, whose column is of a period; None where it is not certain."""
        return period


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
