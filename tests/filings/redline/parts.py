"""Sections written line by line: "# " opens a heading, "| " a table row, and every other line is a paragraph."""

from itertools import groupby

from filings.document.blocks import BLOCK_GAP, ROW_GAP, Block, stored_blocks
from filings.models import Filing, Section
from filings.redline.comparison import Comparison, compare

KINDS = {"#": "heading", "|": "table"}


def section(*lines: str, item: str = "1A", year: int = 2025) -> Section:
    """A section of these lines, of a fiscal year's report. Table rows that follow each other are one table."""
    text, blocks = "", []
    for kind, run in groupby(lines, key=lambda line: KINDS.get(line[:1], "paragraph")):
        told = [line[2:].replace(" | ", "\t") if kind != "paragraph" else line for line in run]
        for said in [ROW_GAP.join(told)] if kind == "table" else told:
            text += BLOCK_GAP if text else ""
            level = 2 if kind == "heading" else 0
            blocks.append(Block(kind, len(text), len(text) + len(said), level))  # type: ignore[arg-type]
            text += said
    return Section(filing=Filing(fiscal_year=year), item=item, text=text, blocks=stored_blocks(blocks))


def compared(old: list[str], new: list[str]) -> Comparison:
    return compare(section(*old, year=2024), section(*new))


def told(comparison: Comparison) -> list[tuple[str, str, str]]:
    """(kind, older words, newer words) of everything but what stayed the same, in reading order."""
    found = []
    for part in comparison.parts:
        for pair in (pair for paragraph in part.all for pair in paragraph.pairs):
            if pair.kind == "same":
                continue
            old = comparison.old.text[pair.old.start : pair.old.end] if pair.old else ""
            new = comparison.new.text[pair.new.start : pair.new.end] if pair.new else ""
            found.append((f"{pair.kind}{' from here' if pair.left else ''}", old, new))
    return found
