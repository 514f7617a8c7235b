"""Joins lines that belong together: sentences interrupted by a page or picture, bullets apart from their text."""

import re
from collections.abc import Sequence

from filings.document.layout.lines import BULLETS, ITEM_START, LETTERS, Line, is_item_title

LONGEST_REJOINED = 20_000  # the longest paragraph that joining may make
BROKEN = 60  # characters of a line that does not end a paragraph
SENTENCE_END = re.compile(r"[.!?:;][)\]”\u2019\"'*\d]*$")
SENTENCE = re.compile(r"[a-z0-9)][.!?]\s+[A-Z]")
# "volume was", "categories.", never "a.", "d)", "or" alone, "iPhone", "x" before a box.
GOING_ON = re.compile(r"(?!(?:or|and)$)(?:[a-z]{2,}|a)(?:[\s,;:)'\"\u2019\u201d-]|$|(?<=[a-z]{2})\.(?=\s|$))")
# Rules, asterisks and dots alone, which only separate.
ORNAMENT = re.compile(r"[\s_*~=.,·\u2010-\u2015-]+")
LONE_BULLET = re.compile(rf"[{BULLETS}]")
CONNECTED = re.compile(
    r"(?:\b(?:and|or|of|the|to|in|for|a|an|by|with|our|its|on|at|from|as|that|which|is|are|was|were|be|not|their|these|this|we|us|U\.S\.)|[,\u2013—-])$"
)


def without_ornaments(lines: Sequence[Line]) -> list[Line]:
    """Lines without separators; a bullet on its own line is joined to the text after it."""
    kept: list[Line] = []
    anchors: list[str] = []
    bullet = ""
    for line in lines:
        if line.grid is None and ORNAMENT.fullmatch(line.text):
            anchors += line.anchors
            continue
        if line.grid is None and LONE_BULLET.fullmatch(line.text):
            anchors += line.anchors
            bullet = line.text
            continue
        if bullet and line.grid is None and not line.bullet:
            line.text, line.bullet = f"{bullet} {line.text}", True
        bullet = ""
        if anchors:
            line.anchors, anchors = [*anchors, *line.anchors], []
        kept.append(line)
    return kept


def rejoined(lines: Sequence[Line]) -> list[Line]:
    """Paragraphs interrupted by a page break, joined; the page begins inside them."""
    whole: list[Line] = []
    for line in lines:
        last = whole[-1] if whole else None
        if last and (_goes_on(last, line) if last.last_page < line.page else _is_broken(last, line)):
            gap = "" if last.text.endswith("-") and not last.text.endswith(" -") else " "
            offset = len(last.text) + len(gap)
            last.text += gap + line.text
            last.breaks += [(offset, line.page)] if last.last_page < line.page else []
            last.breaks += [(at + offset, page) for at, page in line.breaks]
            last.anchors += line.anchors
            last.links += line.links
            last.bold, last.italic = last.bold and line.bold, last.italic and line.italic
            last.underline = last.underline and line.underline
            continue
        whole.append(line)
    return whole


def _goes_on(last: Line, line: Line) -> bool:
    """Whether a sentence at the end of a page continues in the first line of the next."""
    if last.grid or line.grid or line.bullet or len(last.text) > LONGEST_REJOINED:
        return False
    end = last.text[-80:]
    if SENTENCE_END.search(end) or ITEM_START.match(line.text) or is_item_title(last.text):
        return False
    if not LETTERS.search(line.text) or (last.bold, last.italic, last.caps) != (line.bold, line.italic, line.caps):
        return False
    if line.text[0].islower():
        return len(last.text) > 40 or bool(CONNECTED.search(end))
    if CONNECTED.search(end):
        return True
    # List entries often end without a full stop; one with a sentence in it does not.
    return len(last.text) > 80 and not last.is_marked and (not last.bullet or bool(SENTENCE.search(last.text)))


def _is_broken(last: Line, line: Line) -> bool:
    """Whether a sentence is split over two elements of one page, as around a picture or at the foot of a column."""
    if last.grid or line.grid or line.bullet or not BROKEN <= len(last.text) < LONGEST_REJOINED:
        return False
    if (last.bold, last.italic, last.underline, last.caps) != (line.bold, line.italic, line.underline, line.caps):
        return False
    ends = last.text[-1].islower() or (last.text[-1] == "," and line.size == last.size)
    return ends and bool(GOING_ON.match(line.text)) and not last.caps
