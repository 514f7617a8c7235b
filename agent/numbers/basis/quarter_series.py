"""The readings of a measure by fiscal quarter, and between which reports its basis changed.

The report of a quarter prints the same quarter of the year before. It restates that one where the basis changed within
the four reports up to it, and the reports before and behind it show with which of them. Where they do not show it, the
basis may have changed with any of the four.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from agent.numbers.basis.series import Series
from agent.numbers.cells.cells import from_filing
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.evaluated import Evaluated
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.periods.interim import period_filings
from agent.state.query import Basis
from filings.xbrl.periods import QUARTERS, Place

YEAR = len(QUARTERS)


class Changes(NamedTuple):
    """Reports, by the number of their quarter.

    new: with which the basis changed, or may have, and the report that tells of it; alike: with which it did not; alone:
    those whose own figure was changed later, and no other.
    """

    new: dict[int, int]
    alike: set[int]
    alone: set[int]


@dataclass
class QuarterSeries(Series):
    """The readings by quarter, numbered on from one year to the next. first, last: those that are shown."""

    first: int = 0
    last: int = 0
    lag: ClassVar[int] = YEAR

    def position(self, place: Place) -> int:
        return place.year * YEAR + place.period.quarter - 1

    def year_of(self, position: int) -> int:
        return position // YEAR

    def _of(self, position: int) -> CompanyFilings:
        """The filings of a quarter of each year."""
        return period_filings(self.filings.annual, QUARTERS[position % YEAR])

    def _called(self, position: int) -> str:
        return Place(self.year_of(position), QUARTERS[position % YEAR]).called

    def printing(self, year: int, near: int | None = None, newest: int | None = None) -> list[int]:
        match self.filings.basis:
            case Basis.FIRST:
                return [year]
            case Basis.LAST:
                return [year + YEAR, year]
        return [year, year + YEAR]

    def _read(self, filed_for: int, year: int) -> Evaluated | None:
        own, filed, asked = self._of(year), self.year_of(filed_for), self.year_of(year)
        if filed_for not in (year, year + YEAR) or filed not in own.by_year:
            return None
        if asked in own.by_year and not own.aligned(asked, filed):
            return None
        try:
            return from_filing(self.version, own, asked, filed)
        except Unanswered:
            return None

    def _operands_agree(self, given: Evaluated, filed_for: int) -> bool | None:
        own = self._of(filed_for)
        if any(part.company_filings.period is not own.period for part in given.parts.values()):
            return None  # the quarter is computed from other periods
        return Series(self.version, own)._operands_agree(given, self.year_of(filed_for))

    @cached_property
    def changes(self) -> Changes:
        """With which reports the basis changed, as far as they tell."""
        told = {at: self.agree(at - YEAR, at, at - YEAR) for at in range(self.first + 1, self.last + 2 * YEAR)}
        alike = {one for at, same in told.items() if same for one in range(at - YEAR + 1, at + 1)}
        restating = {
            at: [one for one in range(at - YEAR + 1, at + 1) if one not in alike]
            for at, same in told.items()
            if same is False
        }
        new = {within[0]: at for at, within in reversed(restating.items()) if len(within) == 1}
        for at, within in restating.items():
            if not new.keys() & set(within):
                new |= {one: new.get(one, at) for one in within}
        return Changes(new, alike, {at - YEAR for at, within in restating.items() if not within})

    def joined(self, before: tuple[int, int], after: tuple[int, int]) -> bool:
        if any(filed_for == quarter in self.changes.alone for filed_for, quarter in (before, after)):
            return False
        between = self._between(before[0], after[0])
        if self.version.lines and not between <= self.changes.alike:
            return False  # parts, which reports often regroup, must be proven to be on one basis
        return not between & self.changes.new.keys()

    @staticmethod
    def _between(one: int, other: int) -> set[int]:
        return set(range(min(one, other) + 1, max(one, other) + 1))

    def _why(self, year: int, after: tuple[int, int]) -> str:
        telling = [self.changes.new[one] for one in sorted(self._between(year, after[0])) if one in self.changes.new]
        telling += [one + YEAR for one in (year, after[1]) if one in self.changes.alone]
        if not telling:
            return f"No report shows whether {self._called(year)} and {self._called(after[1])} are on the same basis."
        at = telling[0]
        report = self._of(at).report(self.year_of(at))
        other = f", not {self._called(year)}" if self.agree(year, year + YEAR, year) else ""
        return f"The {report} restates {self._called(at - YEAR)}{other}."
