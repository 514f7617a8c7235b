"""Divides a document without a form at its own headings: proxy statements, imported reports, news.

No section is much shorter than its share of the document, so that even a document with a heading on each line has a few
dozen; a longer one is cut at the headings below its own.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from filings.document.layout import Layout
from filings.sections.parsed_section import LONGEST_HEADING, ParsedSection, SourceDocument, layout_of
from filings.sections.section_drafts import Range, assembled, trimmed

MOST_SECTIONS = 60  # parts that a long document is divided into at most
LEAST = 1_500  # characters of a section, whatever the document's length
LONGEST = 25_000  # characters from which a section is cut at the headings below its own
LAST_LEVEL = 6
TITLE_ALONE = 200  # characters of a title with little under it, which stands above what follows


def by_own_headings(documents: Sequence[SourceDocument]) -> tuple[ParsedSection, ...]:
    """Sections in order, each with its heading; a document without headings is one. Item is "" for all."""
    found: list[ParsedSection] = []
    for document in documents:
        layout = layout_of(document)
        if layout is None:
            continue
        for start, end in ranges_of(layout):
            text, pages, blocks = assembled(layout, [(start, end)])
            heading = next((text[b.start : b.end] for b in blocks[:1] if b.kind == "heading"), "")
            found.append(
                ParsedSection("", "unverified", heading[:LONGEST_HEADING], "", document.filename, text, pages, blocks)
            )
    return tuple(found)


def ranges_of(layout: Layout) -> list[Range]:
    """The ranges of the sections, which leave out nothing but white space."""
    least = max(LEAST, len(layout.text) // MOST_SECTIONS)
    longest = max(LONGEST, 2 * least)
    parts = [*_cut(layout, 0, len(layout.text), 1, longest)]
    below = [*(_level(layout, start) for start, _ in parts[1:]), 0]
    merged: list[Range] = []
    titled = False  # whether the last one is a title with little under it, which stands above what follows
    for (start, end), next_level in zip(parts, below, strict=True):
        deeper = next_level - _level(layout, start)
        blocks = layout.blocks[layout.block_at(start) : layout.block_at(end)]
        alone = end - start < TITLE_ALONE and (
            deeper > 0 or (deeper == 0 and all(block.kind == "heading" for block in blocks))
        )
        short = end - start < least and not alone
        if merged and (titled or short) and end - merged[-1][0] <= longest:
            merged[-1] = merged[-1][0], end
        else:
            merged.append((start, end))
        titled = alone
    ranges = [trimmed(layout, start, end) for start, end in merged]
    return [(start, end) for start, end in ranges if start < end]


def _cut(layout: Layout, start: int, end: int, level: int, longest: int) -> Iterator[Range]:
    """The parts of a range: cut at its highest headings, and long ones at the headings below."""
    starts: list[int] = []
    while level < LAST_LEVEL and not starts:
        level += 1
        blocks = layout.blocks[layout.block_at(start + 1) : layout.block_at(end)]
        starts = [block.start for block in blocks if block.kind == "heading" and block.level <= level]
    bounds = [start, *starts, end]
    for first, last in pairwise(bounds):
        if last - first > longest and level < LAST_LEVEL:
            yield from _cut(layout, first, last, level, longest)
        else:
            yield first, last


def _level(layout: Layout, start: int) -> int:
    """The level of the heading at an offset; below all levels where there is none."""
    block = layout.blocks[layout.block_at(start)]
    return block.level if block.kind == "heading" else LAST_LEVEL + 1
