"""The periods of a question for text of documents that are of a quarter or of a day."""

from collections.abc import Sequence
from contextlib import suppress

from agent.query.interim import with_parts
from agent.query.periods import Asked, Stretch
from agent.query.refused_question import Refused
from agent.query.sentence import Sentence
from agent.state.query import Periods, Years
from agent.state.references import Period, PeriodForm


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
