"""The parts of years that a question for figures names, put together with the years and days beside them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress, zip_longest

from agent.query.dates.dates import month_end
from agent.query.dates.year_parts import HALVES, YearPart, quarters_of, quarters_of_span
from agent.query.dates.years import Asked, Stretch
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Sentence
from agent.query.words.word_classes import EXTREMES, connecting
from agent.refusals.codes import Code
from agent.state.query import MOST_YEARS, Last, Query, Span, Years, interim
from agent.state.references import Period, PeriodForm, RelativePeriod
from filings.xbrl.periods import QUARTERS, TO_DATE, TRAILING, FiscalPeriod, Place

# Where quarters are asked of no year.
NEWEST_QUARTERS = 8
_FULL_YEAR = re.compile(r"\b(?:(?:full|whole|entire)[ -]+(?:fiscal[ ]+)?year|annual|yearly)\b", re.IGNORECASE)
_YEAR_ENDED = re.compile(r"\b(?:years?|twelve|12|52|53|fifty)\b", re.IGNORECASE)
_COUNTED = re.compile(r"\bhow many (?:fiscal )?quarters\b", re.IGNORECASE)
_BEFORE = re.compile(r"(?:the )?(?:previous|prior) (?:fiscal )?(?:quarter|qtr)", re.IGNORECASE)
_NUMBER = re.compile(r"(?:the )?(?:first|second|1st|2nd)", re.IGNORECASE)
# Of which an extreme is asked: "its best quarter".
_ANY_QUARTER = re.compile(r"(?:the )?(?:quarter|qtr)", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:through|thru|until|till|up to)(?: the)?$")
_UP_TO = re.compile(r"\b(?:to|through|thru|until|till)(?: the)?$")
# What sets a part of a year and a year side by side, as two periods.
_BESIDE = re.compile(r"\b(?:and|or|vs|versus|against|compared|than|plus|minus|less|over|with|share|percentage)\b| & ")
_BESIDE_PARTS = re.compile(r"\b(?:and|or|vs|versus|against|compared|than|plus|minus|less|over|with)\b|,| & ")
_OF_YEAR = re.compile(r",? ?(?:(?:of|in|for|the) )*")
_AND_YEAR = re.compile(r"(?:,|and|,? and|or|&|vs\.?|versus)(?: (?:in|of|for))?")
_BARE_YEAR = re.compile(r"(?:fy ?)?'?(?:\d\d|\d{4})", re.IGNORECASE)
_LAST_OF_YEAR = re.compile(r"\s*last\b", re.IGNORECASE)
_RANGE = re.compile(r"(?:-+>?|to|through|thru|until|till|up to)")


def with_parts(found: Asked, stretches: Sequence[Stretch], sentence: Sentence, previous: Query | None) -> Asked:
    """The periods of a question for figures, with the parts of years that it names; as they are where it names none.

    previous: the question before. A part without a year is of the years that are named beside it. Raises Refused, with
    its words, for what is no such period.
    """
    stretches, found = _dated(stretches, found, sentence)
    if not (named := [one for one in stretches if one.interim]):
        return _whole_years(found, previous) if not stretches and _FULL_YEAR.search(sentence.question) else found
    named, parts = _named_parts(named, sentence)
    if sum(one.kind in QUARTERS for one in parts) > 1:  # "by quarter: Q1, Q2 and Q3"
        named, parts = map(list, zip(*[both for both in zip(named, parts, strict=True) if both[1].kind], strict=True))
    years = [one for one in found.years if one.form not in {PeriodForm.LATEST, PeriodForm.PREVIOUS, PeriodForm.ENDED}]
    if any(one.ago for one in parts):
        others = [one for one in parts if not one.ago]
        # Against the newest quarter, or the newest twelve months, a year ago is growth (Operations).
        newest = len(others) == 1 and not (years or others[0].year or others[0].end or others[0].count or previous)
        return Asked(_newest_parts(found, others) if newest else _with_year_before(parts, years))
    ends = [one for one in found.years if one.form is PeriodForm.ENDED]
    ends += [Period(form=PeriodForm.ENDED, end=one.month, text=one.text) for one in stretches if one.month]
    ends += [one.alone for one in parts if one.end and one.alone]
    years_ended = [one for one in ends if _YEAR_ENDED.search(one.text) and not one.part]
    if years_ended or _FULL_YEAR.search(sentence.question) or _COUNTED.search(sentence.question):
        raise Refused(Code.INTERIM_PERIOD, named[0].text)
    if any(one.month or one.seasonal for one in parts):
        return _told_by_months(found, stretches, sentence, previous)
    _check_years(stretches, sentence)
    parts = _at_a_quarter(parts, named, sentence)
    if (before := [one for one in parts if _BEFORE.match(one.text)]) and len(parts) > 1:
        return Asked(_with_quarter_before(parts, before[0], years))
    if counted := [one for one in parts if one.count]:
        if found.range or years or ends:
            raise Refused(Code.INTERIM_PERIOD, named[0].text)
        return Asked(range=_newest_quarters(counted, parts, named))
    if previous and not (years or ends or any(one.alone for one in parts)):
        years = _years_before(previous, parts, named)
    parts = [one if one.end or ends else _of_years(one, years, named) for one in parts]
    kinds = {one.kind for one in parts}
    if None in kinds:
        return _every_quarter(found, parts, years, ends, named)
    if found.range or found.count:
        return _in_years(found, parts, named)
    halves = kinds == {*HALVES} and len({one.year for one in parts if one.year}) < 2  # with nothing between them
    if len(parts) == 2 and not halves and _is_range(named, sentence):
        return Asked(range=_from_to(parts, years, ends, named))
    if ends and len(named) == 2 and _UP_TO.search(_between(named, sentence)):
        raise Refused(Code.INTERIM_PERIOD, named[0].text)  # what lies between two days is not told
    if len(named) == 1 and _UNTIL.search(sentence.question[: sentence.tokens[named[0].first].start].lower().rstrip()):
        raise Refused(Code.INTERIM_PERIOD, named[0].text)  # from when on is not told
    if ends:
        return Asked(tuple(_on_days(parts, ends, years, named)))
    return Asked(_distinct(_parts_of_years(parts, years, named)) or _newest_parts(found, parts))


def _named_parts(named: list[Stretch], sentence: Sentence) -> tuple[list[Stretch], list[YearPart]]:
    """The parts of years, each with its words. Raises Refused for what is none, as a week."""
    parts = [one.part for one in named if one.part]
    if strange := [one.text for one in named if not one.part]:
        raise Refused(Code.INTERIM_PERIOD, strange[0])
    parts = [_half(one, following) for one, following in zip_longest(parts, parts[1:])]
    if not (bare := [one for one in named if _ANY_QUARTER.fullmatch(one.text)]):
        return named, parts
    extreme = sentence.meaning("operation", *EXTREMES)
    several = len({cik for part in sentence.parts for cik in part.ciks}) > 1
    if several if extreme else {sentence.word_before(one) for one in bare} & connecting("any quarter"):
        raise Refused(Code.INTERIM_PERIOD, bare[0].text)
    if not extreme:
        return named, parts
    if len(bare) == len(named):
        return named, [replace(one, kind=None) for one in parts]
    told = [one not in bare for one in named]  # "Which quarter was best, Q1 or Q2?"
    return list(compress(named, told)), list(compress(parts, told))


def _half(part: YearPart, following: YearPart | None) -> YearPart:
    """A part that is named by a number alone, as a half where a half follows: "first and second half"."""
    if following is None or following.kind not in HALVES or not _NUMBER.fullmatch(part.text):
        return part
    return replace(part, kind=HALVES[0] if part.kind is FiscalPeriod.Q1 else HALVES[1])


def _newest_quarters(counted: Sequence[YearPart], parts: Sequence[YearPart], named: Sequence[Stretch]) -> Last:
    """So many of the newest quarters; "quarterly revenue of the last 8 quarters" says it twice. Raises Refused."""
    until = [_until(one, named) for one in parts if not one.count and one.kind]
    until = until or [one.alone for one in counted if one.alone]
    if len(until) > 1 or len(counted) > 1 or len({one.kind for one in parts} - {None}) > 2:
        raise Refused(Code.INTERIM_PERIOD, named[0].text)
    return Last(count=counted[0].count, until=until[0] if until else None, quarters=True)


def _years_before(previous: Query, parts: Sequence[YearPart], named: Sequence[Stretch]) -> list[Period]:
    """The years of the question before, which parts without one are of. Raises Refused."""
    if not isinstance(previous.periods, Years):
        return []
    years = [one for one in previous.periods.periods if one.year]
    day_alone = not years and any(one.end for one in previous.periods.periods)
    if day_alone or (years and any(_LAST_OF_YEAR.match(one.text) for one in parts)):
        # Of which year it is, or whether of that one or the newest, is not told.
        raise Refused(Code.INTERIM_PERIOD, named[0].text)
    return years


def _parts_of_years(parts: Sequence[YearPart], years: Sequence[Period], named: Sequence[Stretch]) -> list[Period]:
    """Each part of its own year, or of those that are named beside it. Raises Refused."""
    kinds, of_years = {one.kind for one in parts}, [one for one in parts if one.year]
    if len({one.year for one in of_years}) > 1 and not all(one.year for one in parts):
        raise Refused(Code.INTERIM_PERIOD, named[-1].text)
    if of_years and years and len(kinds) > 1:
        raise Refused(Code.NOT_UNDERSTOOD, named[-1].text)  # whose the year is, is not known
    if of_years and not years and len({one.year for one in of_years}) == 1:
        years = [Period(form=of_years[0].form, year=of_years[0].year)]
    periods = [one.alone for one in of_years if one.alone]
    return periods + [part.of(year) for part in parts if not part.year or len(kinds) == 1 for year in years]


def _newest_parts(found: Asked, parts: Sequence[YearPart]) -> tuple[Period, ...]:
    """The parts of no year that is named: the newest of each."""
    said = found.years[0].form if found.years else PeriodForm.LATEST
    return _distinct([Period(form=said, part=one.kind, text=one.text) for one in parts])


def _told_by_months(found: Asked, stretches: Sequence[Stretch], sentence: Sentence, previous: Query | None) -> Asked:
    """Parts beside which months or a season say which they are: "4th quarter 2024 (Mar-May)". The part must end then."""
    months = [one for one in stretches if one.part and one.part.month]
    seasons = [one for one in stretches if one.part and one.part.seasonal]
    others = [one for one in stretches if one not in (*months, *seasons)]
    named = [one for one in others if one.part]
    years = [one for one in found.years if one.year and one.form in {PeriodForm.BARE, PeriodForm.CALENDAR}]
    if months and not (named or seasons) and len(months) == len(years) == 1 and (part := months[0].part):
        end = month_end(years[0].year or 0, part.month)
        return Asked((Period(form=PeriodForm.ENDED, end=end, part=part.kind, text=f"{end:%B %Y}"),))
    dated = any(one.month or (one.part and one.part.end) for one in others)
    if len(months) + len(seasons) > 1 or not (named or (seasons and dated)):
        raise Refused(Code.INTERIM_PERIOD, (months or seasons)[0].text)
    told = with_parts(found, others if named else _without_season(stretches), sentence, previous)
    if not months or not (part := months[0].part):
        return told
    if told.range or len(told.years) != 1:
        raise Refused(Code.INTERIM_PERIOD, months[0].text)
    return Asked((told.years[0].model_copy(update={"month": part.month}),))


def _without_season(stretches: Sequence[Stretch]) -> list[Stretch]:
    """The stretches, a season's quarter as any other."""
    return [
        replace(one, part=replace(one.part, text="quarter")) if one.part and one.part.seasonal else one
        for one in stretches
    ]


