"""Positions in a chart: vertical in pixels on a scale of round steps, horizontal in percent of the plot."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext

PLOT, SMALL = 168, 40
# Above the plot: the pointed-at line and room for a value over the highest column; below it the labels.
HEAD, UNDER, LABELS = 20, 18, 22
TICKS = 4
# A column fills two thirds of its place.
FILLED = 0.68
# Facts have at most 40 digits, and parts are added up.
PRECISION = 80


def steps(low: Decimal, high: Decimal, about: int = TICKS) -> tuple[Decimal, ...]:
    """Round values from at or below `low` to at or above `high`, 1, 2 or 5 times a power of ten apart, low < high."""
    with localcontext(prec=PRECISION):
        power = Decimal(1).scaleb(((high - low) / about).adjusted())
        step = next(power * times for times in (1, 2, 5, 10) if power * times * about >= high - low)
        first = (low / step).to_integral_value(ROUND_FLOOR)
        last = (high / step).to_integral_value(ROUND_CEILING)
        # Without exponents: 500 and not 5E+2.
        return tuple(Decimal(f"{(first + number) * step:f}") for number in range(int(last - first) + 1))


@dataclass(frozen=True, slots=True)
class Scale:
    """Vertical positions. at: the values of the grid lines, lowest first."""

    at: tuple[Decimal, ...]
    top: float
    bottom: float
    height: float

    @classmethod
    def over(cls, values: Iterable[Decimal], *, small: bool = False, under: bool = False) -> "Scale":
        """A scale that contains all values. under: with room for words below a negative column."""
        values = list(values)
        low, high = min(values), max(values)
        if low == high:
            low, high = min(low, Decimal(0)), max(high, Decimal(0)) if high else Decimal(1)
        if small:
            # One pixel on each side, for values near zero.
            return cls((low, high), 1, SMALL - 1, SMALL)
        top = HEAD + UNDER
        scale = cls(steps(low, high), top, top + PLOT, top + PLOT + LABELS)
        more = scale.y(low) + UNDER - scale.bottom if under and low < 0 else 0
        return replace(scale, height=round(scale.height + max(more, 0), 1))

    @property
    def base(self) -> float:
        """The position of zero, or of the edge next to it."""
        return self.y(min(max(Decimal(0), self.at[0]), self.at[-1]))

    def y(self, value: Decimal) -> float:
        """Pixels from the top."""
        with localcontext(prec=PRECISION):
            share = float((self.at[-1] - value) / (self.at[-1] - self.at[0]))
        return round(self.top + share * (self.bottom - self.top), 1)

    def stretch(self, start: Decimal, end: Decimal) -> tuple[float, float]:
        """The upper and lower end of a bar between two values: at least a pixel, unless it is zero."""
        upper, lower = sorted((self.y(start), self.y(end)))
        if start == end or lower - upper >= 1:
            return upper, lower
        return (lower - 1, lower) if end > start else (upper, upper + 1)


@dataclass(frozen=True, slots=True)
class Places:
    """Horizontal positions, in percent."""

    count: int

    def middle(self, at: int) -> float:
        return round((at + 0.5) * 100 / self.count, 2)

    def column(self, at: int, upper: float, lower: float) -> tuple[float, float, float, float]:
        """x, y, width and height of a column."""
        band = 100 / self.count
        left = (at + (1 - FILLED) / 2) * band
        return round(left, 2), round(upper, 1), round(band * FILLED, 2), round(lower - upper, 1)
