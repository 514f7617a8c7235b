"""The periods of a table, changed: by quarter or year, longer, shorter, or without one of them."""

from collections.abc import Sequence
from datetime import date

from agent.query.dates.year_parts import quarters_of, quarters_of_span
from agent.query.dates.years import is_number, number_of
from agent.query.periods.interim_periods import NEWEST_QUARTERS
from agent.query.words.word_classes import changing, connecting
from agent.state.query import MOST_YEARS, Last, Periods, Span, Years, interim
from agent.state.references import Period, PeriodForm
from filings.xbrl.periods import QUARTERS

# Years whose quarters one table has.
_MOST_BY_QUARTER = MOST_YEARS // len(QUARTERS)


def by_quarter(periods: Periods) -> Periods:
    """Every quarter of the years shown; the newest eight where the years are not known, or too many."""
    newest = Last(count=NEWEST_QUARTERS, quarters=True)
    if interim(periods):
        return periods if not isinstance(periods, Years) else _quarters_of(_distinct_years(periods)) or newest
    match periods:
        case Last(count=count, until=None) if 1 < count <= _MOST_BY_QUARTER:
            return Last(count=count * len(QUARTERS), quarters=True)
        case Span(first=first, last=last) if first.year and (last is None or last.year):
            short = last is None or (last.year or 0) - first.year < _MOST_BY_QUARTER
            return quarters_of_span(periods) if short else newest
        case Years(periods=named) if all(one.year for one in named):
            return _quarters_of(named) or newest
    return newest


def _quarters_of(years: Sequence[Period]) -> Years | None:
    """Every quarter of some years; None of too many, or of none that is known."""
    if not 0 < len(years) <= _MOST_BY_QUARTER or not all(one.year for one in years):
        return None
    return Years(periods=quarters_of(years))


def are_quarters(periods: Periods) -> bool:
    """Whether the columns are quarters one after another, and not one quarter of a year or of several."""
    match periods:
        case Last(quarters=quarters):
            return quarters
        case Span(first=first):
            return first.part is not None
    return len({one.part for one in periods.periods if one.part in QUARTERS}) > 1


