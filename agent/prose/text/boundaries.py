"""Where a quotation may begin and end: at a sentence, bullet, heading or table row, never inside one."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from filings.document.blocks import Block, read_blocks
from filings.document.sentences import sentence_spans

Range = tuple[int, int]

# Characters from the sentence that opens a list to the end of what is picked to be quoted of it.
LONGEST_LIST = 1_400

# The sentence that opens a list.
OPENS_LIST = re.compile(r"[:\u2014\u2013-]\s*$")
# A list that is not marked as one: "(i) ...", "1. ...".
ENUMERATED = re.compile(r"\(?(?:[ivx]{1,4}|[a-z]|\d{1,2})[.)]\s")


class Bounds:
    """The boundaries of one frozen text.

    blocks: as `Section.blocks` stores them; only those that are asked about are read.
    """

    def __init__(self, text: str, blocks: Sequence[Sequence[Any]]) -> None:
        self.text = text
        self.stored = blocks
        self.begins: list[int] = [row[1] for row in blocks]

    def block(self, place: int) -> Block:
        return read_blocks((self.stored[place],))[0]

    def units(self, block: Block) -> list[Range]:
        """The sentences of a block, or the rows of a table."""
        if block.kind != "table":
            return sentence_spans(self.text, block.start, block.end)
        rows: list[Range] = []
        line = block.start
        while line <= block.end:
            stop = self.text.find("\n", line, block.end)
            stop = block.end if stop < 0 else stop
            row = trimmed(self.text, line, stop)
            if row[0] < row[1]:
                rows.append(row)
            line = stop + 1
        return rows

    def widened(self, start: int, end: int) -> Range:
        """The least range from boundary to boundary that holds text[start:end]."""
        start, end = trimmed(self.text, start, end)
        if start >= end:
            return start, end
        first = self._units_at(start)
        last = first if first and end <= first[-1][1] else self._units_at(end - 1)
        begin = next((unit[0] for unit in first if start < unit[1]), start)
        stop = next((unit[1] for unit in last if end <= unit[1]), end)
        return min(begin, start), max(stop, end)

    def _units_at(self, offset: int) -> list[Range]:
        place = self.place(offset)
        if place is None:
            # A text that no block holds has its sentences all the same, between its line feeds.
            begin = self.text.rfind("\n", 0, offset) + 1
            stop = self.text.find("\n", offset)
            return sentence_spans(self.text, begin, len(self.text) if stop < 0 else stop)
        return self.units(self.block(place))

    def lead_in(self, start: int) -> Range | None:
        """The sentence that opens the list in which text[start] stands, where it is in one and does not open it."""
        place = bisect_right(self.begins, start) - 1
        if place < 0 or not self._listed(place):
            return None
        for before in range(place - 1, -1, -1):
            if self._listed(before):
                continue
            block = self.block(before)
            said = self.text[block.start : block.end]
            if block.kind == "table" or not OPENS_LIST.search(said):
                return None
            spans = sentence_spans(self.text, block.start, block.end)
            return spans[-1] if spans else None
        return None

    def _listed(self, place: int) -> bool:
        kind, start = self.stored[place][0], self.stored[place][1]
        return kind == "bullet" or (kind == "paragraph" and bool(ENUMERATED.match(self.text, start)))

    def headings(self, place: int) -> Iterator[int]:
        """The places of the headings that a block stands under, the nearest first."""
        level = self.block(place).level if self.stored[place][0] == "heading" else 100
        for before in range(place - 1, -1, -1):
            if self.stored[before][0] == "heading" and (of := self.block(before).level) < level:
                yield before
                level = of
            if level <= 1:
                return

    def paragraphs(self, start: int, end: int) -> Range:
        """text[start:end], widened to the ends of the paragraphs in which it begins and ends; never in a table."""
        first, last = self.place(start), self.place(end - 1)
        begin = self.begins[first] if first is not None and self.stored[first][0] != "table" else start
        stop = self.stored[last][2] if last is not None and self.stored[last][0] != "table" else end
        return min(begin, start), max(stop, end)

    def place(self, offset: int) -> int | None:
        """The block that holds text[offset]."""
        place = bisect_right(self.begins, offset) - 1
        return place if place >= 0 and offset < self.stored[place][2] else None


def trimmed(text: str, start: int, end: int) -> Range:
    """The range without the white space at its ends."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return (start + left, start + len(piece.rstrip())) if left < len(piece) else (start, start)


def overlap(one: Sequence[Range], other: Sequence[Range]) -> bool:
    """Whether any of these ranges shares characters with any of the others."""
    return any(start < last and first < end for start, end in one for first, last in other)
