"""A question asked after another: what it leaves out is taken from the one before, never from its words."""

import re
from collections.abc import Sequence

from agent.query.definitions import Phrase
from agent.query.lexicon import Named
from agent.query.periods import Asked, Stretch
from agent.query.sentence import Sentence
from agent.refusals.phrase import when
from agent.state.planned import Period, PeriodForm, Record
from agent.state.query import Query, Role, Years
from agent.words.tokens import Token, plain

# The year beside that of the question before; "last year" is none of them: it is counted from today.
_BESIDE = (
    (re.compile(r"\b(?:the )?(?:(?:fiscal )?year (?:before|earlier|prior)(?: that)?|(?:prior|previous|preceding) (?:fiscal )?year)\b"), -1),
    (re.compile(r"\b(?:the )?(?:(?:fiscal )?year (?:after|later)(?: that)?|(?:following|next) (?:fiscal )?year)\b"), 1),
)  # fmt: skip


class Taken(Record):
    """A part of a question that was taken from the one before."""

    part: str
    value: str


def periods_of(previous: Query) -> Asked:
    """The periods of the question before, for one that names none."""
    if isinstance(previous.periods, Years):
        return Asked(years=previous.periods.periods)
    return Asked(range=previous.periods)


def beside(question: str, tokens: Sequence[Token], previous: Query | None) -> list[Stretch]:
    """The year before or after that of the question before, where it names a single one: "and the year before?"."""
    periods = previous.periods.periods if previous and isinstance(previous.periods, Years) else ()
    year = periods[0].year if len(periods) == 1 else None
    found = []
    for pattern, step in _BESIDE if year else ():
        folded = plain(question)
        for hit in pattern.finditer(folded.text):
            start, end = folded.offsets[hit.start()], folded.offsets[hit.end() - 1] + 1
            places = [place for place, token in enumerate(tokens) if token.start < end and start < token.end]
            if places and year:
                period = Period(form=PeriodForm.FISCAL, year=year + step, text=str(year + step))
                text = question[start:end]
                found.append(Stretch(places[0], places[-1] + 1, text, periods=Years(periods=(period,))))
    return found[:1]


def thing_of(previous: Query | None) -> str:
    """What "it" stands for behind a question for one measure: its words; else empty."""
    if previous is None or len([row for row in previous.rows if not row.mention]) != 1:
        return ""
    return next((word.text for word in previous.words if word.role is Role.MEASURE and word.meaning), "")


def phrases_of(previous: Query, sentence: Sentence) -> list[Phrase]:
    """The measures of the question before, for one that names none; none where a word of it is unknown.

    "And in 2022?", "what about Microsoft?", "and the growth?" leave the measure out; "and the risks?" does not.
    """
    parts = sentence.parts
    if not previous.rows or any(part.unknown or part.has("text", "part") for part in parts):
        return []
    return [Phrase(parts[0], Named((row,)), 0, last=parts[0].first) for row in previous.rows]


def taken(previous: Query, query: Query) -> tuple[Taken, ...]:
    """What a query has of the question before and not of its own words, for whoever reads its answer."""
    named = {word.role for word in query.words}
    found = []
    if Role.COMPANY not in named and query.companies:
        found.append(Taken(part="Company", value=", ".join(company.called for company in query.companies)))
    words = [word.text for word in previous.words if word.role is Role.MEASURE and word.meaning]
    if Role.MEASURE not in named and query.rows and words:
        found.append(Taken(part="Measure", value=", ".join(words)))
    if Role.PERIOD not in named and query.periods != Years(periods=(Period(form=PeriodForm.LATEST),)):
        found.append(Taken(part="Period", value=when(query.periods).removeprefix("in ")))
    return tuple(found)
