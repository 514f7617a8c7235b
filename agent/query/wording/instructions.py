"""Instructions around a question: how to answer, from which statement, in which unit, as whom (instruction.lark).

"Round your answer to two decimal places.", "Using only the balance sheet, ...", "Answer as an equity analyst." They ask
for nothing themselves. A word that no instruction has could narrow what is asked, and stays: "Use only the parent."
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from lark import Lark, Token, UnexpectedInput

from agent.query.dates.years import is_number, number_of
from agent.query.words.grammars import read_grammar
from agent.query.words.lexicon import Lexicon
from agent.query.words.word_classes import Meaning, classes, instruction_words
from agent.words.tokens import Token as Word
from agent.words.tokens import in_capitals

_STOP = re.compile(r"[?!\n]|\.(?=\s|$|\")")
_CUT = re.compile(r"[,:;()\[\]\u2013\u2014]")
# Words of a name; words and, of them, terminals of an instruction.
_LONGEST, _MOST_WORDS, _MOST = 5, 120, 60
# With these a word makes of a figure another, whoever answers.
_CHANGING = frozenset({"part", "axis", "non_gaap", "currency", "interim"})
# Of what stands aside in brackets; elsewhere words like any.
_ASIDE = frozenset({"KEEPING", "COMPARED", "EACH", "LOSS", "LEAST"})
# What an instruction begins with; and what one does that stands aside in brackets.
_HEADS = frozenset(
    {"ANSWER", "ASKED", "ROUND", "BASE", "MANNER", "ASSUMING", "IF", "UNIT", "PLAIN", "NUMBER", "NOT", "ABILITY"}
)
_HEADS_ASIDE = frozenset({"RENAMED", "KEEPING", "LOSS"})
_PLACES = {"tenth": 1, "hundredth": 2, "thousandth": 3, "whole": 0, "integer": 0}
_ONE = {"one": 1, "a": 1, "zero": 0, "no": 0}


@dataclass(frozen=True, slots=True)
class Form:
    """In what form an instruction wants an answer, and from which statements. decimals: None where it does not say."""

    scale: str = ""
    percent: bool = False
    decimals: int | None = None
    statements: tuple[str, ...] = ()


@cache
def _grammar() -> Lark:
    return read_grammar(Path(__file__).with_name("instruction.lark"), "earley")


def parted(
    question: str, tokens: Sequence[Word], lexicon: Lexicon
) -> tuple[tuple[Word, ...], tuple[tuple[Word, ...], ...]]:
    """The words that ask, and in runs those of instructions: none where nothing else would be left."""
    found = [
        one for sentence in _sentences(question, tokens) for one in _instructions(question, tokens, sentence, lexicon)
    ]
    passed = {place for one in found for place in one}
    if len(passed) == len(tokens):
        return tuple(tokens), ()
    left = tuple(token for place, token in enumerate(tokens) if place not in passed)
    return left, tuple(tuple(tokens[one.start : one.stop]) for one in found)


def form_of(tokens: Sequence[Word]) -> Form:
    """What an instruction says of the form of an answer."""
    meanings = [one for place in range(len(tokens)) for one in _meanings(tokens[place : place + 1])]
    scales = [str(one.value) for one in meanings if one.kind == "scale" and one.value != "units"]
    statements = [
        str(one.value)
        for place in range(len(tokens))
        for one in _statement(tuple(token.stem for token in tokens[place:]))[1]
    ]
    percent = any(one == Meaning("unit", "percent") for one in meanings) or any(
        token.base in {"percents", "percentages"} for token in tokens
    )
    return Form(scales[-1] if scales else "", percent, _decimals(tokens), tuple(dict.fromkeys(statements)))


def _decimals(tokens: Sequence[Word]) -> int | None:
    """To how many decimals an instruction rounds; None where it does not."""
    kinds = [instruction_words().get((token.base,), "") for token in tokens]
    if "ROUND" not in kinds and "PLACES" not in kinds:
        return None
    for place, token in enumerate(tokens):
        before = tokens[place - 1].base if place else ""
        if token.base in {"decimal", "decimals"}:
            digits = before in _ONE or is_number(before)
            return int(_ONE[before] if before in _ONE else number_of(before)) if digits else None
        if token.base in _PLACES:
            return _PLACES[token.base]
    return None


def _sentences(question: str, tokens: Sequence[Word]) -> Iterator[range]:
    """The sentences of a question, without those of one word."""
    first = 0
    for last in range(1, len(tokens) + 1):
        gap = question[tokens[last - 1].end : tokens[last].start] if last < len(tokens) else "."
        if _STOP.search(gap):
            yield range(first, last)
            first = last


def _instructions(question: str, tokens: Sequence[Word], sentence: range, lexicon: Lexicon) -> Iterator[range]:
    """The instructions of a sentence: the whole of it, or the longest runs between commas and brackets."""
    cuts = [
        place
        for place in sentence
        if place > sentence.start and _CUT.search(question[tokens[place - 1].end : tokens[place].start])
    ]
    begins, ends = [sentence.start, *cuts], [*cuts, sentence.stop]
    at = sentence.start
    for first in begins:
        if first < at:
            continue
        bracketed = "(" in _gap(question, tokens, first)
        near = [last for last in ends if first < last <= first + _MOST_WORDS]
        closing = [last for last in near if ")" in _gap(question, tokens, last)]
        for last in closing[:1] if bracketed else reversed(near):
            if _is_instruction(tokens[first:last], lexicon, bracketed=bracketed):
                yield range(first, last)
                at = last
                break


def _gap(question: str, tokens: Sequence[Word], place: int) -> str:
    """What stands between a word and the one before it, or behind the last."""
    first = tokens[place - 1].end if place else 0
    return question[first : tokens[place].start] if place < len(tokens) else question[first:]


def _is_instruction(tokens: Sequence[Word], lexicon: Lexicon, *, bracketed: bool) -> bool:
    """Whether words are an instruction, and nothing else. bracketed: whether a bracket opens before them."""
    heads = _HEADS | _HEADS_ASIDE if bracketed else _HEADS
    told, kinds = list[tuple[str, range]](), list[str]()
    for kind, places in _kinds(tokens):
        told.append((kind, places))
        if kind != "BINDS":
            kinds.append("WORD" if kind in _ASIDE and not bracketed else kind)
            if kinds[0] not in heads or len(kinds) > _MOST:
                return False
    if not kinds:
        return False
    free = "WORD" in kinds and kinds[0] != "RENAMED"
    if free and not {"ASSUMING", "IF"} & {*kinds}:
        return False
    if free and kinds[0] != "IF" and _narrows(tokens, told, lexicon):
        return False
    return _parses(tuple(kinds))


@lru_cache(maxsize=4096)
def _parses(kinds: tuple[str, ...]) -> bool:
    try:
        _grammar().parse([Token(kind, kind) for kind in kinds])
    except UnexpectedInput:
        return False
    return True


def told_statements(passed: Sequence[Sequence[Word]]) -> tuple[str, ...]:
    """The statements that instructions name as sources, once each."""
    return tuple(dict.fromkeys(one for words in passed for one in form_of(words).statements))


def is_bound(words: Sequence[Word]) -> bool:
    """Whether an instruction says how far a figure may move to be called steady."""
    return any(instruction_words().get((one.base,)) == "KEEPING" for one in words)


def _narrows(tokens: Sequence[Word], told: Sequence[tuple[str, range]], lexicon: Lexicon) -> bool:
    """Whether words that may be any could say of what a figure is asked: a measure, a name, a number, a part."""
    changing = any(
        one.kind in _CHANGING for place in range(len(tokens)) for one in _meanings(tokens[place : place + 1])
    )
    named = not in_capitals(tokens) and any(
        token.text != token.text.lower() and not token.upper for token in tokens[1:]
    )
    free = {place for kind, places in told if kind == "WORD" for place in places}
    measured = any(one.has("measure") and free >= {*one.places} for one in lexicon.matches(tokens))
    return changing or named or measured or any(is_number(token.base) for token in tokens)


def _kinds(tokens: Sequence[Word]) -> Iterator[tuple[str, range]]:
    """The terminals of words, each with its places."""
    forms = [(token.base, token.stem) for token in tokens]
    place = 0
    while place < len(forms):
        kind, size = _first_kind(tuple(forms[place : place + _LONGEST]))
        yield kind, range(place, place + size)
        place += size


@lru_cache(maxsize=4096)
def _first_kind(forms: tuple[tuple[str, str], ...]) -> tuple[str, int]:
    """The terminal that words begin with, given their bases and stems, and how many of them it takes."""
    bases, stems = zip(*forms, strict=True)
    size, statements = _statement(stems)
    if statements:
        return "STATEMENT", size
    for size in range(len(bases), 0, -1):
        if kind := instruction_words().get(bases[:size]):
            return kind, size
    if is_number(bases[0]) or bases[0] in _ONE:
        return "NUMBER", 1
    return ("UNIT" if any(one.kind == "scale" for one in classes().get(stems[:1], ())) else "WORD"), 1


def _statement(stems: tuple[str, ...]) -> tuple[int, tuple[Meaning, ...]]:
    """How many words the name of a statement has that stands first, and what it means."""
    for size in range(min(_LONGEST, len(stems)), 1, -1):
        if found := tuple(one for one in classes().get(stems[:size], ()) if one.kind == "statement"):
            return size, found
    return 0, ()


def _meanings(tokens: Sequence[Word]) -> tuple[Meaning, ...]:
    return classes().get(tuple(token.stem for token in tokens), ())
