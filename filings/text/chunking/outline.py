"""The sub-headings that a passage stands under, note titles among them, and the statement that a table is."""

import re
from collections.abc import Sequence

from filings.text.chunking.measured import Measured
from filings.text.chunking.statement_titles import titled, worded

# "Note 5 - Income Taxes", "5. Income Taxes" where the document sets them as paragraphs.
NOTE_TITLE = re.compile(r"(?:notes?\s+)?\d{1,2}[A-Z]?\s*[.:)\u2013\u2014-]*\s+[A-Z][^.]{2,110}\.?", re.IGNORECASE)
NOTE_LEVEL = 2
# Where statements and their notes stand.
STATEMENT_ITEMS = {"8", "15", "16", ""}
HEADING_LENGTH = 300
# So many blocks above a table may hold its title.
ABOVE = 6
# Elsewhere a statement's name is the heading of what is said about it.
NEAR = 2


class HeadingStack:
    """The headings that are open while a section is read from its start."""

    def __init__(self, item: str) -> None:
        self.item = item
        self.open: list[tuple[int, str]] = []

    @property
    def headings(self) -> tuple[str, ...]:
        """Outermost first; the Item's own heading is not among them."""
        return tuple(text for _, text in self.open)

    def see(self, text: str, block: Measured) -> None:
        """Note a block that is passed."""
        level = block.level if block.kind == "heading" else self.note_level(text, block)
        if not level:
            return
        while self.open and self.open[-1][0] >= level:
            self.open.pop()
        if level > 1:
            self.open.append((level, " ".join(text[block.start : block.end].split())[:HEADING_LENGTH]))

    def note_level(self, text: str, block: Measured) -> int:
        """The level of a paragraph that is a note's title; 0 for any other block."""
        if block.kind != "paragraph" or self.item not in STATEMENT_ITEMS or len(block.units) > 2:
            return 0
        words = text[block.start : block.end]
        if len(words) > 120 or not NOTE_TITLE.fullmatch(words):
            return 0
        return NOTE_LEVEL if words.lower().startswith("note") or words.rstrip(".").isupper() else 0

    def statement(self, text: str, table: Measured, above: Sequence[Measured]) -> tuple[str, tuple[str, ...]]:
        """(statement, headings) of a table. A primary statement stands under its own title and nothing else."""
        rows = [text[unit.start : unit.end] for unit in table.units]
        near = ABOVE if self.item in STATEMENT_ITEMS else NEAR
        lines = [" ".join(text[block.start : block.end].split()) for block in above[-near:]]
        # A title may stand in the table itself, alone in its row.
        lines += [row.strip() for row in rows[:3] if "\t" not in row.strip()]
        kind, title = titled(lines)
        if kind:
            return kind, (title,)
        kind = worded([row.strip() for row in rows]) if self.item in STATEMENT_ITEMS else ""
        return kind, self.headings
