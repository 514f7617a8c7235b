"""Whether parts of years that are asked go together, so that something may be computed across them."""

from collections.abc import Sequence

from agent.query.dates.year_parts import HALVES
from agent.query.dates.years import Stretch
from agent.query.words.refused_question import Refused
from agent.refusals.codes import Code
from agent.state.query import Last, Operation, Over, OverYears, Periods, Span, Years
from agent.state.references import Period, RelativePeriod
from filings.xbrl.periods import QUARTERS, FiscalPeriod


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