def _with_quarter_before(parts: Sequence[YearPart], before: YearPart, years: Sequence[Period]) -> tuple[Period, ...]:
    """A quarter and the one before it: "Q2 2024 vs the previous quarter". Raises Refused."""
    others = [one for one in parts if one is not before]
    named = [one.alone or one.of(year) for one in others for year in years[:1] or [Period(form=PeriodForm.BARE)]]
    part, year = named[0].part, named[0].year
    if len(named) > 1 or len(years) > 1 or not isinstance(part, FiscalPeriod) or part not in QUARTERS or not year:
        raise Refused(Code.INTERIM_PERIOD, before.text)
    year, part, _ = Place(year, part).later(-1)
    return named[0], named[0].model_copy(update={"part": part, "year": year, "text": before.text})


def _with_year_before(parts: Sequence[YearPart], years: Sequence[Period]) -> tuple[Period, ...]:
    """A part of a year, or a year, and the same of the year before: "Q2 2024 vs the year-ago quarter". Raises Refused."""
    (ago, *more), others = [one for one in parts if one.ago], [one for one in parts if not one.ago]
    dated = [year for year in years if year.year]
    named = [one.alone or one.of(year) for one in others for year in dated or [Period(form=PeriodForm.BARE)]] or dated
    if more or len(named) != 1 or not named[0].year or not isinstance(named[0].part, FiscalPeriod | None):
        raise Refused(Code.INTERIM_PERIOD, ago.text)
    return named[0], named[0].model_copy(update={"year": named[0].year - 1, "text": ago.text})


