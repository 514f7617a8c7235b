"""Resolves the fiscal years that a question names, in the company's own calendar."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from agent.refusals.codes import Code
from agent.refusals.grammar import year_ranges
from agent.state import Period, PeriodForm
from agent.state.query import Last, Periods, Span, Years
from filings.models import FIRST_YEAR, Filing
from filings.xbrl.periods import A_YEAR, FiscalPeriod

TRANSITION = "That year has only a transition report (10-KT), which gives no annual figures."
# People round the end of a 52/53-week year to the end of the month.
END_TOLERANCE = timedelta(days=6)


@dataclass(frozen=True)
class Asked:
    """A fiscal year, or a part of one, that is available.

    filing: the one that closes it. reading: which reading of the words it is, where there are two. named: whether the
    words have another reading, which is not given; the year is then the company's own label.
    """

    filing: Filing
    reading: str = ""
    newer: date | None = None
    named: bool = False
    period: FiscalPeriod = FiscalPeriod.YEAR

    @property
    def year_of(self) -> int | None:
        """The fiscal year."""
        return self.filing.fiscal_year

    def as_read(self, reading: str) -> "Asked":
        return replace(self, reading=reading)


@dataclass(frozen=True)
class Missing:
    """A period without a filing that answers. words: the values for the sentences of its code."""

    code: Code
    year: int | None = None
    detail: str = ""
    words: Mapping[str, Any] = field(default_factory=dict)
    period: FiscalPeriod = FiscalPeriod.YEAR

    @property
    def year_of(self) -> int | None:
        """The fiscal year asked for; None where it is unknown."""
        return self.year


Readings = tuple[Asked | Missing, ...]


def asked(periods: Periods, filings: Sequence[Filing], today: date) -> Readings:
    """The fiscal years asked of one company, oldest first; a single bare year may have two readings.

    filings: those that can answer, newest first. A year that is not available is replaced by its reason.
    """
    return in_order(
        periods,
        lambda one: resolve(one, filings, today),
        lambda first, last: _between(first, last, filings, today),
        lambda count, until: _back_from(count, until, filings, today),
    )


def in_order(
    periods: Periods,
    one: Callable[[Period], Readings],
    between: Callable[[Period, Period | None], Iterable[Asked | Missing]],
    back_from: Callable[[int, Period | None], Iterable[Asked | Missing]],
) -> Readings:
    """The periods asked, each resolved by its form: once each, oldest first; a single one with all its readings."""
    found: Iterable[Asked | Missing]
    match periods:
        case Years(periods=(alone,)):
            return one(alone)
        case Years(periods=several):
            found = [as_named(one(period)) for period in several]
        case Span(first=first, last=last):
            found = between(first, last)
        case Last(count=count, until=until):
            found = back_from(count, until)
    unlike = {(each.year_of or 0, each.period.quarter, each.period): each for each in found}
    return tuple(unlike[place] for place in sorted(unlike, key=lambda place: place[:2]))


def as_named(readings: Sequence[Asked | Missing]) -> Asked | Missing:
    """Of two readings of a bare year, the one by the company's own label."""
    first = readings[0]
    if isinstance(first, Missing) or len(readings) == 1:
        return first
    return replace(first, reading="", named=True)


def _between(first: Period, last: Period | None, filings: Sequence[Filing], today: date) -> Iterator[Asked | Missing]:
    ends = []
    for period in (first, last or Period(form=PeriodForm.LATEST)):
        found = resolve(period, filings, today)[0]
        year = found.year if isinstance(found, Missing) else found.filing.fiscal_year
        if year is None or (isinstance(found, Missing) and found.code is Code.INTERIM_PERIOD):
            yield found
            return
        ends.append(year)
    bare = any(one and one.form is PeriodForm.BARE for one in (first, last))
    form = PeriodForm.BARE if bare else PeriodForm.FISCAL
    for year in range(min(ends), max(ends) + 1):
        yield as_named(resolve(Period(form=form, year=year), filings, today))


def _back_from(count: int, until: Period | None, filings: Sequence[Filing], today: date) -> Iterator[Asked | Missing]:
    newest = resolve(until or Period(form=PeriodForm.LATEST), filings, today)[0]
    if isinstance(newest, Missing):
        yield newest
        return
    year, _ = label(newest.filing)
    for back in range(count - 1, 0, -1):
        yield resolve(Period(form=PeriodForm.FISCAL, year=year - back), filings, today)[0]
    yield newest


