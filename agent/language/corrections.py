"""One-letter slips of words that a question leaves unused."""

from collections.abc import Sequence
from dataclasses import replace

from agent.language.concepts import Measures
from agent.language.parsing import Parsed, Sentence
from agent.words.tokens import Token


def corrected(sentence: Sentence, parsed: Parsed, measures: Measures) -> Sentence:
    """The sentence with one-letter slips of its unused words undone; the same one where there are none."""
    tokens, free = list(sentence.tokens), frozenset(parsed.free)
    for place in parsed.free:
        if not _is_proper(sentence.tokens, place, free):
            tokens[place] = measures.corrected(tokens[place])
    return sentence if tuple(tokens) == sentence.tokens else replace(sentence, tokens=tuple(tokens))


def _is_proper(tokens: Sequence[Token], place: int, free: frozenset[int]) -> bool:
    """Whether an unused word is written as a name: "StockX", "Marvin Ellison". Where all are, none is."""
    token = tokens[place]
    inner = any(letter.isupper() for letter in token.text[1:]) and not token.upper
    beside = any(tokens[other].capital for other in (place - 1, place + 1) if other in free)
    return inner or (token.capital and beside and any(not one.capital for one in tokens if one.text.isalpha()))
