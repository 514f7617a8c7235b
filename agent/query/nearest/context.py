"""Clauses that tell why or for whom a question is asked: "I own some Coke shares.", "Working on a piece about buybacks - "."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.query.companies.owners import Owners
from agent.query.nearest.left_over import frames_of, is_of_other_figure
from agent.query.words.sentence import FIRST_PERSON, SUBJECTS, breaks
from agent.query.words.word_classes import Meaning, classes, connecting
from agent.state.question_words import Role, Word
from agent.words.stems import STOP
from agent.words.tokens import Token, in_capitals

_SLOTS = frozenset({Role.COMPANY, Role.PERIOD})
_STOP = re.compile(r"[.;:!?\u2013\u2014]|\s-\s")
_ASK = Meaning("frame", "ask")


@dataclass(frozen=True)
class Context:
    """What of a question is left without its context, and the words that are left out with it."""

    kept: tuple[Token, ...]
    left: tuple[Word, ...]
    measured: bool  # whether they have the name of a measure
    idle: bool  # whether none of their words may name anything of the companies


def without_context(
    question: str,
    tokens: tuple[Token, ...],
    words: Sequence[Word],
    owners: Callable[[], Owners] | None,
    ciks: Sequence[int],
) -> Context | None:
    """The question without what its clauses of context say; companies and periods that they name stay. None where it has
    none, or they say what may make another figure.

    words: how the question was read, as far as it was. owners: what parts are called; without it, any word may name one.
    ciks: the companies asked about.
    """
    if owners is None:
        return None
    roles = [next((word.role for word in words if word.start <= one.start < word.end), Role.UNUSED) for one in tokens]
    clauses = _clauses(question, tokens)
    asking = [clause for clause in clauses if _asks(question, tokens, clause)]
    measured = [clause for clause in clauses if Role.MEASURE in {roles[place] for place in clause}]
    requests = [one for one in asking if one in measured] or asking or measured[:1]
    context = [clause for clause in clauses if clause not in requests]
    if not requests or not any(_SLOTS - {roles[place] for place in one} for one in context):
        return None
    dropped: set[int] = set()
    left = []
    for clause in context:
        places = [place for place in clause if roles[place] not in _SLOTS]
        if not places:
            continue
        if not _is_context(question, tokens, clause, places, roles, owners):
            continue
        dropped |= {*places}
        start, end = tokens[places[0]].start, tokens[places[-1]].end
        left.append(Word(start=start, end=end, text=question[start:end], role=Role.UNUSED))
    if not dropped:
        return None
    unknown = (tokens[at] for at in dropped if not frames_of(tokens[at]) and tokens[at].base not in STOP)
    asked = any(set(clause) & dropped for clause in asking)
    of_measure = any(roles[place] is Role.MEASURE for place in dropped)
    idle = not (asked or of_measure) and not any(owners().may_name(one.base, one.stem, ciks) for one in unknown)
    return Context(
        tuple(one for place, one in enumerate(tokens) if place not in dropped), tuple(left), of_measure, idle
    )


def _clauses(question: str, tokens: Sequence[Token]) -> list[range]:
    """The clauses: between marks, and before a subject that a phrase leads to: "for an article on data centers I need"."""
    marks = {0, *breaks(question, tokens), len(tokens)}
    for place in range(1, len(tokens)):
        begin = max(one for one in marks if one <= place)
        leads = tokens[begin].base in connecting("narrowing") | connecting("leading to a request")
        if tokens[place].base in SUBJECTS and place - begin > 1 and leads:
            marks.add(place)
    return [range(first, last) for first, last in pairwise(sorted(marks))]


def _asks(question: str, tokens: Sequence[Token], clause: range) -> bool:
    """Whether a clause asks for something: by a word that asks, or a question mark behind it."""
    first = tokens[clause.start].base
    asks = any(_ASK in classes().get((tokens[place].stem,), ()) for place in clause)
    return (
        first in connecting("interrogative") - SUBJECTS
        or asks
        or question[tokens[clause[-1]].end :].lstrip()[:1] == "?"
    )


def _is_context(
    question: str,
    tokens: tuple[Token, ...],
    clause: range,
    places: Sequence[int],
    roles: Sequence[Role],
    owners: Callable[[], Owners],
) -> bool:
    """Whether words of a clause only tell of whoever asks, or of the company: nothing that makes another figure."""
    shouting = in_capitals(tokens)
    unknown = [place for place in places if roles[place] is Role.UNUSED]
    for place in places:
        token = tokens[place]
        name = token.capital and place > clause.start and place in unknown and not shouting
        if name or any(letter.isdigit() for letter in token.base):
            return False
    bases = {tokens[place].base for place in clause}
    if bases & connecting("wanting") or is_of_other_figure(tokens[clause.start : clause.stop]):
        return False
    frames = {one for place in clause for one in frames_of(tokens[place])}
    first = tokens[clause.start].base
    if first in connecting("leading to a request") or (first in connecting("narrowing") and "asker" in frames):
        return True
    # A part that is named beside no measure is no word that is known to say nothing.
    telling = [tokens[place].stem for place in places if not frames_of(tokens[place])]
    if any(one in key for one in telling for key in owners().parts):
        return False
    stated = (
        "aux" in frames and _is_sentence(question, tokens, clause) and Role.MEASURE not in {roles[at] for at in places}
    )
    return stated or bool(bases & (FIRST_PERSON - {"were"}))


def _is_sentence(question: str, tokens: Sequence[Token], clause: range) -> bool:
    """Whether a clause is said by itself: between marks of sentences, or before a comma and a question."""
    before = question[tokens[clause.start - 1].end : tokens[clause.start].start] if clause.start else "."
    if clause.stop == len(tokens):
        return bool(_STOP.search(before))
    behind = question[tokens[clause[-1]].end : tokens[clause.stop].start]
    asks = tokens[clause.stop].base in connecting("interrogative") - SUBJECTS
    return bool(_STOP.search(before)) and (asks or bool(_STOP.search(behind)))
