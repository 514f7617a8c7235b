"""Which periods can be put together: quarters with quarters, halves with halves, and days of balances."""

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.query.periods import Asked, Stretch
from agent.query.refused_question import Refused
from agent.query.sentence import Sentence
from agent.refusals.codes import Code
from agent.state.query import Last, Operation, Over, OverYears, Periods, Span, Years
from agent.state.references import Period, PeriodForm, RelativePeriod
from filings.xbrl.periods import QUARTERS, FiscalPeriod

_TWELVE_MONTHS = re.compile(r"(?:the )?(?:twelve|12)[ -]+months?")
HALVES = (FiscalPeriod.H1, FiscalPeriod.H2)


def of_quarters(periods: Periods, words: str) -> Periods:
    """Periods that are quarters, which alone have a quarter before. Raises Refused with the words that ask for it."""
    if not _parts(periods) <= {*QUARTERS, RelativePeriod.QUARTER, RelativePeriod.TEN_Q}:
        raise Refused(Code.INTERIM_PERIOD, words)
    return periods


def check_alike(told: Periods, made: Periods, operations: Sequence[Operation], stretches: Sequence[Stretch]) -> None:
    """Raises Refused where something is computed of parts of unlike length, as of a quarter and a year to date, or at a
    compound rate of years; and where one of unlike parts would stand for all.
    """
    if not unlike_parts(told):
        return
    if isinstance(told, Span) and told.last and made == Years(periods=(told.last,)) and not operations:
        return  # growth from a quarter to the same one a year later is that of the last
    parts = _parts(told)
    rated = any(isinstance(one, OverYears) and one.over is Over.CAGR for one in operations)
    if made != told or (operations and (rated or not (parts <= {*QUARTERS} or parts <= {*HALVES}))):
        raise Refused(Code.INTERIM_PERIOD, *[one.text for one in stretches if one.interim][:1])


def check_owners(sentence: Sentence, stretches: Sequence[Stretch]) -> bool:
    """Whether parts of years are asked, of every company the same. Raises Refused where each is named with its own."""
    ends = sorted(part.first for part in sentence.parts if part.mention)
    groups: dict[int, list[object]] = {}
    for one in stretches:
        told = (one.part.kind, one.part.year, one.part.end) if one.part else (one.periods, one.month)
        groups.setdefault(sum(end < one.first for end in ends), []).append(told)
    named = [one.text for one in stretches if one.interim]
    if named and len(ends) > 1 and any(group != next(iter(groups.values())) for group in groups.values()):
        raise Refused(Code.INTERIM_PERIOD, named[0])
    return bool(named)


def unlike_parts(periods: Periods) -> bool:
    """Whether stretches of several kinds are asked, as the quarters of a year."""
    return len(_parts(periods)) > 1


def _parts(periods: Periods) -> set[FiscalPeriod | RelativePeriod | None]:
    """The parts of years that are asked; None for whole years."""
    match periods:
        case Years(periods=named):
            return {one.part for one in named}
        case Span(first=Period(part=None)) | Last(quarters=False):
            return {None}
        case Last(until=Period(part=RelativePeriod.TRAILING)):
            return {RelativePeriod.TRAILING, None}  # twelve months that overlap, and may be whole years
    return {*QUARTERS}


def on_days(found: Asked, *, instant: bool) -> Asked:
    """Periods with days that need not end a fiscal year: of balances, and of twelve months in words."""

    def read(one: Period) -> Period:
        if one.form is not PeriodForm.ENDED or not (instant or _TWELVE_MONTHS.match(one.text)):
            return one
        return one.model_copy(update={"part": RelativePeriod.DAY if instant else RelativePeriod.TRAILING})

    return replace(found, years=tuple(map(read, found.years)))
