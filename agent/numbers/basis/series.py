"""Which filings give the figures of a row over fiscal years on one basis, and where the basis breaks.

A 10-K prints two or three years, so neighbouring years overlap. There is a break between two years where the 10-K of the
second prints another value for the first than the first one's own 10-K did, beyond rounding: a spin-off, another
accounting rule, a share split. A year before a break is shown as the later 10-K prints it, where one does. What no
10-K joins stays a break, across which nothing is computed.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from typing import ClassVar

from agent.numbers.cells.cells import from_filing
from agent.numbers.cells.row_expressions import Version
from agent.numbers.facts.company_filings import REACH, CompanyFilings
from agent.numbers.facts.evaluated import Evaluated, FactOperand, on_shares
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.facts.rounding import half_unit
from agent.numbers.facts.selection_result import Choice
from agent.numbers.facts.statement_lines import LineOf
from filings.xbrl.facts import Value
from filings.xbrl.periods import FiscalPeriod, Place

# Percentages and ratios are compared by what two decimals show.
HALF_SHOWN = Decimal("0.005")
# Without operands in common, two amounts are equal within this part of the larger.
NEAR = Decimal("0.0005")

# Filings of fiscal years, by the year of the figure that each gives; and why the basis breaks before a year.
Sources = dict[int, int]
Breaks = dict[int, str]


@dataclass
class Series:
    """The readings of one measure of one company by fiscal year, each from the filing of a fiscal year."""

    version: Version
    filings: CompanyFilings
    found: dict[tuple[int, int], Evaluated | None] = field(default_factory=dict)
    lag: ClassVar[int] = 1

    def position(self, place: Place) -> int:
        """The number of a period among those of the series."""
        return place.year

    def year_of(self, position: int) -> int:
        """The fiscal year of a number."""
        return position

    def printing(self, year: int, near: int | None = None, newest: int | None = None) -> list[int]:
        """The filings that may give a year, in the order in which they are to."""
        return self.filings.printing(year, near, newest)

    def reading(self, filed_for: int, year: int) -> Evaluated | None:
        """The measure in `year` as the 10-K of `filed_for` gives it alone; None where it does not."""
        if (filed_for, year) not in self.found:
            self.found[filed_for, year] = self._read(filed_for, year)
        return self.found[filed_for, year]

    def _read(self, filed_for: int, year: int) -> Evaluated | None:
        by_year = self.filings.by_year
        if filed_for not in by_year or (year in by_year and not self.filings.aligned(year, filed_for)):
            return None
        try:
            return from_filing(self.version, self.filings, year, filed_for)
        except Unanswered:
            return None

    def agree(self, one: int, other: int, year: int) -> bool | None:
        """Whether two filings give the same figure for a year; None where that is unknown.

        Of a measure that only one of them gives, such as a return on average assets, the operands are compared.
        """
        if one == other:
            return True
        a, b = self.reading(one, year), self.reading(other, year)
        if a and b:
            return same(a, b)
        if a:
            return self._operands_agree(a, other)
        return self._operands_agree(b, one) if b else None

    def _operands_agree(self, given: Evaluated, filed_for: int) -> bool | None:
        """Whether a filing gives the same figures for the operands of a measure; None where it gives none of them."""
        selection = self.filings.selection(filed_for)
        if selection is None:
            return None
        told = [
            abs(choice.value - part.held.value) <= max(choice.half_unit, _slack(part))
            for part in given.parts.values()
            if part.concept and isinstance(choice := selection.annual(part.key, part.year - filed_for), Choice)
        ]
        told += [
            abs(held.value - part.held.value) <= max(half_unit(held.value, held.fact.decimals), _slack(part))
            for part in given.parts.values()
            if (find := self.version.lines.get(part.key)) and (held := self._line(find, part.year, filed_for))
        ]
        return all(told) if told else None

    def _line(self, find: LineOf, year: int, filed_for: int) -> Value | None:
        """A line's figure for a year in the filing of another; None where it has none."""
        with suppress(Unanswered):
            return find(self.filings, filed_for, year - filed_for)[1]
        return None

    def joined(self, before: tuple[int, int], after: tuple[int, int]) -> bool:
        """Whether two figures, each (fiscal year of the filing, fiscal year), are on one basis.

        They are where both filings give the same figure for one of the two years, or a third filing joins them.
        """
        (one, year), (other, later) = before, after
        if one == other:
            return True
        for common in (year, later):
            if (told := self.agree(one, other, common)) is not None:
                return told
        if any(
            self.agree(third, one, year) and self.agree(third, other, later)
            for third in range(later, year + REACH + 1)
        ):
            return True
        if self._split(year, later):
            return False
        # Nothing tells of another basis. Lines and parts, which reports often regroup, must be proven to be on one.
        return other == later <= year + REACH and not self.version.lines

    def _split(self, year: int, later: int) -> tuple[int, ...]:
        """The fiscal years whose 10-Ks restate for a share split between two years of a measure on shares."""
        given = self.reading(later, later)
        return self.filings.splits(year, later) if given and on_shares(given) else ()

    def sources(self, years: Sequence[int], start: int, given: int) -> tuple[Sources, Breaks]:
        """The filing that gives each year on the basis of `start`, as far as one does, and where the basis breaks.

        Before `start`, a year whose own 10-K is on another basis is given as a later one prints it. years: ascending,
        all of them, `start` among them; of those without a figure nothing is said. given: the filing that gives `start`.
        """
        found: Sources = {start: given}
        breaks: Breaks = {}
        after = (given, start)
        for year in reversed([one for one in years if one < start]):
            first = None
            for one in self.printing(year, after[0], max(years[-1], given)):
                if self.reading(one, year):
                    first = first or one
                    if self.joined((one, year), after):
                        found[year] = one
                        break
                    if self.filings.basis:
                        break
            if first is None:
                continue
            if year not in found:
                breaks[after[1]] = self._why(year, after)
            after = (found.setdefault(year, first), year)
        before = (given, start)
        for year in [one for one in years if one > start]:
            if self.reading(year, year) is None:
                continue
            if not self.joined(before, (year, year)):
                breaks[year] = self._why(before[1], (year, year))
            found[year] = year
            before = (year, year)
        return found, breaks

    def _why(self, year: int, after: tuple[int, int]) -> str:
        filed_for, later = after
        newer = self.filings.report(filed_for)
        if filed_for != later and self.reading(later, later):  # its own gives another figure
            return f"The {newer} restates fiscal {later}, not fiscal {year}."
        if self.agree(filed_for, year, year) is False:
            return f"The {newer} restates fiscal {year}."
        if split := self._split(year, later):
            return f"Fiscal {year} is before the share split of fiscal {split[0]}."
        return f"No report shows whether fiscal {year} and fiscal {later} are on the same basis."


def same(a: Evaluated, b: Evaluated) -> bool:
    """Whether two evaluated figures of one year are equal after rounding, operand by operand where they have the same."""
    mine, others = (_by_place(one) for one in (a, b))
    if mine.keys() == others.keys():
        return all(_equal(part, others[place]) for place, part in mine.items())
    try:
        x, y = a.value, b.value
    except ArithmeticError:
        return False
    return abs(x - y) <= max(HALF_SHOWN, NEAR * max(abs(x), abs(y)))


def _by_place(one: Evaluated) -> dict[tuple[str, int, FiscalPeriod], FactOperand]:
    return {(part.key, part.year, part.company_filings.period): part for part in one.parts.values()}


def _equal(a: FactOperand, b: FactOperand) -> bool:
    return abs(a.held.value - b.held.value) <= max(map(_slack, (a, b)))


def _slack(part: FactOperand) -> Decimal:
    """Half of the last digit that the filing gives: a filer may round to millions and still tag tenths of them."""
    value, decimals = part.held.value, part.held.fact.decimals
    given = half_unit(value, decimals)
    return max(given, half_unit(value, None)) if decimals is not None and decimals < 0 else given
