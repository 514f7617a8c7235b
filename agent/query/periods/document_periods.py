"""The periods of a question for text of documents that are of a quarter or of a day."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from agent.query.dates.years import Asked, Stretch
from agent.query.periods.interim_periods import with_parts
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Sentence
from agent.state.query import Periods, Years
from agent.state.references import Period, PeriodForm, RelativePeriod
from filings.xbrl.periods import QUARTER_DAYS, QUARTERS, Place


def document_periods(stretches: Sequence[Stretch], found: Asked, sentence: Sentence) -> Periods:
    """The periods, read as those of figures where they are of one kind; else each part of a year, and each month, that is
    named.

    A document is found by what it is of: what cannot be computed across, such as a quarter beside a month, may still be
    read.
    """
    if any(one.interim for one in stretches):
        with suppress(Refused):
            return with_parts(found, stretches, sentence, None).periods
    parts = [one.part for one in stretches if one.interim and one.part]
    named = [alone for part in parts if (alone := part.alone) is not None]
    years = [one for one in found.years if one.year]
    named += [part.of(year) for part in parts if part.alone is None for year in years[:1]]
    if not named:
        named = [
            Period(form=PeriodForm.ENDED, end=one.month, text=one.text) for one in stretches if one.month is not None
        ]
    return Years(periods=tuple(dict.fromkeys(named))) if named else found.periods


def of_names(periods: Periods) -> Periods:
    """Periods that name a document: a bare year is the one in which it came out, and not one that it tells of."""
    if not isinstance(periods, Years):
        return periods
    named = (
        one.model_copy(update={"form": PeriodForm.CALENDAR}) if one.form is PeriodForm.BARE and not one.part else one
        for one in periods.periods
    )
    return Years(periods=tuple(named))


def before(periods: Periods) -> Periods:
    """The periods in whose documents others are foretold: of a quarter the one before it, of a year the four that end
    before it does, of a day the quarter before.
    """
    if not isinstance(periods, Years):
        return periods
    return Years(periods=tuple(dict.fromkeys(found for one in periods.periods for found in _before(one))))


def _before(period: Period) -> list[Period]:
    if period.year is None or isinstance(period.part, RelativePeriod):
        if period.end is None:
            return [period]
        return [period.model_copy(update={"end": period.end - timedelta(days=max(QUARTER_DAYS)), "part": None})]
    parts = [period.part] if period.part in QUARTERS else QUARTERS
    told = [Place(period.year, part).later(-1) for part in parts if part]
    form = PeriodForm.BARE if period.form is PeriodForm.ENDED else period.form
    return [
        period.model_copy(update={"form": form, "year": one.year, "part": one.period, "end": None}) for one in told
    ]