def _whole_years(found: Asked, previous: Query | None) -> Asked:
    """The whole years of the parts that the question before asked: "and the full year?". Raises Refused."""
    if not previous or not interim(previous.periods):
        return found
    named = previous.periods.periods if isinstance(previous.periods, Years) else ()
    if not named or not all(one.year for one in named):
        raise Refused(Code.INTERIM_PERIOD)
    return Asked(tuple({one.year: Period(form=one.form, year=one.year, text=str(one.year)) for one in named}.values()))


def _between(named: Sequence[Stretch], sentence: Sentence) -> str:
    """The words between two stretches."""
    first, second = sorted(named, key=lambda one: one.first)
    return sentence.gap(first, second).strip().lower()


def _dated(stretches: Sequence[Stretch], found: Asked, sentence: Sentence) -> tuple[Sequence[Stretch], Asked]:
    """The stretches, a year that directly follows a part of one put to it: "third quarter" and "2024"."""
    ordered = sorted(stretches, key=lambda one: one.first)
    taken: list[Period] = []
    for at in range(len(ordered) - 1):
        one, following = ordered[at], ordered[at + 1]
        between = _between((one, following), sentence)
        behind = one.part is not None and _OF_YEAR.fullmatch(f"{between} ") is not None
        named, beside = (one, following) if behind else (following, one)
        part, year = named.part, beside.period
        if not (part and year and year.year and (behind or not between)) or part.count or part.alone:
            continue
        if isinstance(part.kind, FiscalPeriod):
            first, last = (at, at + 1) if behind else (at + 1, at)
            dated = replace(part, year=year.year, form=year.form)
            text = f"{one.text} {following.text}"
            ordered[first] = replace(named, part=dated, first=one.first, last=following.last, text=text)
            ordered[last] = replace(beside, periods=None)
            taken.append(year)
    rest = tuple(one for one in found.years if one not in taken)
    return [one for one in ordered if not one.blank], replace(found, years=rest)


