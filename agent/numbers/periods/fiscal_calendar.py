"""When the fiscal periods of a company end, also those that are not loaded, and which calendar periods they lie in."""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.periods.asked_quarters import closings
from agent.numbers.periods.interim import period_filings
from filings.xbrl.periods import A_YEAR, QUARTERS, TRAILING, FiscalPeriod, Place, calendar_quarter, calendar_year

A_QUARTER = 91.25  # days
# How many years a company's own label may lie off the calendar year.
MOST_OFF = 2


@dataclass(frozen=True)
class FiscalCalendar:
    """The fiscal calendar of one company.

    by_quarter: whether twelve months are placed by the calendar quarter that they end in, as trailing ones are.
    """

    company_filings: CompanyFilings
    by_quarter: bool = False

    @cached_property
    def _ends(self) -> dict[tuple[int, int], date]:
        """The ends of the fiscal quarters whose reports are loaded."""
        return closings(self.company_filings)

    @property
    def known(self) -> bool:
        """Whether any report is loaded, which tells when the others end."""
        return bool(self._ends)

    @cached_property
    def _year_ends(self) -> dict[int, date]:
        held = {year: end for (year, quarter), end in self._ends.items() if quarter == len(QUARTERS)}
        last = len(QUARTERS)
        return held or {
            year: end + timedelta(days=A_QUARTER * (last - quarter)) for (year, quarter), end in self._ends.items()
        }

    def _year_end(self, year: int) -> date:
        near = min(self._year_ends, key=lambda one: (abs(one - year), -one))
        return self._year_ends[near] + timedelta(days=A_YEAR * (year - near))

    def end(self, place: Place) -> date:
        """The last day of a fiscal period; of one without a loaded report estimated from the nearest year."""
        quarter = place.period.quarter
        held = self._ends.get((place.year, quarter))
        return held or self._year_end(place.year) - timedelta(days=A_QUARTER * (len(QUARTERS) - quarter))

    def column(self, place: Place) -> Place | None:
        """The calendar period that a fiscal one lies in, by its midpoint; None for halves and nine months.

        The quarters of a year follow its last one: they may be of 12 and of 16 weeks.
        """
        period = place.period
        if period is FiscalPeriod.YEAR and not self.by_quarter:
            return Place(calendar_year(self.end(place)), period, calendar=True)
        if not (period.of_quarter or period.whole):
            return None
        year, at = divmod(self._last_quarter(place.year) - (len(QUARTERS) - period.quarter), len(QUARTERS))
        if period.of_quarter:
            return Place(year, QUARTERS[at], calendar=True)
        return Place(year, (*TRAILING, FiscalPeriod.YEAR)[at], calendar=True)

    def place(self, column: Place) -> Place:
        """The fiscal period in a calendar one; where none is loaded, the one that would lie in it."""
        near = range(column.year + MOST_OFF, column.year - MOST_OFF - 1, -1)
        if column.period is FiscalPeriod.YEAR and not self.by_quarter:
            held = [year for year in near if year in self._year_ends and self.column(Place(year)) == column]
            years = held or [year for year in near if self.column(Place(year)) == column] or [column.year]
            return Place(years[0])
        at = column.year * len(QUARTERS) + column.period.quarter - 1
        behind = {year: self._last_quarter(year) - at for year in near}
        year = next((one for one in near if 0 <= behind[one] < len(QUARTERS)), column.year)
        quarter = len(QUARTERS) - 1 - behind[year] % len(QUARTERS)
        periods = QUARTERS if column.period.of_quarter else (*TRAILING, FiscalPeriod.YEAR)
        return Place(year, periods[quarter])

    def _last_quarter(self, year: int) -> int:
        """The calendar quarter that the last quarter of a fiscal year lies in, counted from the year 0."""
        of, quarter = calendar_quarter(self._year_end(year))
        return of * len(QUARTERS) + quarter - 1

    def held(self, like: FiscalPeriod) -> dict[Place, Place]:
        """The loaded years, quarters or twelve months: the calendar period of each, and the fiscal one."""
        kinds = (like,) if like is FiscalPeriod.YEAR and not self.by_quarter else (*TRAILING, FiscalPeriod.YEAR)
        kinds = QUARTERS if like.of_quarter else kinds
        places = [Place(year, one) for one in kinds for year in period_filings(self.company_filings, one).by_year]
        return {column: place for place in sorted(places) if (column := self.column(place))}
