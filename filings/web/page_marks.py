"""Where the cited words of a section are printed on the picture of a page.

Text is compared without blanks and hyphens, which a page may break anywhere: the words found on the page are those of
the section, since both are read from the same file.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from filings.document.blocks import Page
from filings.importing.page_pictures import DrawnPage

LEFT_OUT = re.compile(r"[\s\u00ad\u2010-]+")
PIECES = re.compile(r"[\n\t]+")
CONTEXT = 60  # characters before the words
WHITE = 1.5  # points of space around the words of a mark


@dataclass(frozen=True, slots=True)
class Box:
    """A marked part of one line, in points from the upper left corner of the page."""

    x: float
    y: float
    width: float
    height: float


def bare(text: str) -> str:
    return LEFT_OUT.sub("", text)


def boxes(
    drawn: DrawnPage, text: str, pages: Sequence[Page], number: int, ranges: Iterable[tuple[int, int]]
) -> list[Box]:
    """The boxes of ranges of a section's text on its page `number`; none for what is not printed on it."""
    start, end = stretch(text, pages, number)
    lines = [bare(line.text) for line in drawn.lines]
    printed = "".join(lines)
    begins = list(accumulate((len(line) for line in lines), initial=0))
    found = []
    for first, last in ranges:
        first, last = max(first, start), min(last, end)
        if first < last:
            for at, until in spans(printed, text[first:last], bare(text[start:first])):
                found += cut(drawn, begins, at, until)
    return found


def stretch(text: str, pages: Sequence[Page], number: int) -> tuple[int, int]:
    """The part of a section's text that stands on a page; an empty one for a page that has none of it."""
    starts = [page.start for page in pages if page.number == number]
    if not starts:
        return 0, 0
    after = [page.start for page in pages if page.start > starts[0]]
    return starts[0], min(after, default=len(text))


def spans(printed: str, quote: str, before: str) -> list[tuple[int, int]]:
    """Where a quotation stands among the printed characters, behind those before it: whole, or else piece by piece."""
    if (whole := found_behind(printed, bare(quote), before)) is not None:
        return [whole]
    found: list[tuple[int, int]] = []
    for piece in map(bare, PIECES.split(quote)):
        at = found_behind(printed, piece, before)
        if at is not None:
            found.append(at)
        before += piece
    return found


def found_behind(printed: str, words: str, before: str) -> tuple[int, int] | None:
    """Where words stand: of several places the one with most of what precedes them, then that nearest to its length."""
    if not words:
        return None
    places = [match.start() for match in re.finditer(f"(?={re.escape(words)})", printed)]
    if not places:
        return None
    at = max(
        places, key=lambda place: (alike(printed[max(place - CONTEXT, 0) : place], before), -abs(place - len(before)))
    )
    return at, at + len(words)


def alike(one: str, other: str) -> int:
    """How many characters at the ends of two texts are the same, up to those that tell places apart."""
    pairs = zip(reversed(one[-CONTEXT:]), reversed(other[-CONTEXT:]), strict=False)
    return next((count for count, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other), CONTEXT))


def cut(drawn: DrawnPage, begins: Sequence[int], at: int, until: int) -> Iterable[Box]:
    """The boxes of the lines from one printed character to another, each cut to its share of characters."""
    for number in range(bisect_right(begins, at) - 1, len(drawn.lines)):
        start, end = begins[number], begins[number + 1]
        if start >= until:
            return
        if start == end:
            continue
        line = drawn.lines[number]
        wide = (line.x1 - line.x0) / (end - start)
        x0, x1 = line.x0 + wide * (max(at, start) - start), line.x0 + wide * (min(until, end) - start)
        yield Box(
            round(x0 - WHITE, 1),
            round(line.y0 - WHITE, 1),
            round(x1 - x0 + 2 * WHITE, 1),
            round(line.y1 - line.y0 + 2 * WHITE, 1),
        )
