"""Formats numbers for people. Nothing else turns a Decimal into text.

No digit of a reported figure is lost: one in millions keeps what lies below a million ($1,234.567 million). Computed
figures are rounded by `rounded`, which the page must say. Negative figures carry U+2212. Units are those of facts (USD,
another ISO currency, shares, USD/shares, pure, count) and of computed figures (percent, points, ratio, days).
"""

from decimal import ROUND_HALF_UP, Context, Decimal
from enum import StrEnum

MINUS = "\u2212"
# Moves of the decimal point must stay exact; facts have at most 40 digits.
_EXACT = Context(prec=80)


class Scale(StrEnum):
    """The scale that figures are given in."""

    UNITS = "units"
    THOUSANDS = "thousands"
    MILLIONS = "millions"
    BILLIONS = "billions"


_POWERS = {Scale.UNITS: 0, Scale.THOUSANDS: 3, Scale.MILLIONS: 6, Scale.BILLIONS: 9}
# The singular word of a scale; none for figures in full.
WORDS = {Scale.UNITS: "", Scale.THOUSANDS: "thousand", Scale.MILLIONS: "million", Scale.BILLIONS: "billion"}
_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}
# The unit after a computed figure.
COMPUTED = {"percent": "%", "points": "points", "ratio": "x", "days": "days"}
# What is counted stands in the name of the figure.
COUNT = "count"
_CURRENCIES = {
    "USD": "US dollars",
    "EUR": "euros",
    "GBP": "pounds sterling",
    "JPY": "yen",
    "CAD": "Canadian dollars",
    "CHF": "Swiss francs",
    "CNY": "yuan",
}


def headline(value: Decimal, unit: str, scale: Scale | None = None) -> tuple[str, str]:
    """A figure and the word after it: ("$31,370", "million"), ("$6.08", "per share"), ("15,116,786,000", "shares").

    Without a scale asked, money of a million or more is given in millions and everything else in full. A scale asked
    applies to money and shares; per-share figures have none, and a pure number is a percentage.
    """
    money, per = _split(unit)
    if per:
        return _money(_cents(value), money), f"per {per}"
    if unit == "pure":
        return f"{number(_shift(value, -2))}%", ""
    if unit in COMPUTED:
        figure = number(value)
        return (figure + COMPUTED[unit], "") if unit in ("percent", "ratio") else (figure, COMPUTED[unit])
    if not money:
        power, word = _scaled(scale or Scale.UNITS)
        return number(_shift(value, power)), f"{word} {'' if unit == COUNT else unit}".strip()
    if scale is None:
        scale = Scale.MILLIONS if abs(value) >= 1_000_000 else Scale.UNITS
    power, word = _scaled(scale)
    return _money(_shift(value, power), money), word


def exact(value: Decimal, unit: str) -> str:
    """A figure in full with its unit in words: 31,370,000,000 US dollars."""
    money, per = _split(unit)
    if unit in COMPUTED:
        return " ".join(filter(None, headline(value, unit)))
    value = _shift(value, 0)
    if unit == "pure":
        return number(value)
    if not money:
        return number(value) if unit == COUNT else f"{number(value)} {unit}"
    words = f"{number(_cents(value) if per else value)} {_CURRENCIES.get(money, money)}"
    return f"{words} per {per}" if per else words


def in_table(value: Decimal, unit: str, scale: Scale | None = None, places: int | None = None) -> str:
    """A figure for a column: money in millions, or in the scale asked, everything else as `headline` writes it.

    places: decimals that money has there, rounded to them; None: as many as it has. Whoever shows fewer must say so.
    """
    money, per = _split(unit)
    if per:
        return number(_cents(value))
    if not money:
        return headline(value, unit, scale)[0]
    moved = _shift(value, _POWERS[scale or Scale.MILLIONS])
    return number(moved if places is None else _EXACT.quantize(moved, Decimal(1).scaleb(-places)))


def decimals(value: Decimal, unit: str, scale: Scale | None = None, digits: int | None = None) -> int:
    """The decimals of money `in_table`: all that it has, or as many as its first so many digits take; elsewhere none."""
    if not is_money(unit):
        return 0
    moved = _shift(value, _POWERS[scale or Scale.MILLIONS])
    own = max(0, -int(moved.as_tuple().exponent))
    return own if digits is None or not moved else min(own, max(0, digits - 1 - moved.adjusted()))


