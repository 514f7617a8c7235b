"""Sets the periods of several companies under columns that each mean one stretch of time.

Periods of one name stand in one column where their ends lie within 45 days of each other. Else columns are calendar
years or quarters, each with the period of every company whose midpoint lies in it, unless the question asks for each
company's own names.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from agent.numbers.cells.cells import BuiltCell
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.periods import asked_quarters, asked_years
from agent.numbers.periods.asked_years import Asked, Missing
from agent.numbers.periods.fiscal_calendar import FiscalCalendar
from agent.refusals.codes import Code
from agent.state.query import MOST_YEARS, Alignment, Last, Periods, Query, Span, Years, interim
from agent.state.references import Period, PeriodForm, RelativePeriod
from filings.xbrl.periods import QUARTERS, TRAILING, FiscalPeriod, Place

# Periods whose ends lie this near each other are one stretch of time.
TOGETHER = timedelta(days=45)

Columns = dict[int, tuple[Asked | Missing, ...]]
Newest = Callable[[Iterable[set[Place]]], set[Place]]


@dataclass(frozen=True)
class Aligned:
    """The periods asked of each company, by CIK.

    places: the calendar period that each one stands under, by CIK and the company's own period; empty where columns are
    companies' own periods. by: what columns mean, where own periods of one name end apart.
    """

    columns: Columns
    places: Mapping[tuple[int, Place], Place] = field(default_factory=dict)
    by: Alignment | None = None

    def of(self, one: BuiltCell) -> BuiltCell:
        """A cell under its column."""
        column = self.places.get((one.cell.cik, one.cell.place))
        if column is None:
            return one
        update = {"calendar_year": column.year, "calendar_period": column.period}
        return replace(one, cell=one.cell.model_copy(update=update))


def aligned(
    query: Query, by_company: Mapping[int, CompanyFilings], today: date, allowed: Callable[[int], bool]
) -> Aligned:
    """The periods that a query asks of each company, and the columns they stand under.

    allowed: whether the company of a CIK may be asked about. A period that is not available is replaced by its reason.
    """

    def resolved(periods: Mapping[int, Periods]) -> Columns:
        return {cik: asked_of(query, periods[cik], filings, today, allowed) for cik, filings in by_company.items()}

    as_asked = resolved({cik: query.periods_of(cik) for cik in by_company})
    trailing = _is_trailing(query.periods) or any(
        one.period in TRAILING for asked in as_asked.values() for one in asked
    )
    calendars = _calendars(by_company, by_quarter=trailing)
    if len(calendars) < 2:
        return Aligned(as_asked)
    return _Alignment(query, as_asked, calendars, resolved).aligned()


def _calendars(by_company: Mapping[int, CompanyFilings], by_quarter: bool) -> dict[int, FiscalCalendar]:
    """The calendar of each company whose reports tell it."""
    with_reports = {cik: filings for cik, filings in by_company.items() if filings.filings or filings.interim}
    calendars = {cik: FiscalCalendar(filings, by_quarter=by_quarter) for cik, filings in with_reports.items()}
    return {cik: calendar for cik, calendar in calendars.items() if calendar.known}


@dataclass(frozen=True)
class _Alignment:
    """The decision over several companies. resolved: the periods asked, looked up in each company's reports."""

    query: Query
    as_asked: Columns
    calendars: Mapping[int, FiscalCalendar]
    resolved: Callable[[Mapping[int, Periods]], Columns]

    def aligned(self) -> Aligned:
        """The columns, decided in this order:

        1. Periods up to "the latest" are those up to the newest that any company has, for all companies.
        2. Where ends lie apart and own names are asked for, each company keeps its own.
        3. Where ends lie together and names agree, and no calendar is asked for, a name is a column.
        4. Else columns are the calendar periods that the question's words name.
        5. Where they name none, each company's own periods stand under the calendar periods they lie in.
        """
        align, to_newest = self.query.align, self._up_to_newest()
        own = self._of_known_calendars(to_newest)
        ends_apart = _end_apart(own, self.calendars)
        if ends_apart and align is Alignment.FISCAL:
            return Aligned(self.as_asked, by=Alignment.FISCAL)
        if align is not Alignment.CALENDAR and not ends_apart and not _named_unlike(own):
            return Aligned(to_newest)
        by = Alignment.CALENDAR if ends_apart or align else None
        listed = _calendar_periods(self.query.periods, self.calendars) if by and not self.query.own else []
        if listed:
            return self._under_named_periods(listed, by)
        columns = {(cik, place): self.calendars[cik].column(place) for cik in own for place in _places(to_newest[cik])}
        if None in columns.values():
            return Aligned(to_newest, by=Alignment.FISCAL if ends_apart else None)
        return Aligned(to_newest, {period: column for period, column in columns.items() if column}, by)

    def _of_known_calendars(self, columns: Columns) -> Columns:
        return {cik: columns[cik] for cik in self.calendars}

    def _up_to_newest(self) -> Columns:
        names = [] if self.query.own else _to_newest(self.query.periods, self._of_known_calendars(self.as_asked))
        return self.resolved(dict.fromkeys(self.as_asked, named(names))) if names else self.as_asked

    def _under_named_periods(self, listed: Sequence[Place], by: Alignment | None) -> Aligned:
        """Each company's own period for each calendar period that is listed."""
        own = {cik: [calendar.place(column) for column in listed] for cik, calendar in self.calendars.items()}
        columns = self.resolved({cik: named(own[cik]) if cik in own else self.query.periods for cik in self.as_asked})
        # A company without any report lacks the years of these names.
        without = [column._replace(calendar=False) for column in listed]
        own |= {cik: without for cik in self.as_asked if cik not in own}
        places = {
            (cik, place): column
            for cik, of_company in own.items()
            for place, column in zip(of_company, listed, strict=True)
        }
        return Aligned(columns, places, by)


