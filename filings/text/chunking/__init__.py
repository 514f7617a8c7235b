"""Cuts a section into chunks of about 430 word pieces for search, and windows for embedding.

A chunk is an ordered list of ranges of the section's text. Prose has one; a part of a table has its caption, its header
rows and a group of rows, so that each part can be read alone and verification still reads the filing's own characters.
Every character of the section is in a chunk, and none of another section.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from filings.document.blocks import Block, Page, page_at
from filings.models.section import ChunkKind, chunk_text
from filings.text.chunking.contextual import contextual_prefix, window_texts
from filings.text.chunking.outline import HeadingStack
from filings.text.chunking.table_chunks import Caption, caption_of, table_parts
from filings.text.chunking.word_pieces import (
    OVERLAP,
    PARENT,
    PROSE_WINDOW,
    WINDOW,
    Measured,
    Unit,
    measure,
    sliding,
    within,
)

__all__ = ["ParsedChunk", "chunk", "contextual_prefix", "window_texts"]

# From this many pieces on, a sub-heading begins a new chunk; shorter parts stay together.
ENOUGH = 150
# A rest this short is joined to the chunk before it.
REST = 64

Range = tuple[int, int]


class Text(Protocol):
    """A section as `filings.sections` reads it; a stored one has the same."""

    @property
    def item(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def pages(self) -> Sequence[Page]: ...

    @property
    def blocks(self) -> Sequence[Block]: ...


@dataclass(frozen=True, slots=True)
class ParsedChunk:
    """One chunk before it has a number: all positions are of the section's text, pieces are word pieces."""

    item: str
    kind: str
    ranges: tuple[Range, ...]
    windows: tuple[tuple[Range, ...], ...]
    headings: tuple[str, ...]
    statement: str
    page_first: int | None
    page_last: int | None
    pieces: int
    sha256: str


@dataclass(slots=True)
class Passage:
    """A run of prose being collected."""

    units: list[Unit] = field(default_factory=list)
    pieces: int = 0

    def add(self, unit: Unit) -> None:
        self.units.append(unit)
        self.pieces += unit.pieces

    def cut_headings(self) -> "Passage":
        """Remove headings at the end, which belong to what follows. Headings alone stay."""
        keep = len(self.units)
        while keep and self.units[keep - 1].heading:
            keep -= 1
        rest = Passage()
        if keep:
            for unit in self.units[keep:]:
                rest.add(unit)
            del self.units[keep:]
            self.pieces -= rest.pieces
        return rest


def chunk(section: Text, beat: Callable[[], None] = lambda: None) -> list[ParsedChunk]:
    """The chunks of a section in order, the same for the same section. beat: called now and then."""
    return Chunking(section, measure(section.text, section.blocks, beat), beat).run()


