"""Sentences around a question: which of its words only carry it, told by the shape of the whole.

A shape is the question with a mark for each company, measure, period and scale, and its other words as they are:
" what did @c book as @m @p ". The patterns of `frames.yaml` run over it and name every word that they cover.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from agent.words.tokens import fold

PATH = Path(__file__).with_name("frames.yaml")

_WORD = re.compile(r"[a-z]{2,}")
_PLURAL = re.compile(r"[a-z]{5,}")


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the question in its shape: a mark (@c, @m, @p, @s) over one or more words, or one word."""

    text: str
    places: range


@dataclass(frozen=True, slots=True)
class Frame:
    """Words that only carry the question: their places, and the statement that they say the measure stands on."""

    places: frozenset[int]
    statement: str = ""


@dataclass(frozen=True)
class Patterns:
    """The patterns of `frames.yaml`, compiled."""

    plain: tuple[re.Pattern[str], ...]
    statements: tuple[tuple[str, re.Pattern[str]], ...]
    words: frozenset[str]


def framed(parts: Sequence[Part]) -> Iterator[Frame]:
    """The frames that stand around the marks of a question.

    parts: the whole question in order. A frame holds no place under a mark.
    """
    text, starts = " ", []
    for part in parts:
        starts.append(len(text))
        text += part.text + " "
    if "@m" not in text:
        return
    for pattern in patterns().plain:
        for hit in pattern.finditer(text):
            if places := _under(hit, parts, starts):
                yield Frame(places)
    for statement, pattern in patterns().statements:
        for hit in pattern.finditer(text):
            if places := _under(hit, parts, starts):
                yield Frame(places, statement)


def _under(hit: re.Match[str], parts: Sequence[Part], starts: Sequence[int]) -> frozenset[int]:
    first, last = hit.span()
    return frozenset(
        place
        for part, start in zip(parts, starts, strict=True)
        if first <= start < last and not part.text.startswith("@")
        for place in part.places
    )


@cache
def patterns() -> Patterns:
    """The compiled patterns, and every word they know."""
    data = yaml.load(PATH.read_bytes(), yaml.CBaseLoader)  # noqa: S506 - strings only
    words = {name: _longest_first(listed) for name, listed in data["words"].items()}
    statements = tuple(
        (name, re.compile(rf"(?<= )(?:{_filled(data['statement'], words | {'statement': words[name]})})(?= )"))
        for name in ("balance", "income", "cashflow")
    )
    lead = "|".join(f"(?:{_filled(pattern, words)})(?= )" for pattern in data["lead"])
    tail = "|".join(f"(?:{_filled(pattern, words)})(?= )" for pattern in data["tail"])
    plain = (
        re.compile(rf"^(?: (?:{lead}))+"),
        re.compile(rf"(?: (?:{tail}))+(?= $)"),
        *(re.compile(rf"(?<= )(?:{_filled(pattern, words)})(?= )") for pattern in data["inside"]),
    )
    known = (
        fold(word)
        for word in _WORD.findall(" ".join((*words.values(), *data["lead"], *data["tail"], *data["inside"])))
    )
    return Patterns(plain, statements, frozenset(known))


def _filled(pattern: str, words: dict[str, str]) -> str:
    for name, listed in words.items():
        pattern = pattern.replace(f"{{{name}}}", f"(?:{listed})")
    # @c: the company, possessive or not; @C: only where it is not.
    pattern = pattern.replace("@c", "@[co]").replace("[cm", "[com").replace("[cp", "[cop").replace("@C", "@c")
    return _PLURAL.sub(lambda word: fold(word.group()), pattern)


def _longest_first(listed: str) -> str:
    """Alternatives so that "pull up" is tried before "pull"."""
    if "(" in listed:
        return re.sub(r"\|\s+", "|", listed)
    entries: Iterable[str] = (" ".join(entry.split()) for entry in listed.split("|"))
    return "|".join(sorted(entries, key=len, reverse=True))