def asked_of(
    query: Query, periods: Periods, company_filings: CompanyFilings, today: date, allowed: Callable[[int], bool]
) -> tuple[Asked | Missing, ...]:
    """The periods asked of one company. One that is not available is replaced by its reason."""
    company = company_filings.company
    if not company.covered:
        if company.readable:
            return (Missing(Code.COMPANY_NOT_COVERED, detail="Only the text of its documents can be asked about."),)
        return (Missing(Code.FOREIGN_FILER if company.foreign else Code.COMPANY_NOT_COVERED),)
    if not allowed(company.cik):
        return (Missing(Code.SIGN_IN_REQUIRED),)
    if interim(periods):
        found = asked_quarters.asked(periods, company_filings, today)
    else:
        found = asked_years.asked(periods, company_filings.filings, today)
    found = tuple(not_reported_yet(one, company_filings) for one in found) if company_filings.as_of else found
    # A bare year has two readings for a single figure only; comparisons and computations use one year a column.
    alone = len(query.companies) == 1 and not query.operations
    return found if alone or len(found) < 2 or not two_readings(found) else (asked_years.as_named(found),)


def two_readings(found: Sequence[Asked | Missing]) -> bool:
    """Whether these are two readings of one period."""
    return all(isinstance(one, Asked) and one.reading for one in found)


def _places(found: Iterable[Asked | Missing]) -> list[Place]:
    return [Place(one.year_of, one.period) for one in found if one.year_of]


def _end_apart(own: Columns, calendars: Mapping[int, FiscalCalendar]) -> bool:
    """Whether periods of one name, or the single one of each company, end more than 45 days apart."""
    ends: dict[Place | None, list[date]] = {}
    single = all(len(found) == 1 for found in own.values())
    for cik, found in own.items():
        for place in _places(found):
            ends.setdefault(None if single else place, []).append(calendars[cik].end(place))
    return any(max(days) - min(days) > TOGETHER for days in ends.values())


def _named_unlike(own: Columns) -> bool:
    """Whether companies name their single periods differently."""
    return (
        all(len(found) == 1 for found in own.values())
        and len({place for of in own.values() for place in _places(of)}) > 1
    )


# --- the periods of a question as lists of fiscal or calendar ones ---


def named(places: Sequence[Place]) -> Years:
    """These fiscal periods as a question names them."""
    whole = FiscalPeriod.YEAR
    return Years(
        periods=tuple(
            Period(form=PeriodForm.FISCAL, year=one.year, part=None if one.period is whole else one.period)
            for one in places
        )
    )


def _is_trailing(periods: Periods) -> bool:
    """Whether trailing twelve months are asked."""
    match periods:
        case Years(periods=named):
            return any(one.part is RelativePeriod.TRAILING or one.part in TRAILING for one in named)
        case Span(first=first):
            return first.part in TRAILING
    return periods.until is not None and periods.until.part is RelativePeriod.TRAILING


