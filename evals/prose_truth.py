"""Truths of prose goldens: a passage of a filing kept as the hash of its words, and where those words stand in a text.

A filing's text is nobody's to store here. A truth keeps how many words a passage has and the hash of them, so that it
is found again in any text that holds the passage, whatever its white space, quotes, dashes and offsets.
"""

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

# Plain letters, else one character and the accents that belong to it: folding goes by these, so that offsets stay known.
_CLUSTER = re.compile("[\0-\x7f]+(?![\u0300-\u036f])|[^\u0300-\u036f][\u0300-\u036f]*|[\u0300-\u036f]+", re.DOTALL)
_WORD = re.compile("[a-z0-9]+")
# Soft hyphen, zero-width space and joiners, byte order mark: no width, so they part no words.
_UNSEEN = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")


class Folded(NamedTuple):
    """The words of a text joined by one space, where each begins and ends in that, and in the text itself."""

    joined: str
    places: tuple[tuple[int, int], ...]
    spans: tuple[tuple[int, int], ...]


def fold(text: str) -> list[str]:
    """The words of a text as truths compare them: NFKC, lower case, runs of a-z and 0-9."""
    return _WORD.findall(_lowered(text)[0])


def fingerprint(text: str) -> tuple[int, str]:
    """How many words a passage has, and the SHA-256 of them joined by one space."""
    words = fold(text)
    return len(words), _hash(" ".join(words))


def locate(text: str, words: int, sha256: str) -> tuple[int, int] | None:
    """Where the passage first stands in the text, from its first word's start to its last word's end."""
    return next(iter(_found(text, words, sha256, 1)), None)


def locate_all(text: str, words: int, sha256: str) -> list[tuple[int, int]]:
    """Every place of the passage in the text, in order."""
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
    """The text in NFKC and lower case without characters of no width, and where each of its characters came from."""
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