def column_unit(unit: str, scale: Scale | None = None) -> str:
    """The heading of a column of `in_table`: US$ millions, EUR per share, Shares, %."""
    money, per = _split(unit)
    symbol = {"USD": "US$"}.get(money, money)
    if per:
        return f"{symbol} per {per}"
    if money:
        word = WORDS[scale or Scale.MILLIONS]
        return f"{symbol} {word}s" if word else symbol
    if unit == "shares":
        return f"{WORDS[scale or Scale.UNITS]} {unit}".strip().capitalize()
    return {"pure": "%", "percent": "%", "ratio": "x", COUNT: "Number"}.get(unit, unit.capitalize())


def rounded(value: Decimal, unit: str) -> Decimal:
    """A computed figure with its meaningful digits: 46.2 percent, 1.23, 64.5 days, cents, tenths of a million.

    Below one, a percentage keeps two decimals. A reported amount, which is whole, stays as it is.
    """
    money, per = _split(unit)
    if unit in ("percent", "points", "days"):
        places = 1 if abs(value) >= 1 or unit == "days" else 2
    elif unit == "ratio" or per:
        places = 2
    elif value == value.to_integral_value():
        return value
    else:
        places = -5 if money and abs(value) >= 1_000_000 else 0
    return _EXACT.quantize(value, Decimal(1).scaleb(-places)) + 0


def to_places(value: Decimal, unit: str, scale: Scale | None, places: int) -> str:
    """A figure with its word, rounded half up to so many decimals of its scale: 24.26x, $12,645 million."""
    scale = scale or (Scale.MILLIONS if is_money(unit) and abs(value) >= 1_000_000 else Scale.UNITS)
    power = 0 if unit in COMPUTED or _split(unit)[1] else _POWERS[scale]
    step = Decimal(1).scaleb(power - places)
    near = (value / step).quantize(Decimal(1), rounding=ROUND_HALF_UP, context=_EXACT) * step
    return " ".join(filter(None, headline(near, unit, scale)))


def number(value: Decimal) -> str:
    """Plain digits with thousands separators, every digit kept, U+2212 for a negative."""
    return f"{MINUS if value < 0 else ''}{abs(value):,f}"


def _money(value: Decimal, currency: str) -> str:
    sign = MINUS if value < 0 else ""
    return f"{sign}{_SYMBOLS.get(currency, f'{currency} ')}{number(abs(value))}"


def _scaled(scale: Scale) -> tuple[int, str]:
    return _POWERS[scale], WORDS[scale]


def _shift(value: Decimal, power: int) -> Decimal:
    """value / 10**power, without trailing zeros that nobody reported."""
    moved = _EXACT.scaleb(value, -power)
    whole = moved.to_integral_value()
    return whole.quantize(Decimal(1), context=_EXACT) if moved == whole else moved.normalize(_EXACT)


def _cents(value: Decimal) -> Decimal:
    """At least two decimals, more where the fact has them: 6.1 as 6.10, 0.0725 as it is."""
    value = _shift(value, 0)
    return value.quantize(Decimal("0.01"), context=_EXACT) if int(value.as_tuple().exponent) > -2 else value


def is_money(unit: str) -> bool:
    """Whether a unit is a currency: USD, and not USD/shares."""
    money, per = _split(unit)
    return bool(money) and not per


def _split(unit: str) -> tuple[str, str]:
    """(currency, "share") of a unit: ("USD", "") for USD, ("USD", "share") for USD/shares, ("", "") for shares."""
    money, _, per = unit.partition("/")
    if len(money) != 3 or not money.isupper():
        return "", ""
    return money, {"shares": "share"}.get(per, per)


def shown(value: Decimal, unit: str, scale: Scale | None = None, *, reported: bool | None = None) -> str:
    """A figure with its word: $31,370 million. reported: whether it is as filed or printed, and keeps all its digits; None:
    as its unit says, where a percentage, ratio or number of days is computed.
    """
    kept = reported or (reported is None and unit not in COMPUTED)
    return " ".join(filter(None, headline(value if kept else rounded(value, unit), unit, scale)))
