"""Splits a printed table into parts, each with the table's caption and header rows; rows are never split."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from filings.text.chunking.word_pieces import PARENT, WINDOW, Measured, Unit, sliding, within

# A caption or header with more pieces is not repeated with each part.
MOST_CAPTION, MOST_HEADER = 100, 120
LONGEST_REPEATED = 10_000  # characters of either: a word without an end is one piece
CAPTION_BLOCKS = 3
CAPTION = re.compile(
    r"\b(?:following|below|as follows|table)\b|\(.{0,30}(?:millions|thousands|billions|dollars)", re.IGNORECASE
)

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TablePart:
    """A part of a table as ranges of the section's text, its rows last."""

    ranges: tuple[Range, ...]
    windows: tuple[tuple[Range, ...], ...]
    pieces: int


@dataclass(frozen=True, slots=True)
class Caption:
    """The text that introduces a table: one range, and its word pieces."""

    start: int
    end: int
    pieces: int


def caption_of(text: str, above: Sequence[Measured]) -> Caption | None:
    """The headings and short lines directly above a table; None where there are none."""
    first, pieces = len(above), 0
    while first and len(above) - first < CAPTION_BLOCKS:
        block = above[first - 1]
        words = text[block.start : block.end]
        introduces = block.kind == "heading" or (
            block.kind == "paragraph" and (not words.endswith(".") or CAPTION.search(words) is not None)
        )
        if not introduces or pieces + block.pieces > MOST_CAPTION or above[-1].end - block.start > LONGEST_REPEATED:
            break
        first, pieces = first - 1, pieces + block.pieces
    return Caption(above[first].units[0].start, above[-1].units[-1].end, pieces) if first < len(above) else None


def table_parts(text: str, table: Measured, caption: Caption | None) -> list[TablePart]:
    """The parts of a table: caption, header rows and a group of rows of about `PARENT` pieces in all."""
    rows = table.units
    header = rows[: table.header]
    header_pieces = sum(row.pieces for row in header)
    length = header[-1].end - header[0].start if header else 0
    if header_pieces > MOST_HEADER or length > LONGEST_REPEATED or len(header) == len(rows):
        header, header_pieces = (), 0
    body = rows[len(header) :]
    head: tuple[Range, ...] = ((caption.start, caption.end),) if caption else ()
    head += (span(header),) if header else ()
    above = header_pieces + (caption.pieces if caption else 0)
    parts = []
    for group in groups(body, PARENT - above):
        pieces = above + sum(row.pieces for row in group)
        ranges = (*head, span(group))
        windows: tuple[tuple[Range, ...], ...] = (ranges,)
        if pieces > WINDOW:
            # Windows need room for rows: without the caption, and without the header, where they take half of it.
            taken = above
            inner = head
            if taken > WINDOW // 2:
                inner, taken = ((span(header),), header_pieces) if header else ((), 0)
            if taken > WINDOW // 2:
                inner, taken = (), 0
            room = WINDOW - taken
            cut = within(text, group, room)
            windows = tuple((*inner, span(window)) for window in sliding(cut, room, room // 5))
            # Text that no window repeats gets one of its own.
            windows = (*((one,) for one in head if one not in inner), *windows)
        parts.append(TablePart(ranges, windows, pieces))
    return parts


def groups(rows: Sequence[Unit], limit: int) -> list[list[Unit]]:
    """Rows in order, in groups of at most `limit` pieces and similar size; a longer row is alone."""
    total = sum(row.pieces for row in rows)
    parts = max(1, -(-total // limit))
    aim = min(limit, total / parts * 1.1)
    made: list[list[Unit]] = []
    size = 0
    for row in rows:
        if not made or size + row.pieces > aim:
            made.append([])
            size = 0
        made[-1].append(row)
        size += row.pieces
    return made


def span(units: Sequence[Unit]) -> Range:
    """From the first unit to the last."""
    return units[0].start, units[-1].end
