"""The order in which a page is read: columns of text one after another, what stands across them before and after."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, floor

from filings.document.layout.tables import is_figure
from filings.document.pdf.characters import Word
from filings.document.pdf.rows import WIDE, Row, parts, rows_of

LEAST_ROWS = 5  # of a column of text
FULL = 0.7  # of a column's width: rows of running text
MOSTLY = 0.5  # of a column's rows that are running text
FIGURES = 0.2  # of a column's words: more are a table's
NARROWEST = 0.2  # of the width of the rows: a narrower column is one of labels or numbers
GUTTER = 4.0  # points on each side of the middle of a gutter without any word
APART = 3  # gutters' widths between two places that are tried
MOST_STEPS = 200  # gutters' widths of a gap
TRIED = 6  # places where a gutter may be
DEEPEST = 4  # columns within columns


def regions(words: Sequence[Word], deep: int = 0) -> list[list[Row]]:
    """Words of one direction as runs of rows, in the order of reading."""
    rows = rows_of(words)
    found = _gutter(rows) if deep < DEEPEST else None
    if found is None:
        return [rows] if rows else []
    first, last, at = found
    band = [word for row in rows[first:last] for word in row.words]
    read = regions([word for row in rows[:first] for word in row.words], deep + 1)
    read += regions([word for word in band if word.x0 < at], deep + 1)
    read += regions([word for word in band if word.x0 >= at], deep + 1)
    read += regions([word for row in rows[last:] for word in row.words], deep + 1)
    return read


def _gutter(rows: Sequence[Row]) -> tuple[int, int, float] | None:
    """The rows from and to which two columns of text stand, and where between them; None without such."""
    for at in _candidates(rows):
        for first, last in _bands(rows, at):
            left = [[word for word in row.words if word.x0 < at] for row in rows[first:last]]
            right = [[word for word in row.words if word.x0 >= at] for row in rows[first:last]]
            if _is_text(left, right) and _is_text(right, left):
                return first, last, at
    return None


def _candidates(rows: Sequence[Row]) -> list[float]:
    """Where most rows have a gap, the most first."""
    free: Counter[int] = Counter()
    for row in rows:
        for one, other in pairwise(parts(row.words, WIDE * row.size)):
            first, last = ceil(one[-1].x1 / GUTTER), floor(other[0].x0 / GUTTER)
            free.update(range(first, min(last, first + MOST_STEPS) + 1))
    places: list[int] = []
    for place, count in free.most_common():
        if count < LEAST_ROWS or len(places) == TRIED:
            break
        if all(abs(place - other) > APART for other in places):
            places.append(place)
    return [place * GUTTER for place in places]


def _bands(rows: Sequence[Row], at: float) -> Iterator[tuple[int, int]]:
    """Runs of rows without a word across a gutter."""
    first = 0
    for number, row in enumerate(rows):
        if any(word.x0 < at + GUTTER / 2 and word.x1 > at - GUTTER / 2 for word in row.words):
            if number - first >= LEAST_ROWS:
                yield first, number
            first = number + 1
    if len(rows) - first >= LEAST_ROWS:
        yield first, len(rows)


def _is_text(side: Sequence[Sequence[Word]], other: Sequence[Sequence[Word]]) -> bool:
    """Whether the words on one side of a gutter are running text."""
    held = [words for words in side if words]
    if len(held) < LEAST_ROWS:
        return False
    words = [word for row in held for word in row]
    if sum(is_figure(word.text) for word in words) > FIGURES * len(words):
        return False
    left, right = min(row[0].x0 for row in held), max(row[-1].x1 for row in held)
    across = [word for row in other for word in row]
    if right - left < NARROWEST * (
        max([right, *(word.x1 for word in across)]) - min([left, *(word.x0 for word in across)])
    ):
        return False
    full = sum(
        row[-1].x1 - row[0].x0 > FULL * (right - left) and len(parts(row, WIDE * row[0].size)) == 1 for row in held
    )
    return full >= max(LEAST_ROWS - 1, MOSTLY * len(held))
