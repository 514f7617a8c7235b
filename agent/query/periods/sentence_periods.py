"""Periods that are known by where they stand in a sentence: short years, days of balances, and days reports were filed by.

Short years have two digits without an apostrophe: "AMD revenue 24", "22 vs 23", "21-24".

The day by which reports must have been filed is named so: "GE revenue 2021 as of 2022-12-31", "as known on 1 June 2023".
Beside another period, "as of" and a day may also be the day that a balance is of. Which of the two it is depends on when
the company's years end, which no word tells (`agent.steps.plan.settled`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from agent.query.dates.dates import can_name, full_year
from agent.query.dates.years import Asked, Stretch
from agent.query.words.lexicon import Match
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Part, Sentence
from agent.query.words.word_classes import GROWING, Meaning, connecting
from agent.refusals.codes import Code
from agent.state.query import Last, Periods, Span, Years, interim
from agent.state.references import Period, PeriodForm, RelativePeriod

# Other numbers are older than any figure that is asked for so.
_OLDEST = 12
_MEASURING = frozenset({*GROWING, "cagr"})
_TWELVE_MONTHS = re.compile(r"(?:the )?(?:twelve|12)[ -]+months?")
AS_OF = "as_of"
_KNOWN = re.compile(r"(?:as )?(?:was |were )?(?:known|filed|published|reported)\b")
_AS_OF = re.compile(r"as (?:of|at)\b")
_RELATIVE = {PeriodForm.LATEST, PeriodForm.PREVIOUS}


def short_years(sentence: Sentence, today: date, *, led: bool) -> list[Stretch]:
    """The years that numbers name right behind a measure or a company, where no other period is named.

    led: whether a question before says of what, so that they may stand alone: "and 23?".
    """
    parts = sentence.parts
    if any(part.stretch for part in parts):
        return []
    found: list[Stretch] = []
    for run in _runs(sentence, today):
        first, last = parts[run[0]], parts[run[-1]]
        before = [part for part in parts[: run[0]] if not part.only_says("before a year")]
        alone = led and all(part.has("frame") or part is first for part in parts if not part.number)
        if not (alone or (before and _leads(before[-1]))) or _is_counted(parts[run[-1] + 1 :], last):
            continue
        named = [full_year(sentence.text(parts[at])) for at in run]
        years = [Period(form=PeriodForm.BARE, year=year, text=str(year)) for year in named]
        gap = sentence.gap(first, last).strip().lower()
        since = run[0] > 0 and parts[run[0] - 1].bases == ("since",)
        if since or (len(run) == 2 and gap in connecting("spanning years")):
            span = Span(first=years[0], last=years[1] if len(run) > 1 else None)
            begins = parts[run[0] - 1] if since else first
            found.append(Stretch(begins.first, last.last, sentence.text(begins, last), periods=span))
            continue
        found += (
            Stretch(parts[at].first, parts[at].last, sentence.text(parts[at]), periods=Years(periods=(year,)))
            for at, year in zip(run, years, strict=True)
        )
    return found


def _runs(sentence: Sentence, today: date) -> Iterator[list[int]]:
    """Places of the parts that may be years, those that are listed together in one run."""
    parts, run = sentence.parts, list[int]()
    for place, part in enumerate(parts):
        if _may_be_year(part, today):
            run.append(place)
        elif run and not (part.only_says("listing years") and run[-1] == place - 1):
            yield run
            run = []
    if run:
        yield run


def _may_be_year(part: Part, today: date) -> bool:
    token = part.tokens[0]
    digits = part.number and token.text.isdecimal() and len(token.text) == 2 and not token.cashtag
    return bool(digits) and 0 <= today.year + 1 - full_year(token.text) <= _OLDEST


def _leads(part: Part) -> bool:
    return bool(part.named or part.mention or part.has("named_verb") or part.values("operation") & _MEASURING)


def _is_counted(behind: Sequence[Part], last: Part) -> bool:
    """Whether numbers count, or measure, what stands behind them: "24 stores", "24 billion", "24 of them"."""
    following = behind[0] if behind and behind[0].first == last.last else None
    if following is None or following.mention or following.named:
        return False
    return following.unknown or following.number or not following.has("frame", "operation")


def on_days(found: Asked, *, instant: bool) -> Asked:
    """Periods with days that need not end a fiscal year: of balances, and of twelve months in words."""

    def read(one: Period) -> Period:
        if one.form is not PeriodForm.ENDED or not (instant or _TWELVE_MONTHS.match(one.text)):
            return one
        return one.model_copy(update={"part": RelativePeriod.DAY if instant else RelativePeriod.TRAILING})

    return replace(found, years=tuple(map(read, found.years)))


@dataclass(frozen=True)
class DayNamed:
    """The day, and its words. certain: whether it can be nothing else."""

    stretch: Stretch
    day: date
    certain: bool


def day_named(stretches: Sequence[Stretch]) -> DayNamed | None:
    """The day by which reports were filed, where one is or may be named."""
    for one in stretches:
        words, day = " ".join(one.text.lower().split()), one.period.end if one.period else None
        if day is None:
            continue
        if _KNOWN.match(words):
            return DayNamed(one, day, certain=True)
        others = (other.period for other in stretches if other is not one)
        if _AS_OF.match(words) and any(period is None or period.form not in _RELATIVE for period in others):
            return DayNamed(one, day, certain=False)
    return None


def without_day(sentence: Sentence, day: DayNamed) -> Sentence:
    """The sentence in which the words of the day name no period."""

    def read(part: Part) -> Part:
        if part.stretch is not day.stretch:
            return part
        return replace(part, stretch=None, match=Match(part.first, part.last, (Meaning("frame", AS_OF),)))

    clauses = tuple(replace(one, parts=list(map(read, one.parts))) for one in sentence.clauses)
    return replace(sentence, clauses=clauses)


def of_months(sentence: Sentence, named: Sequence[Stretch], found: Asked, *, instant: bool) -> Asked:
    """The periods with the months that are the days of balances; of anything else a month is no period.

    found: the periods of all that is named. instant: whether all measures are balances.
    """
    months = [one for one in named if one.month]
    told = [only_says_when(sentence, one, found.years) for one in months]
    for stretch, says in zip(months, told, strict=True):
        if not (instant or says):
            raise Refused(Code.INTERIM_PERIOD, stretch.text)
    if months and not found.range:
        # The filing says whether the year that is named ended in that month.
        ends = tuple(Period(form=PeriodForm.ENDED, end=one.month, text=one.text) for one in months)
        years = tuple(one for one in found.years if one.form not in {PeriodForm.LATEST, PeriodForm.PREVIOUS})
        found = Asked(ends if all(told) or not years else years)
    if found.clash:
        raise Refused(Code.NOT_UNDERSTOOD, found.clash)
    return found


def only_says_when(sentence: Sentence, month: Stretch, years: Sequence[Period]) -> bool:
    """Whether a month stands apart and says when a year that is named ended: "FY24 (Jan 2024 year end)"."""
    clause = next(one for one in sentence.clauses if any(part.stretch is month for part in one.parts))
    alone = all(part.stretch or part.value("frame") == "time" for part in clause.parts)
    end = Period(form=PeriodForm.ENDED, end=month.month, text=month.text)
    return alone and any(can_name(year, end) for year in years)


def newest(periods: Periods) -> Period | None:
    """The year of the newest column; None for a part of a year."""
    if interim(periods):
        return None
    match periods:
        case Span(last=last):
            return last or Period(form=PeriodForm.LATEST)
        case Last(until=until):
            return until or Period(form=PeriodForm.LATEST)
    return max(periods.periods, key=lambda one: one.year or (one.end.year if one.end else 9999))
