"""Which fiscal year of a company stands for a calendar year, where companies with different years are compared."""

from collections.abc import Iterable

from filings.models import Filing
from filings.xbrl.periods import calendar_year


def filing_for(filings: Iterable[Filing], year: int | None) -> Filing | None:
    """A company's filing of the fiscal year whose middle lies in a calendar year; without a year, the newest one.

    filings: of one company, newest first. None where there is none.
    """
    for one in filings:
        dated = one.fiscal_year is not None and one.period_end is not None
        if dated and (year is None or calendar_year(one.period_end) == year):  # type: ignore[arg-type] # checked before
            return one
    return None
