"""Fiscal calendar and period identity: pure functions over dates.

`fy`, `fp` and `frame` of companyfacts describe the filing of a row, not the row: only the vote for a company's label
offset reads them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

# XBRL US DQC_0006 uses 350-379 days; 53-week years with a leap day need 380.
YEAR_DAYS = range(350, 381)
# Quarters have 12 to 16 weeks: retailers and PEP divide a year into 12, 12, 12 and 16, or 16 and three of 12.
QUARTER_DAYS = range(77, 119)
HALF_DAYS = range(160, 204)
NINE_MONTHS_DAYS = range(244, 288)
# Days of a year, leap years counted: from one year's end to another's.
A_YEAR = 365.25

# Offsets of a company's own label from year(end - 10 days), where votes of `fy` are wrong or too few. Retailers that
# name the year by its start (HD, LOW, GME, ULTA, FL), and companies whose single filings carry a shifted fy (WMT, NVDA,
# CRM, CRWD, WDAY, SNOW, MDB, MRVL, BBY). By CIK.
LABEL_OFFSETS = {
    354950: -1,  # HD
    60667: -1,  # LOW
    1326380: -1,  # GME
    1403568: -1,  # ULTA
    850209: -1,  # FL
    104169: 0,  # WMT
    1045810: 0,  # NVDA
    1108524: 0,  # CRM
    1535527: 0,  # CRWD
    1327811: 0,  # WDAY
    1640147: 0,  # SNOW
    1441816: 0,  # MDB
    1835632: 0,  # MRVL
    764478: 0,  # BBY
}


class FiscalPeriod(StrEnum):
    """A part of a fiscal year, or twelve months to the end of one, for which a figure is reported."""

    YEAR = "FY"
    Q1 = "Q1"
    Q2 = "Q2"
    Q3 = "Q3"
    Q4 = "Q4"
    H1 = "H1"
    H2 = "H2"
    NINE_MONTHS = "9M"
    TTM_Q1 = "TTM Q1"
    TTM_Q2 = "TTM Q2"
    TTM_Q3 = "TTM Q3"

    @property
    def quarter(self) -> int:
        """The fiscal quarter at whose end it ends, 1 to 4."""
        return {"FY": 4, "H1": 2, "H2": 4, "9M": 3}.get(self.value) or int(self.value[-1])

    @property
    def whole(self) -> bool:
        """Whether it lasts a year."""
        return self is FiscalPeriod.YEAR or self.value.startswith("TTM")

    @property
    def days(self) -> range:
        """The length of the durations that a filing tags for it; empty where none does."""
        return STRETCHES.get(self, range(0))

    @property
    def slug(self) -> str:
        """As a part of a name: q3, m9, ttm_q1."""
        return "m9" if self is FiscalPeriod.NINE_MONTHS else self.value.lower().replace(" ", "_")

    @property
    def of_quarter(self) -> bool:
        """Whether it is one of the four quarters."""
        return self.value.startswith("Q")


STRETCHES = {
    FiscalPeriod.YEAR: YEAR_DAYS,
    FiscalPeriod.Q1: QUARTER_DAYS,
    FiscalPeriod.Q2: QUARTER_DAYS,
    FiscalPeriod.Q3: QUARTER_DAYS,
    FiscalPeriod.H1: HALF_DAYS,
    FiscalPeriod.NINE_MONTHS: NINE_MONTHS_DAYS,
}
QUARTERS = (FiscalPeriod.Q1, FiscalPeriod.Q2, FiscalPeriod.Q3, FiscalPeriod.Q4)
# From the first day of the fiscal year to the end of its first, second and third quarter.
TO_DATE = (FiscalPeriod.Q1, FiscalPeriod.H1, FiscalPeriod.NINE_MONTHS)
TRAILING = (FiscalPeriod.TTM_Q1, FiscalPeriod.TTM_Q2, FiscalPeriod.TTM_Q3)
# How far the end of a quarter may lie from a quarter of the way through the year, in days.
QUARTER_DRIFT = 30
# From the end of a period back to its midpoint, and how far years of 52 and 53 weeks end behind the end of a month.
HALF_YEAR, HALF_QUARTER = timedelta(days=182), timedelta(days=45)
WEEK_DRIFT = timedelta(days=10)


NAMES = {
    FiscalPeriod.H1: "the first half",
    FiscalPeriod.H2: "the second half",
    FiscalPeriod.NINE_MONTHS: "the first nine months",
}


class Place(NamedTuple):
    """A fiscal year, or a part of one: a column of a table. Compared by when they end.

    calendar: whether it is a calendar year, or a part of one, that fiscal years of several companies are set under.
    """

    year: int
    period: FiscalPeriod = FiscalPeriod.YEAR
    calendar: bool = False

    @property
    def called(self) -> str:
        """In words: fiscal 2024, calendar 2024, Q3 fiscal 2024, the twelve months to the end of Q3 fiscal 2024."""
        year = f"{'calendar' if self.calendar else 'fiscal'} {self.year}"
        if self.period is FiscalPeriod.YEAR:
            return year
        if self.period in TRAILING:
            return f"the twelve months to the end of Q{self.period.quarter} {year}"
        if name := NAMES.get(self.period):
            return f"{name} of {year}"
        return f"{self.period} {year}"

    @property
    def report(self) -> str:
        """The name of the report that closes it: fiscal 2024 10-K, Q3 fiscal 2024 10-Q."""
        quarter = self.period.quarter
        return f"fiscal {self.year} 10-K" if quarter == len(QUARTERS) else f"Q{quarter} fiscal {self.year} 10-Q"

    @property
    def short(self) -> str:
        """As the head of a column: FY2024, Q3 FY2024, CY2024."""
        year = f"{'CY' if self.calendar else 'FY'}{self.year}"
        return year if self.period is FiscalPeriod.YEAR else f"{self.period} {year}"

    @property
    def code(self) -> str:
        """As part of an address: 2024, 2024q3, 2024ttm_q3."""
        return f"{self.year}{'' if self.period is FiscalPeriod.YEAR else self.period.slug}"

    @classmethod
    def of_code(cls, code: str) -> "Place | None":
        """The period of a code; None where it is none."""
        period = {"": FiscalPeriod.YEAR, **{one.slug: one for one in FiscalPeriod}}.get(code[4:].lower())
        digits = code[:4]
        return (
            cls(int(digits), period)
            if period and len(digits) == 4 and digits.isascii() and digits.isdecimal()
            else None
        )

    def later(self, quarters: int) -> "Place":
        """The quarter so many after the one that this ends with; before it where the number is negative."""
        whole = self.year * len(QUARTERS) + self.period.quarter - 1 + quarters
        year, at = divmod(whole, len(QUARTERS))
        return Place(year, QUARTERS[at], self.calendar)

    @property
    def _order(self) -> tuple[int, int, str]:
        return self.year, self.period.quarter, self.period

    def __lt__(self, other: object) -> bool:
        return self._order < other._order if isinstance(other, Place) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self._order > other._order if isinstance(other, Place) else NotImplemented


class PeriodKind(StrEnum):
    """The kind of period that a fact covers."""

    ANNUAL = "annual"
    INSTANT = "instant"
    QUARTER = "quarter"
    YEAR_TO_DATE = "year_to_date"


def period_kind(start: date, end: date) -> PeriodKind:
    """The kind of a period by its length in days."""
    if start == end:
        return PeriodKind.INSTANT
    if is_year(start, end):
        return PeriodKind.ANNUAL
    return PeriodKind.QUARTER if (end - start).days in QUARTER_DAYS else PeriodKind.YEAR_TO_DATE


def is_year(start: date, end: date) -> bool:
    """Whether a duration is a fiscal year: 350 to 380 days."""
    return (end - start).days in YEAR_DAYS


def period_of_report(durations: Iterable[tuple[date, date]], filed: date) -> date | None:
    """The period end of an accession: its largest annual `end`; None where it has no fiscal year.

    An end after the filing date is a typing error, and one with under a fifth of the modal end's facts is a stray (a
    pro-forma or subsequent-event fact), so neither counts.
    """
    ends = Counter(end for start, end in durations if is_year(start, end) and end <= filed)
    if not ends:
        return None
    enough = max(ends.values()) * 0.2
    return max(end for end, count in ends.items() if count >= enough)


def interim_end(durations: Iterable[tuple[date, date]], filed: date) -> date | None:
    """The period end of a quarterly report: the largest end of the quarters and parts of a year it has figures of."""
    ends = Counter(
        end
        for start, end in durations
        if end <= filed and any((end - start).days in days for days in (QUARTER_DAYS, HALF_DAYS, NINE_MONTHS_DAYS))
    )
    enough = max(ends.values(), default=0) * 0.2
    return max((end for end, count in ends.items() if count >= enough), default=None)


def quarter_of(end: date, year_end: date) -> int | None:
    """Which of the first three quarters of the year ending on `year_end` ends on `end`; None where none does.

    Quarters may be of unequal length: the first of 16 weeks, or the last of 16 or 17.
    """
    passed = 365 - (year_end - end).days
    number = round(passed / 91.25)
    return number if number in (1, 2, 3) and abs(passed - number * 91.25) <= QUARTER_DRIFT else None


def natural_year(period_end: date) -> int:
    """year(end - 10 days): 52/53-week years that end on 1-4 January belong to the year before."""
    return (period_end - timedelta(days=10)).year


def calendar_year(period_end: date) -> int:
    """The calendar year that a fiscal year lies in: that of its midpoint.

    A year of 52 or 53 weeks that ends in the first days of July counts as one to the end of June, or two of a company's
    years would have one midpoint year.
    """
    return (period_end - WEEK_DRIFT - HALF_YEAR).year


def calendar_quarter(period_end: date) -> tuple[int, int]:
    """The calendar quarter that a quarter of a year lies in, that of its midpoint: (year, 1 to 4)."""
    middle = period_end - HALF_QUARTER
    return middle.year, (middle.month + 2) // 3


def label_offset(cik: int, votes: Sequence[tuple[date, int]], override: int | None = None) -> int:
    """How many years the company's own label lies off `natural_year`.

    votes: (period end, DocumentFiscalYearFocus) of primary 10-Ks; the majority of the last eight decides, a tie goes to
    0. An override set in the admin takes precedence, then the table.
    """
    if override is not None:
        return override
    if cik in LABEL_OFFSETS:
        return LABEL_OFFSETS[cik]
    offsets = Counter(year - natural_year(end) for end, year in sorted(votes)[-8:])
    counted = [(count, offset == 0, offset) for offset, count in offsets.items() if abs(offset) <= 1]
    return max(counted)[2] if counted else 0


def fiscal_year(period_end: date, offset: int) -> int:
    """The company's label of the fiscal year that ends on `period_end`."""
    return natural_year(period_end) + offset
