"""Shares with their bounds."""

from dataclasses import dataclass
from math import sqrt

Z_95 = 1.959964


@dataclass(frozen=True)
class Share:
    """`part` of `whole`, with the Wilson 95 % interval (Wilson 1927), which holds for 0 and for all."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        return self.part / self.whole if self.whole else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Lower and upper bound, between 0 and 1; the whole range where nothing was counted."""
        n = self.whole
        if not n:
            return 0.0, 1.0
        z2 = Z_95**2
        centre = (self.value + z2 / (2 * n)) / (1 + z2 / n)
        spread = Z_95 / (1 + z2 / n) * sqrt(self.value * (1 - self.value) / n + z2 / (4 * n * n))
        return max(0.0, centre - spread), min(1.0, centre + spread)

    def __str__(self) -> str:
        low, high = self.bounds
        return f"{self.part:>4} of {self.whole:<4} {self.value:>7.1%}  [{low:.1%}, {high:.1%}]"