def _to_newest(periods: Periods, own: Columns) -> list[Place]:
    """The periods up to the newest one that any company has, where none is named as the last; else none."""
    if isinstance(periods, Years) or (isinstance(periods, Last) and periods.until and periods.until.year):
        return []
    if isinstance(periods, Span) and periods.last:
        return []
    held = sorted({place for found in own.values() for place in _places(found)})
    if not held or any(len(_places(found)) < len(found) for found in own.values()):
        return []
    if isinstance(periods, Span):
        return held
    return held[-periods.count :]


def _calendar_periods(periods: Periods, calendars: Mapping[int, FiscalCalendar]) -> list[Place]:
    """The calendar periods that a question's periods are read as; none where one of them has no calendar period."""
    found: list[Place | None]
    match periods:
        case Years(periods=named):
            found = [_calendar_period(one, calendars, set.intersection) for one in named]
        case Span(first=first, last=last):
            newest = Period(form=PeriodForm.LATEST, part=RelativePeriod.QUARTER if first.part else None)
            start, end = (_calendar_period(one, calendars, set.union) for one in (first, last or newest))
            found = list(_between(start, end)) if start and end else [None]
        case Last(count=count, until=until, quarters=quarters):
            newest = Period(form=PeriodForm.LATEST, part=RelativePeriod.QUARTER if quarters else None)
            last_one = _calendar_period(until or newest, calendars, set.union)
            found = [_back(last_one, back) for back in range(count - 1, -1, -1)] if last_one else [None]
    listed = [one for one in found if one]
    return sorted(set(listed)) if len(listed) == len(found) else []


def _calendar_period(
    period: Period, calendars: Mapping[int, FiscalCalendar], of: Callable[..., set[Place]]
) -> Place | None:
    """The calendar period of the same name, or the newest one that all companies have, or any; None for another.

    of: how the periods that companies have are put together.
    """
    if period.form is PeriodForm.ENDED or period.month:
        return None
    like = FiscalPeriod.YEAR if period.part is None else period.part
    if period.year and isinstance(like, FiscalPeriod):
        return Place(period.year, like, calendar=True) if like.of_quarter or like.whole else None
    if period.year or period.form not in (PeriodForm.LATEST, PeriodForm.PREVIOUS):
        return None
    match like:
        case FiscalPeriod.YEAR:
            kind = FiscalPeriod.YEAR
        case RelativePeriod.QUARTER:
            kind = FiscalPeriod.Q1
        case RelativePeriod.TRAILING:
            kind = FiscalPeriod.TTM_Q1
        case _:
            return None
    held = [set(one.held(kind)) for one in calendars.values()]
    return max(of(*held), default=None)


def _between(first: Place, last: Place) -> Iterable[Place]:
    """The periods of one kind from the first to the last."""
    for _ in range(MOST_YEARS * len(QUARTERS)):
        if first > last:
            return
        yield first
        first = _back(first, -1)


def _back(place: Place, count: int) -> Place:
    """The period of the same kind so many before."""
    if place.period is FiscalPeriod.YEAR:
        return place._replace(year=place.year - count)
    before = place.later(-count)
    if place.period.of_quarter:
        return before
    return before._replace(period=(*TRAILING, FiscalPeriod.YEAR)[before.period.quarter - 1])


def not_reported_yet(one: Asked | Missing, known: CompanyFilings) -> Asked | Missing:
    """A period as it was known on the day by which all reports were filed."""
    day = known.as_of
    if isinstance(one, Asked) or day is None:
        return replace(one, newer=None) if isinstance(one, Asked) else one
    quarter = 0 if one.period is FiscalPeriod.YEAR else one.period.quarter % 4
    of_period = [
        filing
        for filing in known.not_filed
        if filing.fiscal_year == one.year and (filing.fiscal_quarter or 0) == quarter
    ]
    reports = of_period or ([] if known.filings else known.not_filed)
    if not reports and one.code is not Code.FUTURE_PERIOD:
        return one
    first = min((filing.filed for filing in reports), default=None)
    whose = "It did" if of_period else "Its first report in our data was filed"
    said = {
        "period": Place(one.year, one.period).called if one.year else "anything",
        "day": f"{day:%-d %b %Y}",
        "filed": f"{whose} on {first:%-d %b %Y}." if first else "",
    }
    return replace(one, code=Code.NOT_YET_FILED, words={**one.words, **said})
