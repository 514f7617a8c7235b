"""Which days a company's fiscal quarters and years end on, and which of them a day belongs to, from its stored reports."""

from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple

from filings.edgar.listing import year_end_after
from filings.models import Company, Filing
from filings.xbrl.periods import A_YEAR, fiscal_year, label_offset, quarter_of

QUARTERS = 4
MONTHS, WEEKS = 3, 13  # of a quarter
WEEKS_A_YEAR = A_YEAR / 7
# How far a day may lie from the end of a quarter and still be meant by it.
NEAR_DAYS = 20


class Period(NamedTuple):
    """A fiscal period as the company names it; `quarter` is None for a year. `end` is None where it is not known."""

    year: int
    quarter: int | None
    end: date | None


def period_named(company: Company, year: int, quarter: int | None) -> Period:
    """The period of a fiscal year and quarter, with its last day: a stored report's, else counted from a year's end."""
    if quarter is not None and quarter < QUARTERS:
        reports = Filing.objects.of_sec().of_companies([company.cik])
        end = (
            reports.filter(fiscal_year=year, fiscal_quarter=quarter, period_end__isnull=False)
            .order_by("filed")
            .values_list("period_end", flat=True)
            .first()
        )
        if end:
            return Period(year, quarter, end)
    closing = _year_end(company, year)
    if closing is None or quarter is None:
        return Period(year, quarter, closing)
    return Period(year, quarter, _quarters_before(closing, QUARTERS - quarter))


def period_ending(company: Company, end: date, *, quarterly: bool) -> Period | None:
    """The company's period that ends on a day; None where its calendar is not known, or no period ends there.

    quarterly: a quarter is meant, otherwise a year.
    """
    closing = year_end_after(end - timedelta(days=NEAR_DAYS), _year_ends(company))
    if closing is None:
        return None
    year = fiscal_year(closing, _offset(company))
    if abs((closing - end).days) <= NEAR_DAYS:
        return Period(year, QUARTERS if quarterly else None, end)
    quarter = quarter_of(end, closing) if quarterly else None
    return Period(year, quarter, end) if quarter else None


def _quarters_before(closing: date, quarters: int) -> date:
    """The end of a quarter so many before a year's end: of a month where the year ends with one, else 13 weeks apart."""
    if not _ends_a_month(closing):
        return closing - timedelta(weeks=WEEKS * quarters)
    years, month = divmod(closing.year * 12 + closing.month - 1 - MONTHS * quarters, 12)
    return date(years, month + 1, monthrange(years, month + 1)[1])


def _ends_a_month(day: date) -> bool:
    return (day + timedelta(days=1)).day == 1


def _year_ends(company: Company) -> list[date]:
    own = Filing.objects.primary().of_companies([company.cik]).order_by("period_end")
    return [end for end in own.values_list("period_end", flat=True) if end]


def _year_end(company: Company, year: int) -> date | None:
    """The last day of a fiscal year: of its 10-K, else of the nearest one's year, moved by whole years."""
    named = {fiscal_year(end, _offset(company)): end for end in _year_ends(company)}
    if not named:
        return None
    nearest = min(named, key=lambda held: abs(held - year))
    end = named[nearest]
    if not _ends_a_month(end):
        # Years of 52 and 53 weeks end on one day of the week.
        return end + timedelta(weeks=round(WEEKS_A_YEAR * (year - nearest)))
    moved = end.year + year - nearest
    return date(moved, end.month, monthrange(moved, end.month)[1])


def _offset(company: Company) -> int:
    own = Filing.objects.primary().of_companies([company.cik])
    votes = [(end, year) for end, year in own.values_list("period_end", "fiscal_year_focus") if end and year]
    return label_offset(company.cik, votes, company.label_offset)
