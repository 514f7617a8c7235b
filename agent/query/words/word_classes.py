"""The closed classes of English that questions are made of (`word_classes.yaml`), as meanings of folded words."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from agent.words.tokens import stems, tokenise

PATH = Path(__file__).with_name("word_classes.yaml")
# Sections of the file whose entries are lists of words by name; the others are one list.
_NAMED = {
    "frame": "frame",
    "verbs": "verb",
    "meaning_verbs": "named_verb",
    "qualifiers": "qualifier",
    "statements": "statement",
    "statements_in_short": "statement_in_short",
    "statement_forms": "statement_form",
    "scales": "scale",
    "operations": "operation",
    "comparators": "comparator",
    "guards": "guard",
    "intents": "intent",
    "particulars": "particular",
    "parts": "part",
}
_SINGLE = {
    "percent": ("unit", "percent"),
    "points": ("unit", "points"),
    "bps": ("unit", "bps"),
    "absolute": ("unit", "absolute"),
    "other_units": ("currency", ""),
    "non_gaap": ("non_gaap", ""),
    "interim": ("interim", ""),
    "text": ("text", ""),
    "text_else": ("text_else", ""),
}
# Operations that say how a figure moves from one year to another.
GROWING = ("growth", "change", "rise", "fall", "yoy", "qoq")
# Those by which a row of the cash flow statement may be called, though it is the change itself.
MOVING = frozenset({"change", "rise", "fall"})
# Terminals of formulas that put two values together.
SIGNS = frozenset({"PLUS", "MINUS", "TIMES", "SLASH", "OVER", "SHARE"})
EXTREMES = frozenset({"highest", "lowest"})

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What words may mean: a kind, and a value that depends on the kind."""

    kind: str
    value: Any = ""


COURTESY = Meaning("frame", "polite")


@cache
def classes() -> dict[Key, tuple[Meaning, ...]]:
    """Folded words -> what they mean among the closed classes; one phrase may be in several."""
    found: dict[Key, dict[Meaning, None]] = {}
    for phrase, meaning in _entries():
        if key := stems(phrase):
            found.setdefault(key, {})[meaning] = None
    return {key: tuple(meanings) for key, meanings in found.items()}


@cache
def courtesies() -> frozenset[str]:
    """Words of courtesy and of manner as they are listed: they have no plural."""
    return frozenset(phrase for phrase, meaning in _entries() if meaning == COURTESY)


@cache
def kinds_of_parts() -> dict[Key, str]:
    """Folded words of the kinds of parts that a company may have -> segment, product or region."""
    markets = ((phrase, "region") for phrase in connecting("market"))
    return {stems(phrase): name for phrase, name in (*_by_kind(), *markets)}


@cache
def participles() -> dict[str, tuple[str, ...]]:
    """Class of verb -> participles that a measure's name may end in: income taxes paid."""
    return {name: tuple(listed) for name, listed in _data()["participles"].items()}


@cache
def short_forms() -> dict[str, Key]:
    """Short form -> the folded words it stands for."""
    return {word: stems(full) for word, full in _data()["short"].items()}


@cache
def synonyms() -> dict[str, str]:
    """Word in names of measures -> the one that it is compared as."""
    return {word: name for name, listed in _data()["synonyms"].items() for word in _split(listed)}


@cache
def row_words() -> dict[str, frozenset[str]]:
    """Class of verb, or qualifier -> words in the name of a row that bears it."""
    return {name: frozenset(_split(listed)) for name, listed in _data()["row_words"].items()}


@cache
def connecting(name: str) -> frozenset[str]:
    """Single words, as typed, of one class of those that connect."""
    return frozenset(_split(_data()["connecting"][name]))


@cache
def formula_words() -> dict[Key, str]:
    """Words of formulas, as typed -> the terminal of their grammar that they are."""
    listed = {name: words for name, words in _data()["formulas"].items() if name.isupper()}
    return {
        tuple(token.base for token in tokenise(phrase)): name
        for name, words in listed.items()
        for phrase in _split(words)
    }


@cache
def instruction_words() -> dict[Key, str]:
    """Words of instructions, as typed -> the terminal of their grammar that they are, or BINDS."""
    listed = _data()["instructions"].items()
    return {
        tuple(token.base for token in tokenise(phrase)): name for name, words in listed for phrase in _split(words)
    }


@cache
def defining(name: str) -> frozenset[Key]:
    """Words between what is defined and its formula: "defining" bind, "defined" say that it is defined."""
    return frozenset(tuple(token.base for token in tokenise(phrase)) for phrase in _split(_data()["formulas"][name]))


@cache
def changing(name: str) -> frozenset[Key]:
    """Folded words of one class of those by which a question changes the table before it."""
    return frozenset(filter(None, map(stems, _split(_data()["changes"][name]))))


def _entries() -> Iterator[tuple[str, Meaning]]:
    data = _data()
    for section, kind in _NAMED.items():
        for name, listed in data[section].items():
            yield from ((phrase, Meaning(kind, name)) for phrase in _split(listed))
    for phrase, name in _by_kind():
        for said in (
            f"by {phrase}",
            f"per {phrase}",
            f"{phrase} by {phrase}",
            f"for each {phrase}",
            f"by each {phrase}",
        ):
            yield from ((said, Meaning(kind, name)) for kind in ("axis", "part"))
    both = product(connecting("at home"), connecting("home beside abroad"), connecting("abroad"))
    yield from ((" ".join(said), Meaning(kind, "region")) for said in both for kind in ("axis", "part"))
    for section, (kind, value) in _SINGLE.items():
        yield from ((phrase, Meaning(kind, value)) for phrase in _split(data[section]))


def _by_kind() -> Iterator[tuple[str, str]]:
    """Every name of a kind of parts, with the kind."""
    for section in ("parts", "by"):
        yield from (
            (phrase, name) for name, listed in _data()[section].items() if name != "other" for phrase in _split(listed)
        )


def _split(listed: str) -> list[str]:
    return [phrase.strip() for phrase in listed.split("|")]


@cache
def _data() -> dict[str, Any]:
    # The base loader keeps every scalar a string: "no" and "on" are words here, not truth values.
    return dict(yaml.load(PATH.read_bytes(), yaml.CBaseLoader))  # noqa: S506 - strings only
