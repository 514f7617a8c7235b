"""Questions about all companies that are covered, in the order of a figure or within a bound."""

from collections.abc import Sequence

from agent.query.words.refused_question import Misread, Refused
from agent.query.words.sentence import Sentence
from agent.query.words.word_classes import EXTREMES, connecting
from agent.refusals.codes import Code
from agent.registrants.mentions import Mention
from agent.state.query import (
    Change,
    Combined,
    Concept,
    Formula,
    Metric,
    Operation,
    Periods,
    Query,
    Rank,
    Row,
    Share,
    Threshold,
    Years,
    interim,
)
from agent.state.references import PeriodForm
from agent.words.tokens import Token


def is_of_everyone(found: Query | Misread) -> bool:
    """Whether a reading under all companies is one of a figure, or its refusal."""
    if isinstance(found, Misread):
        return found.code is Code.AMBIGUOUS_CONCEPT or (found.code is Code.NOT_UNDERSTOOD and bool(found.rows))
    return found.everyone


def everyone_named(tokens: Sequence[Token]) -> Mention | None:
    """Where all covered companies are named: "all companies", "companies with", "top 10 companies"; None where nowhere."""
    for place, token in enumerate(tokens):
        if token.base not in connecting("everyone"):
            continue
        first = place
        while first and tokens[first - 1].base in connecting("described"):
            first -= 1
        before, behind = tokens[:first][-1:], tokens[place + 1 :][:1]
        if before and before[0].base in connecting("of everyone"):
            # "Which company has the highest" asks for the first of an order, whose words stay.
            one = token.base == "company" and before[0].base in connecting("asking which")
            return Mention(place if one else first - 1, place + 1, (), everyone=True)
        counted = any(one.base.isdecimal() for one in before)
        if token.base != "company" and (not before or counted or is_restricted(behind)):
            return Mention(first, place + 1, (), everyone=True)
    return None


def is_restricted(behind: Sequence[Token]) -> bool:
    """Whether a word follows that says which companies, or how they are ordered."""
    return any(one.base in connecting("restricting") for one in behind)


def orders_everyone(sentence: Sentence) -> bool:
    """Whether companies are put into an order and none is named: "top 3 by revenue"."""
    asked = sentence.meaning("operation", "rank", "which_one")
    tops = sentence.meaning("operation", *EXTREMES)
    counted = any(one.number and top.last == one.first for top in tops for one in sentence.parts)
    return bool(asked or counted) and not any(part.unknown or part.mention for part in sentence.parts)


def check_screened(rows: Sequence[Row], operations: Sequence[Operation], periods: Periods, sentence: Sentence) -> None:
    """All companies are ranked or filtered by one figure of one fiscal year each: anything else is refused."""
    one_year = isinstance(periods, Years) and len(periods.periods) == 1 and not interim(periods)
    kinds = all(isinstance(one, Rank | Threshold) for one in operations)
    whole = all(isinstance(row.measure, Concept | Metric | Change | Share | Combined | Formula) for row in rows)
    dated = isinstance(periods, Years) and periods.periods[0].form in (PeriodForm.ENDED, PeriodForm.PREVIOUS)
    if not one_year or dated:
        raise Refused(Code.NOT_UNDERSTOOD, *[sentence.text(part) for part in sentence.parts if part.stretch][:1])
    bounded = any(isinstance(one, Threshold) for one in operations)
    falls = bounded and any(part.value("operation") == "fall" for part in sentence.parts)
    unbounded = not operations and selects(sentence)
    one_measure = len({row.measure for row in rows if not row.mention}) == 1
    if falls or unbounded or not (kinds and whole and one_measure):
        named = sentence.mentions or list(sentence.parts)
        raise Refused(Code.NOT_UNDERSTOOD, sentence.text(named[0]))


def selects(sentence: Sentence) -> bool:
    """Whether some of all companies are wanted, not all in an order: "which companies", "companies with"."""
    for part in sentence.parts:
        if part.mention is not None and part.mention.everyone:
            behind = [one.base for one in sentence.tokens[part.last :][:1]]
            words = {part.word, *behind}
            before = {one.base for one in sentence.tokens[max(part.first - 1, 0) : part.first]}
            return bool((words | before) & (connecting("asking which") | connecting("restricting") - {"by"}))
    return False
