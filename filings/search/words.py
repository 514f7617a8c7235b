"""Splits texts and queries into words, in the same way for both indexes."""

import re
from collections.abc import Iterable

WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")  # noqa: RUF001 - as printed
POSSESSIVE = ("'s", "’s")  # noqa: RUF001


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Lucene's EnglishAnalyzer.ENGLISH_STOP_WORDS_SET, which `english` in Elasticsearch leaves out.
STOP_WORDS = _words(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this "
    "to was will with"
)
# In addition: words of asking.
ASKING = _words(
    "about all also any anything can could did do does each from had has have how its many me much our please say says "
    "said show so some tell than them us we were what when where which who whom whose why would you your"
)
MOST_WORDS = 64
ENDINGS = (
    "ations",
    "ation",
    "ingly",
    "edly",
    "ments",
    "ment",
    "ings",
    "ing",
    "ies",
    "ied",
    "es",
    "ed",
    "ly",
    "s",
    "e",
)
LEAST_STEM = 3


def words(text: str) -> list[str]:
    """The words of a text in order: lower case, possessive and stop words left out."""
    found = map(bare, WORD.findall(text.lower()))
    return [word for word in found if word not in STOP_WORDS]


def bare(word: str) -> str:
    """A word without the ending of a possessive."""
    return word[:-2] if word.endswith(POSSESSIVE) else word


def query_words(text: str) -> list[str]:
    """The distinct words of a query, at most 64."""
    return list(dict.fromkeys(words(text)))[:MOST_WORDS]


def content_words(text: str) -> list[str]:
    """The distinct words of a typed search without words of asking; all of its words where no other is left."""
    found = query_words(text)
    return [word for word in found if word not in ASKING] or found


def stem(word: str) -> str:
    """A word without its English ending, for comparisons outside an index."""
    if word.endswith(("ies", "ied")) and len(word) > LEAST_STEM + 1:
        word = f"{word[:-3]}y"
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= LEAST_STEM:
            word = word[: -len(ending)]
            break
    # stopped, planning; not "loss", "call"
    if len(word) > LEAST_STEM + 1 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") else word


def stems(found: Iterable[str]) -> frozenset[str]:
    """The stems of words."""
    return frozenset(stem(word) for word in found)