def _is_range(named: Sequence[Stretch], sentence: Sentence) -> bool:
    between = _between(named, sentence)
    first = min(named, key=lambda one: one.first)
    before = sentence.question[: sentence.tokens[first.first].start].lower().split()
    return _RANGE.fullmatch(between) is not None or (between == "and" and before[-1:] == ["between"])


def _from_to(
    parts: Sequence[YearPart], years: Sequence[Period], ends: Sequence[Period], named: Sequence[Stretch]
) -> Span:
    """The quarters from one to another; one without a year is of the other's, or of the one that is named beside them."""
    told: set[tuple[int | None, PeriodForm]] = {(one.year, one.form) for one in parts if one.year}
    told = told or {(one.year, one.form) for one in years}
    quarters = all(isinstance(one.kind, FiscalPeriod) and one.kind.of_quarter for one in parts)
    dated = all(one.alone for one in parts)
    if not quarters or ends or (not dated and len(told) != 1) or (years and any(one.year for one in parts)):
        raise Refused(Code.INTERIM_PERIOD, named[0].text)
    year, form = next(iter(told))
    first, last = (one.alone or Period(form=form, year=year, part=one.kind, text=one.text) for one in parts)
    places = [Place(one.year or 0, one.part) for one in (first, last) if isinstance(one.part, FiscalPeriod)]
    if places != sorted(places):
        raise Refused(Code.INTERIM_PERIOD, named[0].text)
    return Span(first=first, last=last)


