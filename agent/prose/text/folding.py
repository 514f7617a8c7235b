"""When two texts are the same words: what typesetting may change is folded away, with a way back to the offsets.

Folded: Unicode compatibility forms (ligatures, full width), characters of no width, runs of white space, quotation
marks, dashes, and the space around a dash between words. The case of the first letter is left to `first_letters`.
Never folded: superscripts and fractions, whose compatibility forms are other numbers (10² is not 102, 5½ not 51/2).
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

SINGLE = "'`\u00b4\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a"
DOUBLE = '"\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033\u2036'
# Dashes and minus signs; the soft hyphen has no width and is dropped instead.
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
BULLETS = "\u2022\u25cf\u25aa\u25ab\u25a0\u25a1\u25e6\u2023\u00b7\u2219*"
# Variation selectors choose a glyph, not a character.
SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))

# What stands between one item of a list and the next; "o" and the dash are bullets only before a word.
BEFORE = re.compile(rf"^(?:[{BULLETS}\s]+|[-o]\s(?=[A-Za-z]))+")
AFTER = re.compile(r"(?:\s*[;,.]|;?\s+(?:and|or))+$")
PLAIN = re.compile(r"[A-Za-z0-9.,;:()$%/&]+(?: [A-Za-z0-9.,;:()$%/&]+)*")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and, for each of its characters, the range of the original that it stands for."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def range(self, start: int, end: int) -> tuple[int, int]:
        """The original range of text[start:end], which is not empty."""
        return self.starts[start], self.ends[end - 1]


@lru_cache(maxsize=256)
def fold(text: str) -> Folded:
    """The folded text, without white space at its ends."""
    if PLAIN.fullmatch(text):
        return Folded(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))
    characters: list[tuple[str, int, int]] = []
    for shown, start, end in _characters(text):
        last = characters[-1][0] if characters else " "
        if (shown == " " and last == " ") or (shown == "-" and last == "-"):
            if shown == "-":
                characters[-1] = ("-", characters[-1][1], end)
            continue
        characters.append((shown, start, end))
    while characters and characters[-1][0] == " ":
        characters.pop()
    kept = [one for place, one in enumerate(characters) if not _beside_dash(characters, place)]
    return Folded(
        "".join(shown for shown, _, _ in kept),
        tuple(start for _, start, _ in kept),
        tuple(end for _, _, end in kept),
    )


def _characters(text: str) -> list[tuple[str, int, int]]:
    """Each character folded by itself, with its range; accents belong to the letter before them."""
    found: list[tuple[str, int, int]] = []
    place, length = 0, len(text)
    while place < length:
        begin = place
        character = text[place]
        place += 1
        if "!" <= character <= "~" and (place == length or text[place] < "\u0300"):
            found.append((_one(character), begin, place))
            continue
        while place < length and (unicodedata.combining(text[place]) or text[place] in SELECTORS):
            place += 1
        cluster = "".join(one for one in text[begin:place] if one not in SELECTORS and not _unseen(one))
        found += [(_one(shown), begin, place) for shown in _normal(cluster)]
    return found


def _unseen(character: str) -> bool:
    return unicodedata.category(character) == "Cf"


def _normal(cluster: str) -> str:
    """Compatibility form, where it is not another number, nor spelt with a space (the accent alone: U+00A8)."""
    if any(unicodedata.category(one) == "No" or one in SINGLE + DOUBLE + DASHES for one in cluster):
        return cluster
    normal = unicodedata.normalize("NFKC", cluster)
    if not cluster.isspace() and (" " in normal or any(map(_unseen, normal))):
        return unicodedata.normalize("NFC", cluster)
    return normal


def _one(character: str) -> str:
    if character.isspace():
        return " "
    if character in DASHES:
        return "-"
    if character in SINGLE:
        return "'"
    return '"' if character in DOUBLE else character


def _beside_dash(characters: list[tuple[str, int, int]], place: int) -> bool:
    """Whether a character is the space between a word and a dash that has a word on its other side."""

    def at(offset: int) -> str:
        where = place + offset
        return characters[where][0] if 0 <= where < len(characters) else ""

    if at(0) != " ":
        return False
    after_dash = at(-1) == "-" and at(1).isalpha() and (at(-2).isalpha() or (at(-2) == " " and at(-3).isalpha()))
    before_dash = at(1) == "-" and at(-1).isalpha() and (at(2).isalpha() or (at(2) == " " and at(3).isalpha()))
    return after_dash or before_dash


def first_letters(text: str) -> tuple[str, ...]:
    """A folded text with its first letter as it is, and in the other case; marks may stand before it."""
    for place, character in enumerate(text):
        if character.isalpha():
            other = character.swapcase()
            if len(other) == 1 and other != character and other.swapcase() == character:
                return text, text[:place] + other + text[place + 1 :]
            break
        if character.isalnum():
            break
    return (text,)


def same(one: str, other: str) -> bool:
    """Whether two texts are the same words, but for what typesetting may change."""
    return fold(one).text in first_letters(fold(other).text)


def same_item(one: str, other: str) -> bool:
    """The same words but for the bullet before and the separator after an item of a list."""
    return same(one, other) or (bool(bare(one)) and bare(one) in first_letters(bare(other)))


def bare(text: str) -> str:
    """A folded text without the bullet before it and the separator after it."""
    return AFTER.sub("", BEFORE.sub("", fold(text).text))


def places(quote: str, text: str) -> list[tuple[int, int]]:
    """Every range of `text` that holds the words of `quote`, whole words only, in order."""
    folded = fold(text)
    found = []
    for needle in first_letters(fold(quote).text):
        start = folded.text.find(needle) if needle else -1
        while start >= 0:
            end = start + len(needle)
            if _whole(folded.text, start, end):
                found.append(folded.range(start, end))
            start = folded.text.find(needle, start + 1)
    return sorted(set(found))


def places_anew(words: str, text: str) -> list[tuple[int, int]]:
    """As `places`, wherever white space stands between the characters: a text that is read anew may have it elsewhere."""
    folded, needle = _unspaced(text), _unspaced(words).text
    starts = [hit.start() for hit in re.finditer(re.escape(needle), folded.text)] if needle else []
    found = [folded.range(start, start + len(needle)) for start in starts]
    return [span for span in found if _whole(text, *span)]


@lru_cache(maxsize=64)
def _unspaced(text: str) -> Folded:
    """The folded text without any white space."""
    folded = fold(text)
    kept = [place for place, one in enumerate(folded.text) if one != " "]
    starts, ends = (tuple(of[place] for place in kept) for of in (folded.starts, folded.ends))
    return Folded("".join(folded.text[place] for place in kept), starts, ends)


def _whole(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] cuts no word and no number."""

    def joined(left: str, right: str, beyond: str) -> bool:
        if left.isalnum() and right.isalnum():
            return True
        # "1,200.5" is one number: its comma and point join digits.
        return (left.isdigit() and right in ".," and beyond.isdigit()) or (
            right.isdigit() and left in ".," and beyond.isdigit()
        )

    before = start > 0 and joined(
        text[start - 1],
        text[start],
        text[start + 1 : start + 2] if text[start] in ".," else text[start - 2 : start - 1],
    )
    after = end < len(text) and joined(
        text[end - 1], text[end], text[end + 1 : end + 2] if text[end] in ".," else text[end - 2 : end - 1]
    )
    return not before and not after
