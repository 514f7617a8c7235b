"""Filters a model's words for users: no links, markup, copied instructions, or numbers that nobody asked with."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from agent.programs.program_inputs import cleaned
from agent.prose.verification.digits import NUMBER_WORD, digit_problem
from filings.document.sentences import sentence_spans

# This many words in a row are a copy.
COPIED = 8
_LINK = re.compile(
    r"[a-z][a-z0-9+.-]*://|\bwww\.|\b(?:javascript|data|mailto):|!?\[[^\]]*\]\s*\(|[<>`{}\\]|\[\[|\]\]|\b[\w.-]+\.(?:com|net|org|io|dev)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[^\s]*\d[^\s]*")
_WORD = re.compile(r"[^\W_]+")


def shown(text: str, asked: Iterable[str], instructions: str, most: int = 3) -> str:
    """The sentences of a text that may be shown, at most `most`.

    asked: texts whose numbers may be repeated, such as the question. instructions: text that no sentence may reveal.
    """
    if copies(text, instructions):
        return ""
    kept = (one for one in sentences(text) if is_showable(one, asked, instructions))
    return " ".join(one for one, _ in zip(kept, range(most), strict=False))


def is_showable(text: str, asked: Iterable[str], instructions: str) -> bool:
    """Whether a model's sentence or phrase may be shown: without a number or link of its own."""
    if not text or leads_away(text):
        return False
    if digit_problem(text, exempt=sorted(numbers(asked), key=len, reverse=True)):
        return False
    return not copies(text, instructions)


def leads_away(text: str) -> bool:
    """Whether a text has an address, a link or markup."""
    return bool(_LINK.search(text))


def line(text: str) -> str:
    """A text on one line, without invisible characters."""
    return " ".join(cleaned(text).split())


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, each on one line."""
    said = line(text)
    return (said[start:end] for start, end in sentence_spans(said))


def numbers(texts: Iterable[str]) -> set[str]:
    """Every word with a digit in the texts, with and without punctuation, and every number in words."""
    words = {
        word for text in texts for word in (*_NUMBER.findall(text), *(one[0] for one in NUMBER_WORD.finditer(text)))
    }
    return words | {word.strip(".,;:!?()\"'\u2019\u201c\u201d") for word in words}


def copies(text: str, instructions: str) -> bool:
    """Whether a text repeats so many words of the instructions in a row."""
    return not _runs(text).isdisjoint(_held_runs(instructions))


@lru_cache(maxsize=32)
def _held_runs(text: str) -> frozenset[tuple[str, ...]]:
    return _runs(text)


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = [word.lower() for word in _WORD.findall(text)]
    return frozenset(tuple(words[place : place + COPIED]) for place in range(len(words) - COPIED + 1))
