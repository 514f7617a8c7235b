"""Where the text of a PDF file stands on its pages."""

import logging
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from filings.document.pdf.hyphens import MARKS
from filings.document.pdf.printed_lines import Mark

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Place:
    """A range of the text and the box it is printed in: points from the upper left corner of the page."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """A page: its number from 1, its size as shown in points, and its places in the order of the text."""

    number: int
    width: float
    height: float
    places: tuple[Place, ...] = ()

    def boxes(self, start: int, end: int) -> list[Place]:
        """The places of a range, cut to it: a place cut within is as wide as its share of characters."""
        first = max(bisect_left(self.places, start, key=lambda place: place.end), 0)
        found = []
        for place in self.places[first:]:
            if place.start >= end:
                break
            from_, to = max(start, place.start), min(end, place.end)
            if from_ < to:
                wide = (place.x1 - place.x0) / (place.end - place.start)
                x0, x1 = place.x0 + wide * (from_ - place.start), place.x0 + wide * (to - place.start)
                found.append(Place(from_, to, x0, place.y0, x1, place.y1))
        return found


def places(text: str, marks: Iterable[Mark]) -> dict[int, list[Place]]:
    """The places of each page. `marks` have the characters of the text in order, but for blanks and mended hyphens."""
    found: dict[int, list[Place]] = {}
    at = 0
    for mark in marks:
        span = _span(text, at, mark.text)
        if span is None:
            logger.error("The places of a PDF file's text are lost from character %s.", at)
            break
        start, at = span
        if at > start:
            found.setdefault(mark.page, []).append(Place(start, at, *mark.box))
    return found


def _span(text: str, at: int, words: str) -> tuple[int, int] | None:
    """Where words stand that follow in a text; None where something else does."""
    while at < len(text) and text[at].isspace():
        at += 1
    if text.startswith(words, at):
        return at, at + len(words)
    start = at
    for character in words:
        if character.isspace():
            continue
        while at < len(text) and text[at].isspace():
            at += 1
        if at < len(text) and text[at] == character:
            at += 1
        elif character not in MARKS:
            return None
    return start, at
