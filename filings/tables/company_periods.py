"""The first and the last day of a printed period in the calendar of its company.

A column that names a year, or so many weeks or months, is of a period of the company; its days are counted from what is
printed, which in years of 52 and 53 weeks is days off.
"""

from collections.abc import Sequence
from datetime import date, timedelta

from filings.models import Filing
from filings.models.source_kinds import ANNUAL, QUARTERLY
from filings.tables.column_periods import NEAR, Period
from filings.xbrl.periods import HALF_DAYS, NINE_MONTHS_DAYS, QUARTER_DAYS, YEAR_DAYS

FISCAL = (QUARTER_DAYS, HALF_DAYS, NINE_MONTHS_DAYS, YEAR_DAYS)


def period_ends(filing: Filing) -> tuple[date, ...]:
    """The last days of the company's quarters and years: of its reports and of the document's own period."""
    reports = (
        Filing.objects.of_sec()
        .of_companies([filing.company.cik])
        .filter(source__in=[ANNUAL.key, QUARTERLY.key], period_end__isnull=False)
    )
    held = {end for end in reports.values_list("period_end", flat=True) if end}
    own = {filing.period_end} if filing.period_end and filing.kind.span != "day" else set()
    return tuple(sorted(held | own))


def in_calendar(period: Period, ends: Sequence[date], *, dated: bool) -> Period:
    """A printed period with the company's own days, where one that ends within ten days of it is the same.

    ends: of the company's periods. dated: whether a balance is of a day that is printed, which stays. A part of a quarter
    is none of the company's periods. A first day stays as printed where the period before is not held.
    """
    end = _near(period.end, ends)
    if period.start == period.end:
        return period if dated or end is None else Period(end, end)
    if end is None or not any((period.end - period.start).days in days for days in FISCAL):
        return period
    before = _near(period.start - timedelta(days=1), ends)
    start = before + timedelta(days=1) if before else period.start
    return Period(start, end)


def _near(day: date, ends: Sequence[date]) -> date | None:
    near = min(ends, key=lambda end: abs(end - day), default=None)
    return near if near and abs(near - day) <= NEAR else None
