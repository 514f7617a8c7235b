"""What stands in a cell of a file, whatever its format: a text, a number, a day, a figure in its unit, a link."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Context, Decimal
from math import isfinite

from agent.numbers.render import COMPUTED, column_unit, is_money
from agent.state import Cell, Scale
from agent.state.tables import Result

# A spreadsheet keeps a number as a double, which holds as many digits of any decimal.
DIGITS = 15
_KEPT = Context(prec=DIGITS)
KEPT_AS_TEXT = f"Written as text: a spreadsheet keeps {DIGITS} digits of a number, and this one has more."


@dataclass(frozen=True)
class Amount:
    """A figure in its unit.

    whole: whether every digit of it counts, as of a fact; a quotient has no last one. beside: whether it is shown
    beside what was asked.
    """

    value: Decimal
    unit: str
    whole: bool = True
    beside: bool = False

    @property
    def number(self) -> Decimal | None:
        """As a spreadsheet computes with it, a percentage as a fraction; None where digits would be lost."""
        kept = _KEPT.plus(self.value)
        if (self.whole and kept != self.value) or not isfinite(kept):
            return None
        return kept.scaleb(-2) if self.unit == "percent" else kept

    @property
    def kept(self) -> "Amount":
        """With as many digits as a spreadsheet keeps, where not every one counts."""
        return self if self.whole else replace(self, value=_KEPT.plus(self.value))

    @property
    def text(self) -> str:
        """Every digit, with a point and nothing else between them."""
        return format(self.value, "f")

    @property
    def format(self) -> str:
        """How a spreadsheet shows the number, in Excel's words."""
        small = abs(self.value) < 1
        match self.unit:
            case "percent":
                return "0.00%" if small else "0.0%"
            case "pure":
                return "0.0##%"
            case "points":
                return "0.00" if small else "0.0"
            case "ratio":
                return '0.00"x"'
            case "days":
                return "0.0"
        return "#,##0" if is_money(self.unit) or self.unit == "shares" else "#,##0.00##"


@dataclass(frozen=True)
class Linked:
    """A value that leads to an address: of the web, or "internal:'Formulas'!A2" in a workbook."""

    value: "Text | Amount"
    url: str


@dataclass(frozen=True)
class Remarked:
    """A text with a remark that opens beside it."""

    value: str
    remark: str


Text = str
Value = Text | int | date | datetime | Amount | Linked | Remarked | None


def amount(one: Cell | Result) -> Amount | None:
    """The figure of a cell, or of what an operation made of several; None of a gap."""
    if one.value is None:
        return None
    as_filed, beside = (one.fact is not None, not one.asserted) if isinstance(one, Cell) else (False, False)
    counted = one.unit not in COMPUTED and one.value == one.value.to_integral_value()
    return Amount(one.value, one.unit, whole=as_filed or counted, beside=beside)


def unit_in_full(unit: str) -> str:
    """What a column of figures in full is headed: US$, US$ per share, Shares, %."""
    return column_unit(unit, Scale.UNITS) if unit else ""
