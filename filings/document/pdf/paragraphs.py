"""Joins the rows of a page to paragraphs, headings and list entries."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from filings.document.layout.joining import ORNAMENT
from filings.document.layout.lines import BULLET_START
from filings.document.layout.tables import MARK
from filings.document.pdf.hyphens import Hyphens
from filings.document.pdf.printed_lines import PrintedLine, line_of
from filings.document.pdf.rows import Row, parts

LOOSE, LOOSEST = 1.18, 1.75  # of the usual distance of rows, of the size: from which a paragraph ends
USUAL = 1.25  # of the size: the distance of rows where a page does not tell
BLANK = 0.3  # of the size
SPARE = 0.6  # of the size: what a row may leave free beside the next word's width
INDENT = 0.8  # of the size: from which a row is set in
APART = 1.8  # of the size: a gap that divides what stands beside each other
EVEN, ALIGNED = 0.6, 1.5  # points
HANGING = 0.5  # of the size: the gap after a mark that its text hangs from
OTHER_SIZE = 0.6  # points
CENTERED = 4.0  # points


@dataclass(frozen=True, slots=True)
class Measure:
    """The margins of running text, and the usual distance of its rows."""

    left: float
    right: float
    step: float


def measure(rows: Sequence[Row]) -> Measure:
    """The measure of rows of text."""
    steps: Counter[float] = Counter()
    for row, other in pairwise(rows):
        step = other.base - row.base
        if abs(row.size - other.size) < OTHER_SIZE and 0.9 * row.size < step < LOOSEST * row.size:
            # Rows of running text tell more than headings do.
            steps[round(2 * step) / 2] += len(row.words)
    size = max((row.size for row in rows), default=10.0)
    step = steps.most_common(1)[0][0] if steps else USUAL * size
    return Measure(min((row.x0 for row in rows), default=0.0), max((row.x1 for row in rows), default=0.0), step)


def paragraphs(rows: Sequence[Row], on: Measure, page: int, hyphens: Hyphens) -> list[PrintedLine]:
    """The lines that rows make: paragraphs, headings, list entries."""
    groups: list[list[Row]] = []
    for row in rows:
        if ORNAMENT.fullmatch(row.text):
            continue
        if groups and _goes_on(groups[-1], row, on):
            groups[-1].append(row)
        else:
            groups.append([row])
    return [_line(group, on, page, hyphens) for group in groups]


def _goes_on(group: Sequence[Row], row: Row, on: Measure) -> bool:
    """Whether a row continues a paragraph: near, set alike, and broken because its first word had no room."""
    last = group[-1]
    size = max(row.size, last.size)
    step = row.base - last.base
    alone = _is_mark(last)
    if step > max(LOOSE * on.step + 1, (USUAL + 0.1) * size) or step > LOOSEST * size or step < 0:
        return False
    if abs(row.size - last.size) > OTHER_SIZE:
        return False
    if _look(last) != _look(row) and (abs(step - on.step) > EVEN or abs(row.x0 - last.x0) > ALIGNED):
        # Words set apart may begin a paragraph and end with its first row.
        return False
    if _begins_entry(row) or len(parts(row.words, APART * size)) > 1 or _is_divided(last, size):
        return False
    first = row.words[0]
    if not alone and last.x1 + BLANK * size + first.x1 - first.x0 < on.right - SPARE * size:
        return False
    if row.x0 - last.x0 > INDENT * size:
        # Set in: the first row of the next paragraph, or what hangs below a mark.
        return len(group) == 1 and _begins_entry(last)
    return True


def _look(row: Row) -> tuple[bool, bool]:
    """Whether all of a row is bold, and all of it italic."""
    return all(word.bold for word in row.words), all(word.italic for word in row.words)


def _begins_entry(row: Row) -> bool:
    """Whether a row begins with a mark of a list."""
    return (
        BULLET_START.match(row.text) is not None
        or _is_mark(row)
        or (
            len(row.words) > 1
            and MARK.fullmatch(row.words[0].text) is not None
            and row.words[1].x0 - row.words[0].x1 > BLANK * row.size
        )
    )


def _is_mark(row: Row) -> bool:
    return len(row.words) == 1 and MARK.fullmatch(row.text) is not None


def _is_divided(row: Row, size: float) -> bool:
    """Whether a row has parts beside each other, other than a mark and its text."""
    divided = parts(row.words, APART * size)
    marked = len(divided[0]) == 1 and MARK.fullmatch(divided[0][0].text) is not None
    return len(divided) > (2 if marked else 1)


def _line(group: Sequence[Row], on: Measure, page: int, hyphens: Hyphens) -> PrintedLine:
    text = group[0].text
    for row in group[1:]:
        after = row.text
        if text.endswith(("-", "\u2010")) and not text.endswith((" -", " \u2010")):
            text = (text[:-1] if hyphens.is_mended(text, after) else text) + after
        else:
            text += f" {after}"
    centered = all(
        abs((row.x0 + row.x1 - on.left - on.right) / 2) < CENTERED and row.x0 > on.left + row.size for row in group
    )
    line = line_of([row.words for row in group], page, text, centered)
    first = group[0]
    if len(first.words) > 1 and MARK.fullmatch(first.words[0].text):
        line.bullet = line.bullet or first.words[1].x0 - first.words[0].x1 > HANGING * first.size
    return line
