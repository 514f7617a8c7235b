"""The kinds of values that cells of exported files may have: text, number, date, figure with unit, formula, link."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Context, Decimal
from math import isfinite

from agent.numbers.facts.render import COMPUTED, WORDS, column_unit, is_money
from agent.state import Cell, Scale
from agent.state.tables import Result

# A spreadsheet stores a number as a double, which keeps this many digits of any decimal.
DIGITS = 15
_KEPT = Context(prec=DIGITS)
# Digits of a quotient in a text file: more than any use needs, and fewer than any reader minds.
_WRITTEN = Context(prec=12)
MORE_DIGITS = f"A spreadsheet keeps {DIGITS} digits of a number. All digits: "
# How many thousands a number format leaves out.
_COMMAS = {Scale.UNITS: "", Scale.THOUSANDS: ",", Scale.MILLIONS: ",,", Scale.BILLIONS: ",,,"}


@dataclass(frozen=True)
class Amount:
    """A figure with its unit.

    whole: whether every digit counts, as for a fact; a quotient has no last digit. beside: whether it is shown beside
    what was asked. scale, places: in which unit of money a spreadsheet shows it, and with how many decimals. restated:
    whether it is marked as a later report's value.
    """

    value: Decimal
    unit: str
    whole: bool = True
    beside: bool = False
    scale: Scale = Scale.UNITS
    places: int = 0
    restated: bool = False

    @property
    def number(self) -> Decimal | None:
        """The value for a spreadsheet, a percentage as a fraction; None for one that a double cannot hold."""
        kept = _KEPT.plus(self.value)
        if not isfinite(kept):
            return None
        return kept.scaleb(-2) if self.unit == "percent" else kept

    @property
    def remark(self) -> str:
        """All digits of a reported figure, where a spreadsheet does not keep them."""
        return f"{MORE_DIGITS}{self.text}" if self.whole and _KEPT.plus(self.value) != self.value else ""

    @property
    def kept(self) -> "Amount":
        """The value with as many digits as a spreadsheet keeps."""
        return self if self.whole else replace(self, value=_KEPT.plus(self.value))

    @property
    def text(self) -> str:
        """A reported figure with every digit, a computed one with twelve; no separators."""
        if self.whole:
            return format(self.value, "f")
        text = format(_WRITTEN.plus(self.value), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text

    @property
    def format(self) -> str:
        """How a spreadsheet shows the number, in Excel's words."""
        return f'{self._format}" r"' if self.restated else self._format

    @property
    def _format(self) -> str:
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
        if is_money(self.unit):
            return f"#,##0{'.' if self.places else ''}{'0' * self.places}{_COMMAS[self.scale]}"
        return "#,##0" if self.unit == "shares" else "#,##0.00##"


@dataclass(frozen=True)
class Formula:
    """A computed figure as a formula over other cells, such as D12/D10, with the value that it has."""

    text: str
    amount: Amount


@dataclass(frozen=True)
class Printed:
    """A figure as a document prints it: its number, and how a spreadsheet shows it so. percent: a fraction."""

    number: Decimal
    format: str
    percent: bool = False

    @property
    def text(self) -> str:
        """With a decimal point and no separators."""
        return f"{self.number.scaleb(2):f}%" if self.percent else format(self.number, "f")


@dataclass(frozen=True)
class Linked:
    """A value with a link: to the web, or "internal:'Formulas'!A2" in a workbook."""

    value: "Text | Amount | Formula"
    url: str


@dataclass(frozen=True)
class Remarked:
    """A value with a comment. breaks: whether a line sets it apart from the value on its left."""

    value: "Text | Amount | Formula | Linked"
    remark: str
    breaks: bool = False


Text = str
Value = Text | int | date | datetime | Amount | Formula | Printed | Linked | Remarked | None


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


def unit_shown(unit: str, scale: Scale) -> str:
    """The same with how money is shown: US$, shown in millions."""
    word = WORDS[scale] if is_money(unit) else ""
    return f"{unit_in_full(unit)}, shown in {word}s" if word else unit_in_full(unit)
