"""The nearest question that can be read where words of a question are not understood: the question without them.

Words are left out only where they make no other figure: by their class, and by where they stand. What is attached to a
measure, a company or a period, what stands behind a preposition, every negation, qualifier, number and unknown name
stays, and the question is refused.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeGuard

from agent.query.companies.owners import Owners
from agent.query.measures.restated import read_once
from agent.query.nearest.context import Context, without_context
from agent.query.nearest.left_over import LeftOver, places_of
from agent.query.words.part_names import key_of
from agent.query.words.refused_question import Misread, Read
from agent.query.words.word_classes import connecting
from agent.refusals.codes import Code
from agent.state.query import Breakdown, Member, Query, Years
from agent.state.question_words import Role, Word
from agent.words.tokens import Token, tokenise

# Runs of words that are left out of one question: of more, it is not known what it asks.
MOST = 4
# Parts that are as near to one word, each of which is shown.
MOST_NEAR = 2


def nearest(
    question: str,
    tokens: tuple[Token, ...],
    found: Read,
    read: Callable[[tuple[Token, ...]], Read],
    owners: Callable[[], Owners] | None = None,
) -> Read:
    """The reading of the question without the words that nobody understands; `found` where there is none.

    found: how the whole question was read. read: reads the question by some of its words. owners: what parts are called;
    without it, any word may name one.
    """
    if len(found) != 1:
        return found
    if isinstance(found[0], Misread) and (once := read_once(question, tokens, read)):
        return once
    only = found[0]
    words = only.read if isinstance(only, Misread) else () if only.rows else only.words
    ciks = [one.cik for one in only.companies]
    context = without_context(question, tokens, words, owners, ciks) if words else None
    # A measure of a clause of context is not asked for.
    if context and context.measured and (near := _in_context(context, question, read, owners)):
        return near
    reading = _without_words(question, tokens, found, read, owners)
    if reading is found and context and (near := _in_context(context, question, read, owners)):
        return near
    return reading


def _in_context(
    context: Context, question: str, read: Callable[[tuple[Token, ...]], Read], owners: Callable[[], Owners] | None
) -> tuple[Query] | None:
    """The reading of a question without its context: asserted where the context may name nothing; None where there is none."""
    reading = read(context.kept)
    if len(reading) == 1 and isinstance(reading[0], Misread):
        once = read_once(question, context.kept, read)
        reading = once or _without_words(question, context.kept, reading, read, owners)
    if not _has_rows(reading):
        return None
    one = reading[0]
    left = [word for word in one.words if word.text in one.left_out]
    if context.idle and not left:
        words = tuple(sorted((*one.words, *context.left), key=lambda word: word.start))
        return (one.model_copy(update={"words": words}),)
    return (_marked(one, [*context.left, *left], one.near_name),)


def _has_rows(reading: Read) -> TypeGuard[tuple[Query]]:
    """Whether one query for figures was read."""
    return len(reading) == 1 and isinstance(reading[0], Query) and bool(reading[0].rows)


def _without_words(
    question: str,
    tokens: tuple[Token, ...],
    found: Read,
    read: Callable[[tuple[Token, ...]], Read],
    owners: Callable[[], Owners] | None,
) -> Read:
    """The reading without single words that nobody understands; `found` where there is none."""
    left, kept, reading = list[Word](), tokens, found
    near = ""
    for _ in range(MOST):
        if not near and (renamed := _by_near_parts(question, kept, reading)):
            near, *named = renamed
            readings = [read(one) for one in named]
            if all(len(one) == 1 and isinstance(one[0], Query) and one[0].rows for one in readings):
                return (_marked(_side_by_side([one[0] for one in readings]), left, near),)
            if len(named) > 1:
                return found
            kept, reading = named[0], readings[0]
            continue
        lost = LeftOver.of(question, kept, reading, owners)
        if lost is None or not lost.measured or not (dropped := lost.dropped()) or len(dropped) == len(kept):
            return found
        start, end = kept[dropped[0]].start, kept[dropped[-1]].end
        left.append(Word(start=start, end=end, text=question[start:end], role=Role.UNUSED))
        kept = tuple(token for place, token in enumerate(kept) if place not in dropped)
        reading = read(kept)
        if len(reading) == 1 and isinstance(only := reading[0], Query) and only.rows:
            if lost.orders and not _has_several(only):
                return found  # "peak cash in 2023" is not the cash of 2023
            # Text that may tell how high or low it is stands beside it.
            told = found if lost.degree and isinstance(found[0], Query) else ()
            return (_marked(only, left, near), *told)
    return found


def _marked(query: Query, left: Sequence[Word], near: str) -> Query:
    """The reading, with what it leaves out, or takes for a part whose name is near."""
    idle = connecting("of any year") if _has_several(query) else frozenset[str]()
    named = tuple(one.text for one in left if one.text.lower() not in idle)
    words = tuple(sorted((*query.words, *left), key=lambda one: one.start))
    return query.model_copy(update={"left_out": named, "near_name": near, "words": words})


def _side_by_side(readings: Sequence[Query | Misread]) -> Query:
    """One reading, or the rows of two that are as near."""
    queries = [one for one in readings if isinstance(one, Query)]
    rows = dict.fromkeys(row for one in queries for row in one.rows)
    return queries[0].model_copy(update={"rows": tuple(rows)})


def _by_near_parts(
    question: str, tokens: tuple[Token, ...], found: Read
) -> tuple[str, *tuple[tuple[Token, ...], ...]] | None:
    """A word that was not understood, and the tokens with the whole name of the part that has it in its place: Intelligent
    Cloud for "cloud"; of two that are as near, with each. None where none has it, or more.
    """
    only = found[0]
    if (
        len(found) != 1
        or not isinstance(only, Misread)
        or only.code is not Code.NOT_UNDERSTOOD
        or len(only.words) != 1
    ):
        return None
    (text,) = only.words
    labels = dict.fromkeys(row.measure.label for row in only.parts if isinstance(row.measure, Member))
    nearness = {one: (_first(text) != _first(one), len(_words(one))) for one in labels if _words(text) <= _words(one)}
    fitting = [one for one in nearness if nearness[one] == min(nearness.values())]
    places = places_of(question, tokens, text)
    if places is None or not 0 < len(fitting) <= MOST_NEAR:
        return None
    start, end = tokens[places[0]].start, tokens[places[-1]].end
    names = (tuple(replace(one, start=start, end=end, slip=True) for one in tokenise(label)) for label in fitting)
    return text, *((*tokens[: places.start], *name, *tokens[places.stop :]) for name in names)


def _first(name: str) -> str:
    return next(iter(key_of(name)), "")


def _words(name: str) -> frozenset[str]:
    return frozenset(key_of(name))


def _has_several(query: Query) -> bool:
    """Whether figures of several years, companies or parts are asked, among which one can be seen to be the first."""
    one = isinstance(query.periods, Years) and len(query.periods.periods) == 1
    return len(query.companies) > 1 or not one or any(isinstance(row.measure, Breakdown) for row in query.rows)
