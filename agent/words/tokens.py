"""Splits a question into words: as typed, with position, and in compared form.

Everything is compared in one folded form: lower case, no accents, no possessive, singular, "&" as "and", a hyphen as a
space. Questions, registry aliases, phrases and company names all go through `tokenise`, so that "R&D", "r and d" and "R
& D" are the same three words everywhere.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import yaml

_TOKEN = re.compile(
    r"""
    (?:[a-z]\.){2,}                     # U.S., P.L.C.
    | \d+(?:,\d{3})+(?:\.\d+)?          # 1,234,567
    | \d+\.\d+                          # 12.5
    | [^\W_]+(?:\.?'[a-z]+)*'?          # words, with their apostrophes: Apple's, Inc.'s
    | [^\w\s]                           # symbols, one by one
    """,
    re.VERBOSE,
)
# Marks that only separate words. "%", "/", "+", "=", "<", ">", "*" and currency signs except "$" have a meaning.
_SILENT = frozenset(
    ".,;:!?\"'()[]{}-_~`#$|\\\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u2022\u00b7\u2026\u00bf\u00a1\u25e6\u2043"
)
# "$m" is a scale, and "m" alone is not.
_DOLLAR_SCALES = frozenset({"m", "mm", "mn", "mil", "mln", "b", "bn", "k"})
_APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc\u00b4\u2032`"), "'")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")

_FORMS = yaml.load(Path(__file__).with_name("forms.yaml").read_bytes(), yaml.CBaseLoader)  # noqa: S506 - strings only
_SINGULAR = frozenset(_FORMS["singular"])
_JOINED = {tuple(words.split()): word for words, word in _FORMS["joined"].items()}
_SPLIT = {word: tuple(words.split()) for word, words in _FORMS["split"].items()}
_JOINED_PREFIXES = frozenset({"non"})
_APART = re.compile(r"[()\[\],;:?!]")


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a question. `start` and `end` are offsets in the question as typed."""

    text: str
    start: int
    end: int
    stem: str  # compared form: apple for Apple's, revenue for Revenues
    base: str  # lower case without possessive: apple, revenues
    joined: str  # lower case, apostrophes dropped: apples, lowes, mcdonalds
    possessive: bool = False
    capital: bool = False
    upper: bool = False
    cashtag: bool = False
    slip: bool = False


@dataclass(frozen=True, slots=True)
class Plain:
    """A question in plain characters, with the place of each in the original."""

    text: str
    offsets: tuple[int, ...]  # one more than characters: the last is the end of the original


@lru_cache(maxsize=64)
def plain(question: str) -> Plain:
    """Fold the characters (NFKC, accents, quotes, dashes, case) and keep where each stood."""
    characters: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(question):
        for part in _plain_of(character):
            characters.append(part)
            offsets.append(offset)
    return Plain("".join(characters), (*offsets, len(question)))


@lru_cache(maxsize=4096)
def _plain_of(character: str) -> str:
    """What one character is in plain ones; kept, because a few of them make up every label that is compared."""
    folded = unicodedata.normalize("NFKD", character.translate(_APOSTROPHES).translate(_DASHES))
    if sum(not unicodedata.combining(part) for part in folded) > 1 and not folded.isalpha():
        folded = character  # a fraction or a sign made of several: one word, and none we know
    found = ""
    for part in folded.translate(_APOSTROPHES).translate(_DASHES).lower():
        category = unicodedata.category(part)
        if category in {"Mn", "Cf", "Cc"} and not part.isspace():
            continue
        # Pictures say nothing that a figure could depend on.
        found += " " if part.isspace() or category in {"So", "Sk"} else part
    return found


def singular(word: str) -> str:
    """The singular of an English word, by rule; a word of four letters or fewer is left alone (Ares, this, plus)."""
    if len(word) < 5 or not word.endswith("s") or word in _SINGULAR or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word[:-1]


def fold(word: str) -> str:
    """The compared form of one lower-case word without possessive."""
    word = singular(word)
    return word[:-7] + "ization" if word.endswith("isation") and len(word) > 10 else word


def tokenise(question: str) -> tuple[Token, ...]:
    """The words of a question, in order. Silent punctuation has no token; a symbol that says something has one."""
    folded = plain(question)
    tokens: list[Token] = []
    for match in _TOKEN.finditer(folded.text):
        word = match.group()
        if word in _SILENT:
            continue
        start, end = folded.offsets[match.start()], folded.offsets[match.end() - 1] + 1
        cashtag = match.start() > 0 and folded.text[match.start() - 1] == "$"
        tokens.extend(_tokens_of(word, question, start, end, cashtag))
    return tuple(_joined(question, tokens))


def _tokens_of(word: str, question: str, start: int, end: int, cashtag: bool) -> list[Token]:
    text = question[start:end]
    if word == "&":
        return [Token(text, start, end, "and", "and", "and")]
    word = word.replace(".", "") if not word[0].isdigit() else word.replace(",", "")
    base, possessive = word, False
    if word.endswith(("'s", "s'")):
        base, possessive = word[:-2] if word.endswith("'s") else word[:-1], True
    base = base.strip("'").replace("'", "")
    joined = word.replace("'", "")
    letters = [letter for letter in text if letter.isalpha()]
    # Apple's and AMD's are written with a small s.
    if possessive and text[-1:] in {"s", "S"}:
        letters = letters[:-1]
    capital = bool(letters) and letters[0].isupper()
    upper = bool(letters) and all(letter.isupper() for letter in letters)
    if base in _SPLIT:
        parts = _SPLIT[base]
        middle = start + len(parts[0])
        return [
            Token(question[start:middle], start, middle, fold(parts[0]), parts[0], parts[0], capital=capital),
            Token(question[middle:end], middle, end, fold(parts[1]), parts[1], parts[1], possessive),
        ]
    stem = f"${base}" if cashtag and base in _DOLLAR_SCALES else fold(base)
    return [Token(text, start, end, stem, base, joined, possessive, capital, upper, cashtag)]


def _joined(question: str, tokens: Sequence[Token]) -> Iterable[Token]:
    """The tokens with "pre-tax", "buy-backs" and "non-operating" made one word each; across brackets and commas none is."""
    result: list[Token] = []
    for token in tokens:
        last = result[-1] if result else None
        apart = last is not None and _APART.search(question[last.end : token.start])
        if last is not None and not last.possessive and not apart:
            word = _JOINED.get((last.base, token.base)) or _JOINED.get((last.base, token.stem))
            if word is None and last.base in _JOINED_PREFIXES and token.base.isalpha():
                word = last.base + token.stem
            if word is not None:
                gap = " " if token.start > last.end else ""
                result[-1] = replace(
                    last,
                    text=f"{last.text}{gap}{token.text}",
                    end=token.end,
                    stem=fold(word),
                    base=word,
                    joined=word,
                    possessive=token.possessive,
                )
                continue
        result.append(token)
    return result


def in_capitals(tokens: Iterable[Token]) -> bool:
    """Whether every word is in capitals: then they tell no name or ticker from another word."""
    return all(token.upper for token in tokens if token.text.isalpha())


def joined_names(tokens: Sequence[Token]) -> list[int]:
    """The places of each "&" between words with capitals, as in a name: "Good & Gather"; none where all is in capitals."""
    places = [] if in_capitals(tokens) else range(2, len(tokens) - 1)
    return [at for at in places if tokens[at].text == "&" and tokens[at - 1].capital and tokens[at + 1].capital]


@lru_cache(maxsize=4096)
def stems(text: str) -> tuple[str, ...]:
    """The compared form of a phrase: what aliases and phrase lists are keyed by."""
    return tuple(token.stem for token in tokenise(text))
