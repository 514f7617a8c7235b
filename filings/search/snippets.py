"""The part of a passage that shows why it was found."""

from bisect import bisect_left
from collections.abc import Sequence

from filings.search.words import POSSESSIVE, STOP_WORDS, WORD, stem

LENGTH = 320  # characters
MOST_HIGHLIGHTS = 40


def snippet(text: str, ranges: Sequence[tuple[int, int]], words: Sequence[str]) -> tuple[int, str, list[list[int]]]:
    """(start in the section's text, the snippet, [[start, end], ...] in the snippet) of the range with most hits.

    words: of the query and its variants; a phrase counts word by word. The snippet is cut at words, has the text's
    own characters, and stays within one range.
    """
    wanted = {stem(word) for phrase in words for word in WORD.findall(phrase.lower())}
    wanted -= {stem(word) for word in STOP_WORDS}
    best: tuple[int, int, int, list[tuple[int, int]]] | None = None
    for start, end in ranges:
        found = [
            (match.start(), match.end(), key)
            for match in WORD.finditer(text, start, end)
            if (key := key_of(match[0])) in wanted
        ]
        starts = [place for place, _, _ in found] or [start]
        for number, place in enumerate(starts):
            last = bisect_left(starts, place + LENGTH - LENGTH // 4)
            # Different words say more than one word again and again.
            worth = 10 * len({key for _, _, key in found[number:last]}) + (last - number)
            if best is None or worth > best[0]:
                best = worth, start, end, [(a, b) for a, b, _ in found[number:last]]
    if best is None:
        return 0, "", []
    _, start, end, marks = best
    first, last_character = cut(text, start, end, marks[0][0] if marks else start)
    shown = [[a - first, b - first] for a, b in marks if first <= a and b <= last_character]
    return first, text[first:last_character], shown[:MOST_HIGHLIGHTS]


def key_of(word: str) -> str:
    return stem(POSSESSIVE.sub("", word.lower()))


def cut(text: str, start: int, end: int, place: int) -> tuple[int, int]:
    """About `LENGTH` characters of a range around a place, whole words, some of them before it."""
    first = max(start, place - LENGTH // 4)
    if first > start:
        while first < place and not text[first - 1].isspace():
            first += 1
    last = min(end, first + LENGTH)
    if last < end:
        while last > place and not text[last].isspace():
            last -= 1
        if last <= place:
            last = min(end, first + LENGTH)
    while last > first and text[last - 1].isspace():
        last -= 1
    return first, last
