"""Sentences, openings and brackets that only say in what form, or from which statement, an answer is wanted.

"Round your answer to two decimal places.", "Please rely on the cash flow statement.", "Using only the balance sheet, …".
Every word of one is of the closed classes, so that none can narrow what is asked: "Use only the parent." stays.
"""

import re
from collections.abc import Sequence

from agent.query.sentence import Sentence
from agent.query.word_classes import Meaning, classes, connecting
from agent.state.references import Scale
from agent.words.tokens import Token

_STOP = re.compile(r"[?!:]|\.(?=\s|$|\")|\n|\s\(|\)")
_COMMA = re.compile(r",")
# A percentage that is asked for tells a rate from a change in dollars.
_MOVING = frozenset({"change", "rise", "fall"})


def parted(question: str, tokens: Sequence[Token]) -> tuple[tuple[Token, ...], tuple[tuple[Token, ...], ...]]:
    """The words that ask, and in runs those that may be passed over: none where nothing else would be left."""
    moves = any(one.value in _MOVING for place in range(len(tokens)) for one in _meanings(tokens[place : place + 1]))
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