def _check_years(stretches: Sequence[Stretch], sentence: Sentence) -> None:
    """Raises Refused where a year is named beside a part of another, and not as the year of the part: "Q3 2024 and
    fiscal 2023" are a quarter and a year, of which no table is made yet. "Q3 2023 and 2024" are two quarters.
    """
    named = [one for one in stretches if one.interim and one.part and not one.part.count]
    years = [(one, one.period.form) for one in stretches if one.period and not one.interim] if named else []
    for year, form in years:
        if form is PeriodForm.ENDED:
            continue
        if form is PeriodForm.PREVIOUS and sentence.word_before(year) in connecting("comparing"):
            continue  # the growth of the part is asked (Operations)
        for one in named:
            if one.part and form is PeriodForm.PREVIOUS and not isinstance(one.part.kind, FiscalPeriod):
                raise Refused(Code.INTERIM_PERIOD, one.text)  # the quarter, or the year to date, of a year before
        nearest = min(named, key=lambda one: max(one.first - year.last, year.first - one.last))
        between = _between((nearest, year), sentence)
        told = nearest.part and nearest.part.alone
        if told and not (year.first > nearest.first and _same_part(nearest, year, named, stretches, sentence)):
            raise Refused(Code.INTERIM_PERIOD, nearest.text)
        first, last = min(nearest.last, year.last), max(nearest.first, year.first)
        if any(first <= one.first < last for one in stretches):
            continue  # in a list of years, of which the first is named as the part's
        if not told and _BESIDE.search(between):
            raise Refused(Code.INTERIM_PERIOD, nearest.text)


def _same_part(
    nearest: Stretch, year: Stretch, named: Sequence[Stretch], stretches: Sequence[Stretch], sentence: Sentence
) -> bool:
    """Whether a year that follows a part of another is that part's too: it is nothing but a number, in a list."""
    if not (nearest.part and nearest.part.year and _BARE_YEAR.fullmatch(year.text.strip())):
        return False
    if not year.period or year.period.form is not nearest.part.form or len(named) > 1:
        return False
    before = max((one for one in stretches if one.last <= year.first), key=lambda one: one.last)
    listed = _AND_YEAR.fullmatch(_between((before, year), sentence)) is not None
    return listed and year.period.year != nearest.part.year


def _until(part: YearPart, named: Sequence[Stretch]) -> Period:
    """What so many quarters run to; of twelve months that are named without an end, the newest."""
    if part.alone:
        return part.alone
    if part.kind is RelativePeriod.TRAILING:
        return Period(form=PeriodForm.LATEST, part=RelativePeriod.TRAILING, text=part.text)
    raise Refused(Code.INTERIM_PERIOD, named[0].text)