def resolve(period: Period, filings: Sequence[Filing], today: date) -> tuple[Asked | Missing, ...]:
    """The fiscal year that a period names, or both that a bare year may name.

    filings: of one company, newest first.
    """
    if not filings:
        return (Missing(Code.COMPANY_NOT_COVERED, period.year),)
    match period.form:
        case PeriodForm.LATEST | PeriodForm.PREVIOUS:
            newest = filings[0]
            unread = Filing.objects.unread(newest.company.cik, label(newest)[1])
            return (Asked(newest, newer=unread.filed if unread else None),)
        case PeriodForm.ENDED:
            return (_ended(period, filings, today),)
        case PeriodForm.CALENDAR if not near_year_end(filings[0].period_end):
            words = {"period": period.text, "years": held_years(filings)}
            return (Missing(Code.INTERIM_PERIOD, period.year, words=words),)
    year = period.year or 0
    found = {filing.fiscal_year: filing for filing in reversed(filings)}
    if year not in found:
        return (missing_year(year, filings, today),)
    first = found[year]
    if period.form is not PeriodForm.BARE or first.period_end is None or first.period_end.month >= 6:
        return (Asked(first),)
    other = found.get(year + 1 if first.period_end.year == year else year - 1)
    if other is None or other.period_end is None:
        return (Asked(first),)
    return (
        Asked(first, f"Fiscal {first.fiscal_year} (ended {first.period_end:%-d %b %Y})"),
        Asked(other, other_reading(year, other.period_end)),
    )


def other_reading(year: int, end: date) -> str:
    """The other fiscal year that a bare year may mean, in words."""
    return f"The fiscal year that ended in {year}" if end.year == year else f"The fiscal year that began in {year}"


def near_year_end(end: date | None) -> bool:
    """Whether a fiscal year ends within ten days of December 31."""
    return end is not None and (end - timedelta(days=10)).year != (end + timedelta(days=11)).year


def _ended(period: Period, filings: Sequence[Filing], today: date) -> Asked | Missing:
    """The filing whose fiscal year ends on the date asked, or whose end rounds to it at the month's end."""
    end = period.end
    if end is None:
        return missing_year(period.year or 0, filings, today)
    for filing in filings:
        if filing.period_end and is_on(filing.period_end, period):
            return Asked(filing)
    oldest, newest = filings[-1].period_end, filings[0].period_end
    if oldest and newest and oldest < end < newest:
        return Missing(Code.INTERIM_PERIOD, end.year, words={"period": period.text, "years": held_years(filings)})
    return missing_year(end.year, filings, today)


def is_on(ended: date, period: Period) -> bool:
    """Whether a date is the day asked, or rounds to it at the month's end.

    "The year ended in February 2023" names no day.
    """
    end = period.end
    if end is None:
        return False
    monthly = not re.search(r"\b\d{1,2}\b", period.text) and (end + timedelta(days=1)).day == 1
    return abs(ended - end) <= END_TOLERANCE or (monthly and (ended.year, ended.month) == (end.year, end.month))


def missing_year(year: int, filings: Sequence[Filing], today: date) -> Missing:
    """Why no filing of a fiscal year answers: too old, not ended yet, or not loaded."""
    words = {"year": str(year), "years": held_years(filings)}
    if year < FIRST_YEAR:
        return Missing(Code.YEAR_BEFORE_2015, year, words=words)
    newest_year, newest_end = label(filings[0])
    expected = newest_end + timedelta(days=A_YEAR * (year - newest_year))
    code = Code.FUTURE_PERIOD if expected > today else Code.YEAR_NOT_INGESTED
    return Missing(code, year, TRANSITION if year in filings[0].company.transition_years else "", words)


def held_years(filings: Sequence[Filing]) -> str:
    """The fiscal years available for a company, in words: fiscal 2015 to 2025."""
    years = year_ranges(sorted(filing.fiscal_year for filing in filings if filing.fiscal_year))
    return f"fiscal {years}" if years else ""


def label(filing: Filing) -> tuple[int, date]:
    """Fiscal year and period end of a primary filing, which always has both."""
    if filing.fiscal_year is None or filing.period_end is None:
        raise ValueError(f"{filing} is no primary filing: it has no fiscal year.")
    return filing.fiscal_year, filing.period_end