class Chunking:
    """Collects the chunks of one section."""

    def __init__(self, section: Text, measured: Sequence[Measured], beat: Callable[[], None]) -> None:
        self.section, self.measured, self.beat = section, measured, beat
        self.made: list[ParsedChunk] = []
        self.outline = HeadingStack(section.item)
        # The headings that each unit stands under, by its start.
        self.under: dict[int, tuple[str, ...]] = {}
        self.starts: list[int] = []
        # Where the headings that open begin.
        self.openers = {block.start for block in measured if block.opens}

    def run(self) -> list[ParsedChunk]:
        stretch: list[Measured] = []
        after = 0
        for place, block in enumerate(self.measured):
            if block.kind != "table":
                stretch.append(block)
                continue
            caption = caption_of(self.section.text, self.measured[after:place])
            self.prose(stretch, caption)
            self.table(block, caption, self.measured[after:place])
            stretch, after = [], place + 1
        self.prose(stretch, None)
        return self.made

    # --- prose ---

    def prose(self, stretch: Sequence[Measured], caption: Caption | None) -> None:
        """Chunks of the blocks between two tables; `caption` is the part that the following table repeats."""
        passages: list[Passage] = []
        current = Passage()

        def close() -> None:
            nonlocal current
            rest = current.cut_headings()
            if current.units:
                passages.append(current)
            current = rest

        for block in stretch:
            self.outline.see(self.section.text, block)
            for unit in block.units:
                self.under[unit.start] = self.outline.headings
                self.starts.append(unit.start)
            if block.opens:
                # Headings alone that open nothing stand above this one.
                if not all(unit.heading and unit.start not in self.openers for unit in current.units):
                    close()
                if any(unit.start in self.openers for unit in current.units):
                    passages.append(current)
                    current = Passage()
            elif block.kind == "heading":
                if current.pieces >= ENOUGH and not current.units[-1].heading:
                    close()
            elif block.pieces <= PARENT < current.pieces + block.pieces and current.pieces >= PARENT // 2:
                close()
            for unit in within(self.section.text, block.units, PARENT):
                if current.units and current.pieces + unit.pieces > PARENT:
                    close()
                current.add(unit)
        if current.units:
            passages.append(current)
        self.join_rest(passages)
        if passages and caption:
            passages[-1] = self.without_caption(passages[-1], caption)
        for passage in passages:
            if passage.units:
                self.add_prose(passage)

    def join_rest(self, passages: list[Passage]) -> None:
        """Join a short last passage to the one before it where both have the same headings."""
        if len(passages) < 2 or passages[-1].pieces >= REST or passages[-1].units[0].heading:
            return
        before, rest = passages[-2:]
        if before.pieces + rest.pieces <= PARENT + REST:
            for unit in rest.units:
                before.add(unit)
            passages.pop()

    def without_caption(self, passage: Passage, caption: Caption) -> Passage:
        """A passage without the caption of the following table; nothing where all of it is the caption."""
        units = list(passage.units)
        if all(unit.start >= caption.start for unit in units):
            return Passage()
        while units and units[-1].heading and units[-1].start >= caption.start:
            units.pop()
        return Passage(units, sum(unit.pieces for unit in units))

    def add_prose(self, passage: Passage) -> None:
        units = passage.units
        windows = sliding(within(self.section.text, units, WINDOW), PROSE_WINDOW, OVERLAP)
        self.add(
            ChunkKind.PROSE,
            ((units[0].start, units[-1].end),),
            tuple(((window[0].start, window[-1].end),) for window in windows),
            self.headings_of(units),
            "",
            (units[0].start, units[-1].end),
            passage.pieces,
        )

    def headings_of(self, units: Sequence[Unit]) -> tuple[str, ...]:
        """The headings that most of a passage stands under."""
        shares: dict[tuple[str, ...], int] = {}
        for unit in [unit for unit in units if not unit.heading] or units:
            headings = self.headings_at(unit)
            shares[headings] = shares.get(headings, 0) + unit.pieces
        return max(shares, key=lambda headings: shares[headings])

    def headings_at(self, unit: Unit) -> tuple[str, ...]:
        """The headings of a unit, which may be a part of the sentence that they are known by."""
        return self.under[self.starts[bisect_right(self.starts, unit.start) - 1]]

    # --- tables ---

    def table(self, block: Measured, caption: Caption | None, above: Sequence[Measured]) -> None:
        statement, headings = self.outline.statement(self.section.text, block, above)
        for part in table_parts(self.section.text, block, caption):
            self.add(
                ChunkKind.TABLE,
                part.ranges,
                part.windows,
                headings,
                statement,
                part.ranges[-1],
                part.pieces,
            )

    def add(
        self,
        kind: str,
        ranges: tuple[Range, ...],
        windows: tuple[tuple[Range, ...], ...],
        headings: tuple[str, ...],
        statement: str,
        span: Range,
        pieces: int,
    ) -> None:
        """Add a chunk whose own text, without captions and headers, is `span`."""
        self.beat()
        first, last = page_at(self.section.pages, span[0]), page_at(self.section.pages, max(span[0], span[1] - 1))
        text = chunk_text(self.section.text, [list(pair) for pair in ranges])
        self.made.append(
            ParsedChunk(
                item=self.section.item,
                kind=str(kind),
                ranges=ranges,
                windows=windows,
                headings=headings,
                statement=statement,
                page_first=first.number if first else None,
                page_last=last.number if last else None,
                pieces=pieces,
                sha256=hashlib.sha256(text.encode()).hexdigest(),
            )
        )
