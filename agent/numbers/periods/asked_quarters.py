"""Resolves the quarters and other parts of a year that a question names, in the company's own calendar."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.periods.asked_years import (
    Asked,
    Missing,
    as_named,
    held_years,
    in_order,
    is_on,
    label,
    near_year_end,
    other_reading,
    resolve,
)
from agent.numbers.periods.interim import period_filings
from agent.refusals.codes import Code
from agent.refusals.grammar import capitalized, lower_first
from agent.state.query import Periods
from agent.state.references import Period, PeriodForm, RelativePeriod
from filings.xbrl.periods import A_YEAR, QUARTERS, TO_DATE, TRAILING, FiscalPeriod, Place

# The last day of each fiscal quarter, by fiscal year and quarter.
Closings = dict[tuple[int, int], date]


def asked(periods: Periods, years: CompanyFilings, today: date) -> tuple[Asked | Missing, ...]:
    """The periods asked of one company, oldest first; a single period of a bare year may have two readings.

    years: the company's filings for whole years. A period that cannot be answered is replaced by its reason.
    """
    return in_order(
        periods,
        lambda one: _resolved(one, years, today),
        lambda first, last: _between(first, last, years, today),
        lambda count, until: _back_from(count, until, years, today),
    )


def closings(years: CompanyFilings) -> Closings:
    """The ends of the quarters whose reports are loaded."""
    of_years = {(year, 4): filing.period_end for year, filing in years.by_year.items() if filing.period_end}
    return _of_quarterly_reports(years) | of_years


def _of_quarterly_reports(years: CompanyFilings) -> Closings:
    return {
        (filing.fiscal_year, filing.fiscal_quarter): filing.period_end
        for filing in years.interim
        if filing.fiscal_year and filing.fiscal_quarter and filing.period_end
    }


def _resolved(period: Period, years: CompanyFilings, today: date) -> tuple[Asked | Missing, ...]:
    found = _found(period, years, today)
    if not period.month:
        return found
    return tuple(one if _ends_in(one, period.month) else _missing(period, years, one.year_of) for one in found)


def _ends_in(one: Asked | Missing, month: int) -> bool:
    """Whether a period ends in a month, or in the first days after it, as years of 52 and 53 weeks do."""
    end = one.filing.period_end if isinstance(one, Asked) else None
    return end is None or month in (end.month, (end - timedelta(days=10)).month)


def _found(period: Period, years: CompanyFilings, today: date) -> tuple[Asked | Missing, ...]:
    if period.part is None:
        return resolve(period, years.filings, today)
    ends = closings(years)
    if not ends:
        return (Missing(Code.COMPANY_NOT_COVERED, period.year),)
    missing = partial(_missing, period, years)
    match period.form:
        case PeriodForm.PREVIOUS if isinstance(period.part, FiscalPeriod):
            year = years.filings[0].fiscal_year or 0  # "Q3 last year"
            return (_held(years, year, period.part) or missing(year, period.part),)
        case PeriodForm.LATEST | PeriodForm.PREVIOUS if not years.interim:
            return (missing(None),)  # the newest quarter is unknown
        case PeriodForm.LATEST | PeriodForm.PREVIOUS:
            return (_newest(period.part, years, ends) or missing(None),)
        case PeriodForm.ENDED:
            at = next((place for place, end in ends.items() if period.end and is_on(end, period)), None)
            part = _ending(period.part, at[1]) if at else None
            if at is None or part is None or part.quarter != at[1] or (period.year or at[0]) != at[0]:
                return (missing(None) if at else _closing(period, years, today),)
            return (_held(years, at[0], part) or missing(at[0], part),)
        case PeriodForm.CALENDAR if not near_year_end(years.filings[0].period_end):
            return (missing(period.year),)
    year = period.year or 0
    last_held = max((quarter for of, quarter in ends if of == year), default=0)
    part = _of_a_year(period.part, last_held)
    first = (_held(years, year, part) if part else None) or missing(year, part)
    end = ends.get((year, 4)) or _year_end(year, ends)
    if period.form is not PeriodForm.BARE or part is None or end is None or end.month >= 6:
        return (first,)
    later = year + 1 if end.year == year else year - 1
    other = _held(years, later, part)
    if other is None or isinstance(first, Missing):
        return (first,)
    other_end = ends.get((later, 4)) or _year_end(later, ends) or end
    own = f"{capitalized(Place(year, part).called)} (ended {label(first.filing)[1]:%-d %b %Y})"
    return first.as_read(own), other.as_read(f"{part} of {lower_first(other_reading(year, other_end))}")


def _closing(period: Period, years: CompanyFilings, today: date) -> Asked | Missing:
    """A part of the year that ends on the day asked, where no report of that year is held: never the year itself.

    Figures of a year that only a later report has are those of the whole of it.
    """
    found = resolve(period, years.filings, today)[0]
    part = _ending(period.part, len(QUARTERS)) if period.part else None
    if part is None or part is FiscalPeriod.YEAR:
        return found
    year = found.year_of
    if isinstance(found, Missing):
        return _missing(period, years, year, part) if found.code is Code.YEAR_NOT_INGESTED else found
    return (_held(years, year, part) if year else None) or _missing(period, years, year, part)


def _year_end(year: int, ends: Closings) -> date | None:
    """When a fiscal year ends, estimated from the nearest year that is loaded."""
    held = [(of, end) for (of, quarter), end in ends.items() if quarter == 4]
    near = min(held, key=lambda one: abs(one[0] - year), default=None)
    return near[1] + timedelta(days=A_YEAR * (year - near[0])) if near else None


def _ending(part: FiscalPeriod | RelativePeriod, quarter: int) -> FiscalPeriod | None:
    """The period of this kind that ends with a fiscal quarter; None where there is none."""
    if not quarter:
        return part if isinstance(part, FiscalPeriod) else None
    last = quarter == len(QUARTERS)
    match part:
        case FiscalPeriod():
            return part
        case RelativePeriod.QUARTER:
            return QUARTERS[quarter - 1]
        case RelativePeriod.TEN_Q:
            return None if last else QUARTERS[quarter - 1]
        case RelativePeriod.DAY:
            return FiscalPeriod.YEAR if last else QUARTERS[quarter - 1]
        case RelativePeriod.TO_DATE:
            return FiscalPeriod.YEAR if last else TO_DATE[quarter - 1]
        case RelativePeriod.TRAILING:
            return FiscalPeriod.YEAR if last else TRAILING[quarter - 1]
        case RelativePeriod.HALF:
            return {2: FiscalPeriod.H1, 4: FiscalPeriod.H2}.get(quarter)
    return FiscalPeriod.NINE_MONTHS if quarter == 3 else None


def _of_a_year(part: FiscalPeriod | RelativePeriod, last_held: int) -> FiscalPeriod | None:
    """The period of a named year: "nine months 2024" are the first nine, whatever has been filed since."""
    match part:
        case RelativePeriod.NINE_MONTHS:
            return FiscalPeriod.NINE_MONTHS
        case RelativePeriod.HALF:
            return FiscalPeriod.H1
        case RelativePeriod.TEN_Q if last_held == len(QUARTERS):
            return FiscalPeriod.Q3
    return _ending(part, last_held)


def _newest(part: FiscalPeriod | RelativePeriod, years: CompanyFilings, ends: Closings) -> Asked | None:
    """The newest available period of this kind."""
    for year, quarter in sorted(ends, key=lambda one: ends[one], reverse=True):
        found = _ending(part, quarter)
        if found and found.quarter == quarter and (held := _held(years, year, found)):
            return held
    return None


def _held(years: CompanyFilings, year: int, part: FiscalPeriod) -> Asked | None:
    filing = period_filings(years, part).by_year.get(year)
    return Asked(filing, period=part) if filing else None


def _missing(period: Period, years: CompanyFilings, year: int | None, part: FiscalPeriod | None = None) -> Missing:
    said = Place(year, part).called if part and year else period.text or "that part of the year"
    available = "; ".join(filter(None, (held_years(years.filings), _latest(years))))
    words = {"period": said, "years": available or "no period", "year": str(year)}
    return Missing(Code.INTERIM_PERIOD, year, words=words, period=part or FiscalPeriod.YEAR)


def _latest(years: CompanyFilings) -> str:
    """The newest quarter with a 10-Q, in words; empty without 10-Qs."""
    ends = _of_quarterly_reports(years)
    if not ends:
        return ""
    year, quarter = max(ends, key=lambda place: ends[place])
    return f"latest quarter: {Place(year, QUARTERS[quarter - 1]).called}"


def _between(first: Period, last: Period | None, years: CompanyFilings, today: date) -> Iterator[Asked | Missing]:
    """Every quarter from the first to the last."""
    from_, to = (as_named(_resolved(one, years, today)) for one in (first, last or _NEWEST))
    if isinstance(from_, Missing) and from_.year_of is None:
        yield from_
        return
    if isinstance(to, Missing) and to.year_of is None:
        yield to
        return
    place, end = (Place(one.year_of or 0, one.period).later(0) for one in (from_, to))
    while not place > end:
        yield as_named(_resolved(_quarter(place), years, today))
        place = place.later(1)


def _back_from(count: int, until: Period | None, years: CompanyFilings, today: date) -> Iterator[Asked | Missing]:
    """The last so many quarters, or twelve-month periods a quarter apart, up to the newest or a named one."""
    newest = as_named(_resolved(until or _NEWEST, years, today))
    if isinstance(newest, Missing):
        yield newest
        return
    trailing = until is not None and until.part is RelativePeriod.TRAILING
    for back in range(count - 1, 0, -1):
        place = Place(newest.year_of or 0, newest.period).later(-back)
        yield as_named(_resolved(_trailing(place) if trailing else _quarter(place), years, today))
    yield newest


_NEWEST = Period(form=PeriodForm.LATEST, part=RelativePeriod.QUARTER)


def _quarter(place: Place) -> Period:
    return Period(form=PeriodForm.FISCAL, year=place.year, part=place.period)


def _trailing(place: Place) -> Period:
    part = None if place.period is FiscalPeriod.Q4 else TRAILING[place.period.quarter - 1]
    return Period(form=PeriodForm.FISCAL, year=place.year, part=part)
