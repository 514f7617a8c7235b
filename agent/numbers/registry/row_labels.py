"""Printed row labels, reduced to words so that patterns need not know punctuation."""

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache

_NOTE = re.compile(r"\(\s*(?:see\s+)?(?:notes?\b[^)]*|[0-9]{1,2}|[a-z]{1,2}|unaudited)\s*\)|\[[^\]]*\]", re.IGNORECASE)
_TAIL = re.compile(
    r"[\s,;:.\u2014-]*(?:\bsee\s+)?\bnotes?\s+\d+[a-z]?(?:\s*(?:,|and|&)\s*\d+[a-z]?)*\W*$", re.IGNORECASE
)
_GROUP = re.compile(r"\([^()]*\)")
_DROPPED = re.compile(r"['\u2019\u2018`\u00b4.,*\u2020\u2021\u00ae\u2122]")
_BREAK = re.compile(r"[^a-z0-9%]+")


class Fit(StrEnum):
    """How a printed row label fits a concept."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNKNOWN = "unknown"


def _words(text: str) -> str:
    return _BREAK.sub(" ", _DROPPED.sub("", text.replace("&", " and "))).strip()


@lru_cache(maxsize=4096)
def label_words(label: str) -> tuple[str, str]:
    """A label as (all its words, its words outside parentheses), lower case and single-spaced.

    Note references and footnote marks are dropped from both. "Net (loss) income, see Note 3" becomes
    ("net loss income", "net income").
    """
    text = unicodedata.normalize("NFKC", label).casefold()
    text = _TAIL.sub("", _NOTE.sub(" ", text))
    outside = text
    while (shorter := _GROUP.sub(" ", outside)) != outside:
        outside = shorter
    full = _words(text)
    return full, _words(outside) or full
