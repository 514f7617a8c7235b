"""In what form an answer is wanted: words that ask for nothing else, the scale, and how the columns of a table are chosen.

"Round your answer to two decimal places.", "Please rely on the cash flow statement.", "Using only the balance sheet, ...".
Every word of such a sentence, opening or bracket is of the closed classes, so that none can narrow what is asked: "Use only
the parent." stays.
"""

import re
from collections.abc import Sequence

from agent.query.refused_question import Refused
from agent.query.sentence import Part, Sentence
from agent.query.word_classes import MOVING, Meaning, classes, connecting
from agent.refusals.codes import Code
from agent.state.query import Alignment, Basis, Query
from agent.state.references import Scale
from agent.words.tokens import Token

_STOP = re.compile(r"[?!:]|\.(?=\s|$|\")|\n|\s\(|\)")
_COMMA = re.compile(r",")
Choice = Alignment | Basis
PHRASES: dict[Choice, str] = {
    Alignment.FISCAL: "by each company's own fiscal calendar",
    Alignment.CALENDAR: "aligned by calendar",
    Basis.FIRST: "as first reported",
    Basis.LAST: "as last reported",
}
OTHER_ALIGNMENT = {Alignment.FISCAL: Alignment.CALENDAR, Alignment.CALENDAR: Alignment.FISCAL}
OTHER_BASIS = {Basis.FIRST: Basis.LAST, Basis.LAST: Basis.FIRST}


def parted(question: str, tokens: Sequence[Token]) -> tuple[tuple[Token, ...], tuple[tuple[Token, ...], ...]]:
    """The words that ask, and in runs those that may be passed over: none where nothing else would be left."""
    # A percentage that is asked for tells a rate from a change in dollars.
    moves = any(one.value in MOVING for place in range(len(tokens)) for one in _meanings(tokens[place : place + 1]))
    found: list[range] = []
    first = 0
    for last in range(1, len(tokens) + 1):
        gap = question[tokens[last - 1].end : tokens[last].start] if last < len(tokens) else "."
        stops = bool(_STOP.search(gap))
        if (stops or _COMMA.search(gap)) and _is_formal(tokens[first:last], moves):
            found.append(range(first, last))
            stops = True
        first = last if stops else first
    passed = {place for one in found for place in one}
    if len(passed) == len(tokens):
        return tuple(tokens), ()
    left = tuple(token for place, token in enumerate(tokens) if place not in passed)
    return left, tuple(tuple(tokens[one.start : one.stop]) for one in found)


def scale_of(tokens: Sequence[Token]) -> str:
    """The scale that words ask for, the last one; empty for none."""
    found = [str(one.value) for token in tokens for one in _meanings([token]) if one.kind == "scale"]
    return next((one for one in reversed(found) if one != "units"), "")


def _is_formal(tokens: Sequence[Token], moves: bool) -> bool:
    """Whether words ask for a form or name a source, and nothing else."""
    words = [token.base for token in tokens]
    opening = next((word for word in words if word not in connecting("before a form")), "")
    if opening not in connecting("opening a form") or (moves and connecting("in percent") & set(words)):
        return False
    told = bool(connecting("telling a form") & set(words))
    place = 0
    while place < len(tokens):
        kinds = {one.kind for one in _meanings(tokens[place : place + 1])}
        length = _statement(tokens[place:])
        if length:
            told = told or bool(connecting("from a source") & set(words))
        elif "scale" in kinds:
            told = True
        elif words[place] not in connecting("of a form") | connecting("in percent"):
            return False
        place += length or 1
    return told


def _statement(tokens: Sequence[Token]) -> int:
    """How many words the name of a statement has that stands first; 0 for none."""
    lengths = range(min(5, len(tokens)), 1, -1)
    return next((size for size in lengths if any(one.kind == "statement" for one in _meanings(tokens[:size]))), 0)


def _meanings(tokens: Sequence[Token]) -> tuple[Meaning, ...]:
    return classes().get(tuple(token.stem for token in tokens), ())


def scale_asked(sentence: Sentence) -> Scale | None:
    """The scale that figures are asked in: the last named."""
    found = [value for part in sentence.parts if (value := part.value("scale"))]
    found += [told for words in sentence.passed if (told := scale_of(words))]
    return Scale(found[-1]) if found else None


def alignment_of(sentence: Sentence, companies: int) -> Alignment | None:
    """How the question aligns periods of several companies; None where it does not say.

    Raises Refused for calendar periods of one company, which are not made of its fiscal ones.
    """
    said = _said(sentence, Alignment)
    found = Alignment(said[-1].value("frame") or "") if said else None
    if found is Alignment.CALENDAR and companies < 2:
        first, last = said[-1].tokens[0], said[-1].tokens[-1]
        raise Refused(Code.NOT_UNDERSTOOD, sentence.question[first.start : last.end])
    return found


def basis_of(sentence: Sentence, *, ranked: bool = False) -> Basis | None:
    """Which report the question wants each year from; None where it does not say.

    Raises Refused for both; and, of all companies in an order, which is that of first reported figures, for the last.
    """
    said = _said(sentence, Basis)
    chosen = {part.value("frame") for part in said}
    if len(chosen) > 1 or (ranked and Basis.LAST in chosen):
        raise Refused(Code.NOT_UNDERSTOOD, sentence.text(said[-1]))
    return Basis(said[-1].value("frame") or "") if said else None


def _said(sentence: Sentence, choice: type[Alignment | Basis]) -> list[Part]:
    """The parts that make one choice of a closed class."""
    return [part for part in sentence.parts if part.value("frame") in set(choice)]


def with_choice(question: str, query: Query, choice: Choice) -> str:
    """The question that makes a choice, in place of the one of the same kind that it may make.

    query: how the question was read; its words have the question's offsets.
    """
    text = question
    alike = set(type(choice))
    for word in sorted(query.words, key=lambda one: one.start, reverse=True):
        if word.meaning in alike and text[word.start : word.end] == word.text:
            text = text[: word.start].rstrip(" ,(") + text[word.end :].removeprefix(")")
    mark = "?" if question.rstrip().endswith("?") else ""
    return f"{text.rstrip(' ?.!,;')}, {PHRASES[choice]}{mark}"
