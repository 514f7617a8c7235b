"""Which fiscal year of a company stands for a calendar year, where companies with different years are compared."""

from collections.abc import Iterable
from datetime import date, timedelta

from filings.models import Filing

HALF_YEAR = timedelta(days=182)


def calendar_year(period_end: date) -> int:
    """The calendar year in which the middle of a fiscal year lies, from the fiscal year's last day."""
    return (period_end - HALF_YEAR).year


def filing_for(filings: Iterable[Filing], year: int | None) -> Filing | None:
    """A company's filing of the fiscal year whose middle lies in a calendar year; without a year, the newest one.

    filings: of one company, newest first. None where there is none.
    """
    for one in filings:
        dated = one.fiscal_year is not None and one.period_end is not None
        if dated and (year is None or calendar_year(one.period_end) == year):  # type: ignore[arg-type] # checked before
            return one
    return None
