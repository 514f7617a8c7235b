"""The figures of a fictional issuer: values told or computed from others, and how each is printed."""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

TERM = re.compile(r"([+\-*/]?)\s*([a-z][a-z0-9_]*|\d+(?:\.\d+)?)(?:@(-\d))?\s*")
NOTHING = "\u2014"


class Inconsistent(ValueError):
    """The figures do not add up, or a source asks for one that is not there."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `kind`: flow and balance in the issuer's unit, shares (flow), count (shares at a date), each
    (dollars a share). `axes`: dimension to member; `places`: decimals as printed. Without a tag it is printed only."""

    key: str
    kind: str = "flow"
    tag: str = ""
    axes: tuple[tuple[str, str], ...] = ()
    values: dict[int, Decimal] = field(default_factory=dict)
    formula: str = ""
    places: int = 0

    @property
    def is_instant(self) -> bool:
        return self.kind in {"balance", "count"}


@dataclass(frozen=True)
class Figures:
    """All lines of an issuer. Amounts are in `unit`: 3 for thousands of dollars, 6 for millions.

    Of a quarter, `starts` are the first days of its flows; `balance_ends` are the days of its balances, where the one
    before is that of the last annual report.
    """

    unit: int
    ends: dict[int, date]
    lines: dict[str, Line]
    checks: tuple[tuple[str, str], ...]
    starts: dict[int, date] = field(default_factory=dict)
    balance_ends: dict[int, date] = field(default_factory=dict)

    def line(self, key: str) -> Line:
        if key not in self.lines:
            raise Inconsistent(f"No figure is called {key}.")
        return self.lines[key]

    def value(self, key: str, year: int) -> Decimal:
        """The value of a fiscal year, or at its end."""
        line = self.line(key)
        if year in line.values:
            return line.values[year]
        if (key, year) not in self._computed:
            if not line.formula:
                raise Inconsistent(f"{key} has no value for {year}.")
            value = self.compute(line.formula, year)
            if line.kind == "each":
                value = value.quantize(Decimal("0.01"), ROUND_HALF_UP)
            self._computed[key, year] = value
        return self._computed[key, year]

    @cached_property
    def _computed(self) -> dict[tuple[str, int], Decimal]:
        return {}

    def compute(self, formula: str, year: int) -> Decimal:
        """A formula from left to right: names, numbers, + - * /, and name@-1 for the year before."""
        total, place = Decimal(0), 0
        for match in TERM.finditer(formula):
            if match.start() != place:
                break
            place = match.end()
            sign, name, shift = match.groups()
            value = Decimal(name) if name[0].isdigit() else self.value(name, year + int(shift or 0))
            if sign == "*":
                total *= value
            elif sign == "/":
                total /= value
            else:
                total += -value if sign == "-" else value
        if place != len(formula):
            raise Inconsistent(f"Not a formula: {formula!r}.")
        return total

    def check(self, years: list[int]) -> None:
        """Raise Inconsistent unless both sides of every check agree in each of the years."""
        for left, right in self.checks:
            for year in years:
                if self.compute(left, year) != self.compute(right, year):
                    raise Inconsistent(
                        f"{left} = {self.compute(left, year)}, {right} = {self.compute(right, year)} in {year}."
                    )

    def period(self, line: Line, year: int) -> tuple[date, date]:
        """(start, end) of a line in a fiscal year; equal for an instant."""
        if line.is_instant:
            return self.balance_end(year), self.balance_end(year)
        return self.starts.get(year) or self.ends[year - 1] + timedelta(days=1), self.ends[year]

    def balance_end(self, year: int) -> date:
        """The day of the balances of a year."""
        return self.balance_ends.get(year, self.ends[year])


def read_figures(path: Path) -> Figures:
    """Read figures.yaml: `unit`, `ends` and `lines`, where a list of values ends with the last year of `ends`.

    `opens` names the file of annual figures whose last balances are the first ones here.
    """
    told: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    ends: dict[int, date] = told["ends"]
    lines = {}
    for key, line in told["lines"].items():
        values = [Decimal(str(value)) for value in line.get("values", [])]
        lines[key] = Line(
            key,
            line.get("kind", "flow"),
            line.get("tag", ""),
            tuple(sorted(line.get("axes", {}).items())),
            # A formula beside a single value starts from it: an opening balance.
            dict(zip(sorted(ends), values, strict=False))
            if line.get("formula")
            else dict(zip(sorted(ends)[-len(values) :], values, strict=True)),
            line.get("formula", ""),
            line.get("places", 2 if line.get("kind") == "each" else 0),
        )
    if "opens" in told:
        annual = read_figures(path.with_name(told["opens"]))
        for line in lines.values():
            if line.is_instant and line.key in annual.lines:
                line.values.setdefault(min(ends), annual.value(line.key, max(annual.ends)))
    checks = tuple(map(tuple, told.get("checks", [])))
    return Figures(told["unit"], ends, lines, checks, told.get("starts", {}), told.get("balance_ends", {}))


def printed(value: Decimal, places: int = 0) -> str:
    """1,234 and 0.12 without a sign; a dash for nothing."""
    rounded = abs(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return f"{rounded:,}" if rounded else NOTHING


def percent(part: Decimal, whole: Decimal, places: int = 0) -> str:
    """A share in percent without a sign: 12."""
    share = (abs(part) * 100 / abs(whole)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return f"{share}"
