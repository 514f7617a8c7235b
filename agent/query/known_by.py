"""The day by which reports must have been filed: "GE revenue 2021 as of 2022-12-31", "as known on 1 June 2023".

Beside another period, "as of" and a day may also be the day that a balance is of. Which of the two it is depends on when
the company's years end, which no word tells (`agent.steps.settled_day`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from agent.query.lexicon import Match
from agent.query.periods import Stretch
from agent.query.sentence import Part, Sentence
from agent.query.word_classes import Meaning
from agent.state.references import PeriodForm

AS_OF = "as_of"
_KNOWN = re.compile(r"(?:as )?(?:was |were )?(?:known|filed|published|reported)\b")
_AS_OF = re.compile(r"as (?:of|at)\b")
_RELATIVE = {PeriodForm.LATEST, PeriodForm.PREVIOUS}


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
        others = [other for other in stretches if other is not one and not _is_relative(other)]
        if _AS_OF.match(words) and others:
            return DayNamed(one, day, certain=False)
    return None


def _is_relative(one: Stretch) -> bool:
    return one.period is not None and one.period.form in _RELATIVE


def without_day(sentence: Sentence, day: DayNamed) -> Sentence:
    """The sentence in which the words of the day name no period."""

    def read(part: Part) -> Part:
        if part.stretch is not day.stretch:
            return part
        return Part(part.first, part.last, match=Match(part.first, part.last, (Meaning("frame", AS_OF),)))

    clauses = tuple(replace(one, parts=list(map(read, one.parts))) for one in sentence.clauses)
    return replace(sentence, clauses=clauses)
