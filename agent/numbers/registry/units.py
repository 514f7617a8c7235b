"""The dimensions of a formula, in money, shares and days, checked when the registry is loaded.

Adding dollars to shares is an error of the registry, found before any question is asked. A percentage is a ratio times
100; a span of days comes from the literal 365.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from agent.numbers.registry.expressions import Alternative, Binary, Call, Expr, Name, Negative, Number

DAYS_A_YEAR = Decimal(365)
# The unit of a fact that is an amount of money.
CURRENCY = re.compile(r"[A-Z]{3}")


class Dimension(NamedTuple):
    """Exponents: (1, -1, 0) is money per share."""

    money: int = 0
    shares: int = 0
    days: int = 0

    def times(self, other: "Dimension", sign: int = 1) -> "Dimension":
        """The dimension of a product, or of a quotient with sign -1."""
        return Dimension(*(left + sign * right for left, right in zip(self, other, strict=True)))

    def __str__(self) -> str:
        return UNITS.get(self, f"money^{self.money} shares^{self.shares} days^{self.days}")


PLAIN = Dimension()
DIMENSIONS = {
    "USD": Dimension(money=1),
    "shares": Dimension(shares=1),
    "USD/shares": Dimension(money=1, shares=-1),
    "USD/share": Dimension(money=1, shares=-1),
    "days": Dimension(days=1),
    "pure": PLAIN,
    "percent": PLAIN,
    "count": PLAIN,
    "ratio": PLAIN,
}
UNITS = {
    Dimension(money=1): "US dollars",
    Dimension(shares=1): "shares",
    Dimension(money=1, shares=-1): "US dollars per share",
    Dimension(days=1): "days",
    PLAIN: "a plain number",
}


class UnitError(ValueError):
    """An expression that adds unlike units, or gives another unit than it should."""


def dimension(expr: Expr, of: Callable[[Name], Dimension], *, in_days: bool = False) -> Dimension:
    """The dimension of an expression. in_days: 365 stands for the days of a year. Raises UnitError."""
    match expr:
        case Number(value=value):
            return DIMENSIONS["days"] if in_days and value == DAYS_A_YEAR else PLAIN
        case Name():
            return of(expr)
        case Negative(operand=operand) | Call(argument=operand):
            return dimension(operand, of, in_days=in_days)
        case Alternative(options=options):
            return _alike(expr, [dimension(option, of, in_days=in_days) for option in options])
        case Binary(operator=operator, left=left, right=right):
            a, b = (dimension(side, of, in_days=in_days) for side in (left, right))
            if operator in "*/":
                return a.times(b, 1 if operator == "*" else -1)
            if operator == "**":
                if a != PLAIN or b != PLAIN:
                    raise UnitError(f"{expr} raises {a} to the power of {b}")
                return PLAIN
            return _alike(expr, [a, b])
    raise UnitError(f"{expr} is true or false, not a number")


def _alike(expr: Expr, found: list[Dimension]) -> Dimension:
    if len(set(found)) > 1:
        raise UnitError(f"{expr} puts {' and '.join(map(str, found))} together")
    return found[0]


def in_currency(unit: str, currency: str) -> str:
    """A unit of the registry as facts write it, in the currency of the statements."""
    spelled = "USD/shares" if unit == "USD/share" else unit
    return spelled.replace("USD", currency)


def in_formulas(unit: str) -> str:
    """A printed unit as formulas have it: amounts of whatever currency as USD, so that they fit the registry's."""
    money, per, shares = unit.partition("/")
    return f"USD{per}{shares}" if money.isupper() else unit