def _at_a_quarter(parts: Sequence[YearPart], named: Sequence[Stretch], sentence: Sentence) -> list[YearPart]:
    """Twelve months, or the year to date, to the end of a quarter that is named beside them: as one part.

    Raises Refused where they are named beside quarters as periods of their own.
    """
    ending = {RelativePeriod.TRAILING: TRAILING, RelativePeriod.TO_DATE: TO_DATE}
    running = [one for one in parts if one.kind in ending]
    quarters = [one for one in parts if isinstance(one.kind, FiscalPeriod) and one.kind.of_quarter]
    if not running or not quarters:
        return list(parts)
    if len(running) > 1 or len(quarters) > 1 or len(parts) > 2 or _BESIDE_PARTS.search(_between(named, sentence)):
        raise Refused(Code.INTERIM_PERIOD, named[0].text)
    (whole,), (at,) = running, quarters
    number = at.kind.quarter if isinstance(at.kind, FiscalPeriod) else 0
    kind = FiscalPeriod.YEAR if number == len(QUARTERS) else ending[whole.kind][number - 1]  # type: ignore[index]
    return [replace(at, kind=kind, year=at.year or whole.year, end=at.end or whole.end)]


def _of_years(part: YearPart, years: Sequence[Period], named: Sequence[Stretch]) -> YearPart:
    """A quarter that only its year tells: the last one. Any other of them is not known."""
    if part.kind is not RelativePeriod.QUARTER or not (years or part.year):
        return part
    if not _LAST_OF_YEAR.match(part.text):
        raise Refused(Code.INTERIM_PERIOD, named[0].text)
    return replace(part, kind=FiscalPeriod.Q4)


def _every_quarter(
    found: Asked, parts: Sequence[YearPart], years: Sequence[Period], ends: Sequence[Period], named: Sequence[Stretch]
) -> Asked:
    """Every quarter of the years asked; of the newest two years where none is."""
    years = [*years, *(Period(form=one.form, year=one.year) for one in parts if one.year)]
    if ends or any(one.kind for one in parts):
        raise Refused(Code.INTERIM_PERIOD, named[0].text)
    match found.range:
        case Span() as span:
            return Asked(range=quarters_of_span(span))
        case Last(count=count, until=None):
            return Asked(range=Last(count=min(count * len(QUARTERS), MOST_YEARS), quarters=True))
        case Last():
            raise Refused(Code.INTERIM_PERIOD, named[0].text)
    return Asked(quarters_of(years)) if years else Asked(range=Last(count=NEWEST_QUARTERS, quarters=True))


def _in_years(found: Asked, parts: Sequence[YearPart], named: Sequence[Stretch]) -> Asked:
    """The same part of several years: "Q3 revenue from 2020 to 2024"."""
    span = found.range
    if not (isinstance(span, Span) and span.last and span.first.year and span.last.year) or any(
        one.alone for one in parts
    ):
        raise Refused(Code.INTERIM_PERIOD, named[0].text)
    years = range(span.first.year, span.last.year + 1)
    named_years = [Period(form=span.first.form, year=year, text=str(year)) for year in years]
    return Asked(tuple(part.of(year) for year in named_years for part in parts))


def _on_days(
    parts: Sequence[YearPart], ends: Sequence[Period], years: Sequence[Period], named: Sequence[Stretch]
) -> Iterator[Period]:
    """Parts by the day they end on; a quarter that is named beside its last day is both."""
    kinds = {one.kind for one in parts if isinstance(one.kind, FiscalPeriod)}
    told = {one.year for one in parts if one.year} | {one.year for one in years if one.year}
    if len(kinds) > 1 or len(told) > 1 or (kinds and len(ends) > 1):
        raise Refused(Code.NOT_UNDERSTOOD, named[-1].text)
    kind = next(iter(kinds)) if kinds else parts[0].kind
    year = next(iter(told), None) if kinds else None
    for end in ends:
        yield Period(form=PeriodForm.ENDED, end=end.end, year=year, part=kind, text=end.text)


def _distinct(periods: Sequence[Period]) -> tuple[Period, ...]:
    return tuple({(one.form if not one.year else "", one.year, one.part): one for one in periods}.values())