def by_year(periods: Periods) -> Periods:
    """The whole years of what is shown; the newest ones of the newest quarters."""
    match periods:
        case Last(count=count, until=until, quarters=True):
            years = max(-(-count // len(QUARTERS)), 2)
            return Last(count=years, until=_whole(until) if until and until.year else None)
        case Span(first=first, last=last):
            return Span(first=_whole(first), last=_whole(last) if last else None)
        case Years() if interim(periods):
            return Years(periods=tuple(_distinct_years(periods)) or (Period(form=PeriodForm.LATEST),))
    return periods


def _whole(period: Period) -> Period:
    text = str(period.year) if period.part is not None else period.text
    return period.model_copy(update={"part": None, "month": 0, "text": text})


def _distinct_years(periods: Years) -> list[Period]:
    """The years that parts are of, each once."""
    return [_whole(one) for one in {one.year: one for one in periods.periods if one.year}.values()]


def years_more(words: Sequence[str]) -> int:
    """How many more years or quarters are asked: "two more years", "another year", "3 years earlier"; 0 for none."""
    more = {key[0] for key in changing("more")}
    units = [word for word in words if word in connecting("units of time")]
    rest = [word for word in words if word not in units and word not in connecting("going back")]
    counts = [word for word in rest if word not in more]
    counted = all(word == "one" or (is_number(word) and word.isalnum()) for word in counts)
    if len(units) != 1 or len(rest) == len(counts) or len(counts) > 1 or not counted:
        return 0
    if not counts:
        return 1 if units[0] in {"year", "yr", "quarter", "qtr"} and "another" in rest else 0
    return 1 if counts == ["one"] else int(number_of(counts[0]))


def extended(periods: Periods, more: int) -> Periods | None:
    """So many more years or quarters before those shown; None where none is known to be before them, or too many are."""
    match periods:
        case Last(count=count):
            return periods.model_copy(update={"count": count + more}) if count + more <= MOST_YEARS else None
        case Span(first=first, last=last) if first.year and first.part is None:
            longest = (last.year or 0) - first.year + more if last else more
            return Span(first=_year(first, first.year - more), last=last) if longest < MOST_YEARS else None
        case Years(periods=named) if len(named) == 1 and named[0].form is PeriodForm.LATEST and not named[0].part:
            return Last(count=1 + more)
        case Years(periods=named) if all(one.year and one.part is None for one in named):
            years = sorted(one.year or 0 for one in named)
            whole = years == list(range(years[0], years[-1] + 1)) and years[-1] - years[0] + more < MOST_YEARS
            first, last = _year(named[0], years[0] - more), _year(named[0], years[-1])
            return Span(first=first, last=last) if whole else None
    return None


def _year(like: Period, year: int) -> Period:
    return like.model_copy(update={"year": year, "text": str(year)})


def _edges(periods: Periods) -> tuple[Period | None, Period | None]:
    """The first and the last year shown, where they are known; without a last, it is the newest."""
    match periods:
        case Span(first=first, last=last):
            return first, last
        case Last(count=count, until=until):
            return (_year(until, until.year + 1 - count) if until and until.year else None), until
        case Years(periods=named) if all(one.year for one in named):
            ordered = sorted(named, key=lambda one: one.year or 0)
            return ordered[0], ordered[-1]
    return None, None


def until(shown: Periods, asked: Periods) -> Periods | None:
    """The years shown, up to a year asked; None where it is before them, or their beginning is not known."""
    end = _alone(asked)
    if end is None or interim(shown):
        return None
    first, _ = _edges(shown)
    if first is None and isinstance(shown, Last):
        return Last(count=shown.count, until=end)
    if first is None or not first.year or not end.year or end.year < first.year:
        return None
    return Span(first=first, last=end) if end.year > first.year else Years(periods=(end,))


def beginning(shown: Periods, asked: Periods) -> Periods | None:
    """The years shown, from a year asked; None where it is behind them."""
    start = _alone(asked)
    if start is None or interim(shown):
        return None
    _, last = _edges(shown)
    if last is None or last.form is PeriodForm.LATEST:
        return Span(first=start)
    if not last.year or not start.year or start.year > last.year:
        return None
    return Span(first=start, last=last) if start.year < last.year else Years(periods=(start,))


def extended_to(shown: Periods, asked: Periods) -> Periods | None:
    """The years shown, as far as a year asked that is behind or before them."""
    return until(shown, asked) or beginning(shown, asked)


def is_year(periods: Periods) -> bool:
    """Whether one whole year is named."""
    return _alone(periods) is not None


def _alone(periods: Periods) -> Period | None:
    """The one whole year that is asked."""
    named = periods.periods if isinstance(periods, Years) else ()
    return named[0] if len(named) == 1 and named[0].year and named[0].part is None else None


def joined(shown: Periods, asked: Periods) -> Periods | None:
    """The years shown and those asked; None where they cannot be listed one by one.

    To the newest years are added all from the one asked on.
    """
    one, other = _listed(shown), _listed(asked)
    if isinstance(shown, Last) and not shown.quarters and shown.until is None and len(other) == 1:
        return Span(first=other[0]) if other[0].part is None else None
    if isinstance(shown, Years) and [period.form for period in shown.periods] == [PeriodForm.LATEST] and other:
        return Years(periods=(*other, *shown.periods))
    if not one or not other:
        return None
    years = {(period.year, period.part): period for period in (*other, *one)}
    ordered = sorted(years.values(), key=lambda period: (period.year or 0, period.part or ""))
    return Years(periods=tuple(ordered)) if len(ordered) <= MOST_YEARS else None


def without(shown: Periods, asked: Periods, today: date) -> Periods | None:
    """The years shown without those asked; None where one of these is not among them, or none is left.

    Years that are shown to the newest are those before this one, and the newest.
    """
    newest: tuple[Period, ...] = ()
    if isinstance(shown, Span) and shown.last is None:
        shown = shown.model_copy(update={"last": Period(form=shown.first.form, year=today.year - 1)})
        newest = (Period(form=PeriodForm.LATEST),)
    one, other = _listed(shown), {(period.year, period.part) for period in _listed(asked)}
    left = tuple(period for period in one if (period.year, period.part) not in other)
    return Years(periods=(*left, *newest)) if left and len(left) + len(other) == len(one) else None


def _listed(periods: Periods) -> list[Period]:
    """The years one by one; empty where they are not known."""
    match periods:
        case Years(periods=named):
            return list(named) if all(one.year for one in named) else []
        case Span(first=first, last=last) if first.year and last and last.year and not (first.part or last.part):
            return [_year(first, year) for year in range(first.year, last.year + 1)]
        case Last(count=count, until=until) if until and until.year and not until.part:
            return [_year(until, year) for year in range(until.year + 1 - count, until.year + 1)]
    return []
