"""The kinds of values that cells of exported files may have: text, number, date, figure with unit, link."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Context, Decimal
from math import isfinite

from agent.numbers.render import COMPUTED, column_unit, is_money
from agent.state import Cell, Scale
from agent.state.tables import Result

# A spreadsheet stores a number as a double, which keeps this many digits of any decimal.
DIGITS = 15
_KEPT = Context(prec=DIGITS)
KEPT_AS_TEXT = f"Written as text: a spreadsheet keeps {DIGITS} digits of a number, and this one has more."


@dataclass(frozen=True)
class Amount:
    """A figure with its unit.

    whole: whether every digit counts, as for a fact; a quotient has no last digit. beside: whether it is shown beside
    what was asked.
    """

    value: Decimal
    unit: str
    whole: bool = True
    beside: bool = False

    @property
    def number(self) -> Decimal | None:
        """The value for a spreadsheet, a percentage as a fraction; None where digits would be lost."""
        kept = _KEPT.plus(self.value)
        if (self.whole and kept != self.value) or not isfinite(kept):
            return None
        return kept.scaleb(-2) if self.unit == "percent" else kept

    @property
    def kept(self) -> "Amount":
        """The value with as many digits as a spreadsheet keeps."""
        return self if self.whole else replace(self, value=_KEPT.plus(self.value))

    @property
    def text(self) -> str:
        """Every digit, with a decimal point and no separators."""
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
    """A value with a link: to the web, or "internal:'Formulas'!A2" in a workbook."""

    value: "Text | Amount"
    url: str


@dataclass(frozen=True)
class Remarked:
    """A text with a comment."""

    value: str
    remark: str


Text = str
Value = Text | int | date | datetime | Amount | Linked | Remarked | None


def amount(one: Cell | Result) -> Amount | None:
    """The figure of a cell or an operation's result; None for a gap."""
    if one.value is None:
        return None
    as_filed, beside = (one.fact is not None, not one.asserted) if isinstance(one, Cell) else (False, False)
    counted = one.unit not in COMPUTED and one.value == one.value.to_integral_value()
    return Amount(one.value, one.unit, whole=as_filed or counted, beside=beside)


def unit_in_full(unit: str) -> str:
    """The heading of a column of figures in full: US$, US$ per share, Shares, %."""
    return column_unit(unit, Scale.UNITS) if unit else ""
