"""A question of two parts: "what was R&D in FY2024, and what drove it?" is a figure and an explanation.

The parts are read one by one. The second may leave out the company, the year and the thing itself ("it"), which it
takes from the first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.words.tokens import Token

# Words that begin a part of its own behind "and" or a mark.
_BEGINS = frozenset(
    {
        "what", "whats", "why", "how", "who", "where", "when", "which", "describe", "explain", "summarize", "tell",
        "does", "do", "did", "is", "are", "was", "were", "has", "have", "had", "can", "could", "may", "might", "would", "whose",
        "whom", "discuss", "outline", "give", "show", "list",
    }
)  # fmt: skip
_REASONS = frozenset({"driver", "drivers", "reason", "reasons", "cause", "causes", "explanation"})
_JOINS = frozenset({"and", "but", "also", "then", "plus"})
_LISTS = frozenset({"and", "plus", "also"})
_MARKS = frozenset("?;.,!")
_OPENS = frozenset(":;.,!")
# Who asks, and how an introduction begins.
_ASKERS = frozenset({"i", "im", "ive", "my", "our", "we", "hi", "hello", "hey", "aside"})
_BLOCKING = frozenset({"should", "buy", "sell", "invest", "ignore", "worth", "write", "predict", "forecast"})
_MANNERS = frozenset(
    {
        "in plain",
        "in simple",
        "in short",
        "in brief",
        "in fact",
        "in general",
        "in layman",
        "compared to",
        "compared with",
        "quick question",
        "quick one",
        "one question",
    }
)
# Words that stand for what the part before asked about.
# With "why" alone these ask of what the part before names: "gross margin, why lower".
_HOW_IT_WENT = frozenset(
    {
        "why", "so", "much", "lower", "higher", "low", "high", "up", "down", "better", "worse", "weak", "weaker",
        "strong", "stronger", "bad", "good", "fall", "fell", "rise", "rose", "drop", "dropped", "decline", "declined", "increase",
        "increased", "decrease", "decreased", "growth", "grow", "grew", "big", "small", "large",
    }
)  # fmt: skip
_STANDS_FOR = frozenset({"it", "this", "that", "they", "them", "these", "those", "he", "she", "him", "her"})
LEAST = 2


@dataclass(frozen=True, slots=True)
class Halves:
    """The tokens of two parts, and those that join them."""

    first: tuple[Token, ...]
    joint: tuple[Token, ...]
    second: tuple[Token, ...]


def halves(question: str, tokens: Sequence[Token]) -> Iterator[Halves]:
    """Every way to cut a question in two where a part of its own begins."""
    for place in range(LEAST, len(tokens) - 1):
        names_reason = tokens[place].stem in {"its", "the"} and tokens[place + 1].stem in _REASONS
        if tokens[place].stem not in _BEGINS and not names_reason:
            continue
        joint = place
        while joint > 0 and tokens[joint - 1].stem in _JOINS:
            joint -= 1
        between = question[tokens[joint - 1].end : tokens[place].start] if joint else ""
        marked = any(mark in between for mark in _MARKS)
        if joint >= LEAST and (joint < place or marked):
            yield Halves(tuple(tokens[:joint]), tuple(tokens[joint:place]), tuple(tokens[place:]))


def introduced(question: str, tokens: Sequence[Token]) -> Iterator[Halves]:
    """Every way to cut a question behind words about who asks and what for: "For our review, which lawsuits ..."."""
    for place in range(1, len(tokens) - 1):
        between = question[tokens[place - 1].end : tokens[place].start]
        begins = tokens[place].stem in _BEGINS and any(mark in between for mark in _OPENS)
        if begins and is_introduction(tokens[:place]):
            yield Halves(tuple(tokens[:place]), (), tuple(tokens[place:]))


def is_introduction(tokens: Sequence[Token]) -> bool:
    """Whether words before a question only say who asks, what for, or in which manner."""
    told = [token.stem for token in tokens]
    if told[0] in _BEGINS or _BLOCKING & set(told):
        return False
    return bool(_ASKERS & set(told)) or " ".join(told[:2]) in _MANNERS


def joined(tokens: Sequence[Token]) -> Iterator[Halves]:
    """Every way to cut a question in two at "and", where no question of its own begins: "revenue 2024 and main risks"."""
    for place in range(LEAST - 1, len(tokens) - 1):
        if tokens[place].stem in _LISTS:
            yield Halves(tuple(tokens[:place]), (tokens[place],), tuple(tokens[place + 1 :]))


def said_in_full(second: Sequence[Token], thing: Sequence[Token]) -> tuple[Token, ...]:
    """The second part with the thing asked in the first in the place of "it".

    The words keep the place of the "it" that they stand for.
    """
    for place, token in enumerate(second):
        named = token.stem == "its" and not place and second[1].stem in _REASONS
        if ((token.stem in _STANDS_FOR and place > 0) or named) and thing:
            words = tuple(replace(one, start=token.start, end=token.end, text=one.text) for one in thing)
            return (*second[:place], *words, *second[place + 1 :])
    if thing and second[0].stem == "why" and all(token.stem in _HOW_IT_WENT for token in second):
        last = second[-1]
        return (*second, *(replace(one, start=last.start, end=last.end) for one in thing))
    return tuple(second)


def stands_for(tokens: Sequence[Token]) -> bool:
    """Whether a part speaks of something by "it" that only the part before can tell."""
    return any(token.stem in _STANDS_FOR for token in tokens)
