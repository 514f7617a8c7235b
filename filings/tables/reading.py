"""What each cell of a printed table is certain to mean: its number, unit and period. What is not certain is left out."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from filings.document.blocks import Block
from filings.tables.column_periods import Period, Subject, apart, period_of, said_of
from filings.tables.figures import CURRENCIES, Figure, figure
from filings.tables.sums import first_rows
from filings.tables.table import Cell, PrintedTable
from filings.tables.units import MONEY, PER_SHARE, PERCENT, SHARES, TableUnit, counted_in, own_power, table_unit

BEFORE = 8  # blocks above a table among which its title, its unit and its period stand
LONGEST_LINE = 300
FULL_COUNT = Decimal(1_000_000)  # shares printed without a scale that are not in thousands
# Labels that say nothing of what is counted: it is told above them.
_LEFT_OPEN = re.compile(
    r"\W*(?:assuming\s+)?(?:basic|dilut(?:ed|ion))(?:\s+and\s+(?:basic|diluted))?\W*", re.IGNORECASE
)


# The number of a footnote behind a label; "Level 2" and "Series A" are names.
_NOTE = re.compile(
    r"(?<!level)(?<!tier)(?<!series)(?<!note)(?<!class)(?<=[a-z)\u2014])\s?\d{1,2}$|\s*\((?:\d{1,2}|[a-z])\)$",
    re.IGNORECASE,
)
LONGEST_HEADING = 100
# Behind the name of a sum that has none: words in these brackets are no part of a label.
WITHOUT_LABEL = "[sum without a label]"


@dataclass(frozen=True, slots=True)
class ReadCell:
    """A cell whose meaning is certain. value: with its scale, in `unit`: USD, USD/shares, shares or percent.

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
    before: the reader of the page before, of a table that goes on without headings.
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
        before: "TableReader | None" = None,
    ) -> None:
        self.table = PrintedTable(text, blocks[number])
        self.subject, self.instant, self.before = subject, instant, before
        self.above = lines_above(text, blocks, number)
        of_figures = (place for place in range(len(self.table.rows)) if self.table.figures(place))
        # Those of headings, and of a unit below them.
        self.head_rows = range(next((place for place in of_figures if place >= self.table.header), 0))
        self.unit = self._unit()
        own = self._currency(currency)
        self.currency: str = "" if own is None else own or (before.currency if before else "") or currency
        self.periods = self._periods()

    @property
    def labels(self) -> list[str]:
        """What the rows of headings have above the labels of rows."""
        return [cell.text for head in self.head_rows for cell in self.table.rows[head] if not cell.first]

    def _unit(self) -> TableUnit:
        heads = " ".join(cell.text for head in self.head_rows for cell in self.table.rows[head])
        for said in (heads, *self.above):
            if (unit := table_unit(said)).known:
                return unit
        return self.before.unit if self.before else TableUnit()

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

    def _periods(self) -> dict[tuple[int, int], Period]:
        """The period of each column with figures, by the columns that its cells cover."""
        texts: dict[tuple[int, int], str] = {}
        for place in range(self.table.header, len(self.table.rows)):
            heads = self.table.heads(place)
            for cell in self.table.figures(place):
                if (cell.first, cell.last) not in texts:
                    texts[cell.first, cell.last] = self._column(cell, heads)
        every = said_of(" ".join(dict.fromkeys(filter(None, texts.values()))))
        around = [every, *(one for text in (*self.labels, *self.above) if (one := said_of(text)).dates)]
        told = [said_of(text).filled(around) if text else None for text in texts.values()]
        if not any(texts.values()) and self.before:
            return self.before.periods
        found = apart([period_of(one, self.subject, instant=self.instant) if one else None for one in told])
        return {span: period for span, period in zip(texts, found, strict=True) if period}

    def _column(self, cell: Cell, heads: Sequence[int]) -> str:
        """The headings above a cell as they stand, of a statement without a title over all of its columns."""
        found = self.table.stack(cell, heads)
        if self.instant is not None:
            found = [one for one in found if not (self.table.is_over_all(one, heads) and not said_of(one.text).tells)]
        return " ".join(one.text for one in found)

    def rows(self) -> Iterator[ReadRow]:
        """The rows with a cell whose meaning is certain."""
        usual, totals = self._digits(), self._unlabelled_totals()
        for place in range(self.table.header, len(self.table.rows)):
            figures = self.table.figures(place)
            label, heading = plain_label(self.table.label(place)), self._heading(place)
            if figures and not label:
                label, heading = totals.get(place, ""), ""
            if not figures or not label:
                continue
            cells = tuple(one for cell in figures if (one := self._read(cell, place, label, heading, usual)))
            if cells:
                yield ReadRow(label, heading, cells)

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
            return ""
        said = [plain_label(self.table.label(group)).rstrip(":")]
        if group > self.table.header and not any(cell.first for cell in self.table.rows[group - 1]):
            above = plain_label(self.table.label(group - 1)).rstrip(":")
            said = [above, *said] if above and len(above) <= LONGEST_HEADING else said
        return ", ".join(said)

    def _digits(self) -> int:
        """How many decimals amounts of money have, mostly."""
        told = Counter(
            one.digits
            for place in range(self.table.header, len(self.table.rows))
            for cell in self.table.figures(place)
            if (one := figure(cell.text)) and not one.percent
        )
        return told.most_common(1)[0][0] if told else 0

    def _read(self, cell: Cell, place: int, label: str, heading: str, usual: int) -> ReadCell | None:
        told, period = figure(cell.text), self.periods.get((cell.first, cell.last))
        if told is None or period is None:
            return None
        kind = counted_in(label, heading)
        if not kind or (_LEFT_OPEN.fullmatch(label) and counted_in(heading, "") == MONEY):
            return None
        found = self._scaled(told, PERCENT if told.percent else kind, label, heading, usual)
        if found is None:
            return None
        unit, power = found
        column = self._column(cell, self.table.heads(place))
        value = told.value.scaleb(power)
        return ReadCell(cell.start, cell.end, cell.text, value, unit, power, told.digits, period, column)

    def _scaled(self, told: Figure, kind: str, label: str, heading: str, usual: int) -> tuple[str, int] | None:
        """Unit and power of ten of a figure; None where they are not certain."""
        if kind == PERCENT:
            return ("percent", 0) if told.percent else None
        if kind == PER_SHARE:
            certain = self.currency and (told.digits or told.sign)
            return (f"{self.currency}/shares", 0) if certain else None
        own = own_power(label)
        own = own_power(heading) if own is None else own
        if kind == SHARES:
            power = self.unit.shares if own is None else own
            if power is None and told.value >= FULL_COUNT and not told.digits:
                power = 0
            return ("shares", power) if power is not None and not told.sign else None
        power = self.unit.money if own is None else own
        certain = self.currency and power is not None and (told.digits <= usual or not power)
        return (self.currency, power) if certain and power is not None else None


def plain_label(label: str) -> str:
    """A label in one line, without the mark of a footnote at its end."""
    return _NOTE.sub("", " ".join(label.split())).strip()


def lines_above(text: str, blocks: Sequence[Block], number: int) -> list[str]:
    """The short lines above a table, the nearest first, up to the table before; of one without figures also its text."""
    found: list[str] = []
    for block in reversed(blocks[max(0, number - BEFORE) : number]):
        line = " ".join(text[block.start : block.end].split())
        if block.rows and any(figure(text[cell.start : cell.end]) for row in block.rows for cell in row[1:]):
            break
        if len(line) <= LONGEST_LINE:
            found.append(line)
    return found
