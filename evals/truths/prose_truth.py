"""Truths of prose goldens: a filing's passage kept as the hash of its words, and its position in a text.

Text of filings is not stored here. A truth has the number of words and their hash, so that the passage is found again
in any text, whatever its white space, quotes, dashes and offsets.
"""

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

# A plain letter, or one character with its accents: folding works on these, so that offsets stay known.
_CLUSTER = re.compile("[\0-\x7f]+(?![\u0300-\u036f])|[^\u0300-\u036f][\u0300-\u036f]*|[\u0300-\u036f]+", re.DOTALL)
_WORD = re.compile("[a-z0-9]+")
# Soft hyphen, zero-width space and joiners, byte order mark: zero width, so they separate no words.
_UNSEEN = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")


class Folded(NamedTuple):
    """The words of a text joined by single spaces, with the positions of each in that and in the text."""

    joined: str
    places: tuple[tuple[int, int], ...]
    spans: tuple[tuple[int, int], ...]


def fold(text: str) -> list[str]:
    """The words of a text as truths compare them: NFKC, lower case, runs of a-z and 0-9."""
    return _WORD.findall(_lowered(text)[0])


def fingerprint(text: str) -> tuple[int, str]:
    """The number of a passage's words, and the SHA-256 of them joined by single spaces."""
    words = fold(text)
    return len(words), _hash(" ".join(words))


def locate(text: str, words: int, sha256: str) -> tuple[int, int] | None:
    """The first position of the passage in the text, from its first word's start to its last word's end."""
    return next(iter(_found(text, words, sha256, 1)), None)


def locate_all(text: str, words: int, sha256: str) -> list[tuple[int, int]]:
    """Every position of the passage in the text, in order."""
    return _found(text, words, sha256, 0)


def _found(text: str, words: int, sha256: str, most: int) -> list[tuple[int, int]]:
    folded = _folded(text)
    found: list[tuple[int, int]] = []
    if words < 1:
        return found
    for first in range(len(folded.places) - words + 1):
        last = first + words - 1
        if _hash(folded.joined[folded.places[first][0] : folded.places[last][1]]) == sha256:
            found.append((folded.spans[first][0], folded.spans[last][1]))
            if len(found) == most:
                break
    return found


def _hash(words: str) -> str:
    return hashlib.sha256(words.encode("ascii")).hexdigest()


# Truths of one section are located one after another.
@lru_cache(maxsize=64)
def _folded(text: str) -> Folded:
    lowered, origin = _lowered(text)
    words, places, spans, at = [], [], [], 0
    for match in _WORD.finditer(lowered):
        word = match.group()
        words.append(word)
        places.append((at, at + len(word)))
        spans.append((origin[match.start()], origin[match.end() - 1] + 1))
        at += len(word) + 1
    return Folded(" ".join(words), tuple(places), tuple(spans))


def _lowered(text: str) -> tuple[str, list[int]]:
    """The text in NFKC and lower case without zero-width characters, and each character's original position."""
    parts: list[str] = []
    origin: list[int] = []
    for match in _CLUSTER.finditer(text):
        cluster = match.group()
        if cluster.isascii():
            parts.append(cluster.lower())
            origin.extend(range(match.start(), match.end()))
            continue
        cluster = unicodedata.normalize("NFKC", _UNSEEN.sub("", cluster)).lower()
        parts.append(cluster)
        origin.extend([match.start()] * len(cluster))
    return "".join(parts), origin
