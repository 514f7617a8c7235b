"""The sub-headings above a passage, including note titles, and the statement that a table is."""

import re
from collections.abc import Sequence

from filings.text.chunking.word_pieces import Measured

# "Note 5 - Income Taxes", "5. Income Taxes" where the document sets them as paragraphs.
NOTE_TITLE = re.compile(r"(?:notes?\s+)?\d{1,2}[A-Z]?\s*[.:)\u2013\u2014-]*\s+[A-Z][^.]{2,110}\.?", re.IGNORECASE)
NOTE_LEVEL = 2
# Where statements and their notes stand.
STATEMENT_ITEMS = {"8", "15", "16", "I.1", "20F.8", "20F.17", "20F.18", "99.1", "99.2", ""}
HEADING_LENGTH = 300
# How many blocks above a table may contain its title.
ABOVE = 6
# Elsewhere a statement's name is the heading of a discussion.
NEAR = 2


# In this order: "Statements of Operations and Comprehensive Loss" is an income statement.
TITLES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("cashflow", r"\bstatements?\s+of\s+(?:consolidated\s+)?cash\s?flows?\b|\bcash\s?flows?\s+statements?\b"),
        ("balance", r"\bbalance\s+sheets?\b|\bstatements?\s+of\s+(?:consolidated\s+)?financial\s+(?:position|condition)\b"),
        (
            "income",
            r"\bstatements?\s+of\s+(?:consolidated\s+)?(?:net\s+)?(?:operations|income|earnings|loss|losses|results)\b"
            r"|\b(?:income|earnings|operations)\s+statements?\b",
        ),
        ("comprehensive", r"\bstatements?\s+of\s+(?:consolidated\s+)?(?:other\s+)?comprehensive\b"
                          r"|\bcomprehensive\s+(?:income|loss|earnings)\s+statements?\b"),
        ("equity", r"\bstatements?\s+of\s+[\w ,'\u2019()-]{0,90}\b(?:equity|deficit|investment|capital)\b"),
    )
)  # fmt: skip
# A line about a statement that is not its title.
NOT_TITLE = re.compile(
    r"\b(?:accompanying|notes?\s+to|see|index|report\s+of|table\s+of\s+contents|following|below|above|our|we|which|is|are|"
    r"was|were|has|have|presented|included|parenthetical|components?|details|data|information|accounts|effects?|impact|"
    r"location)\b|^\W*notes?\b",
    re.IGNORECASE,
)
TITLE_LENGTH = 140
# Row words typical of statements, and how many of each list are needed.
ROWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("cashflow", (r"operating activities", r"investing activities", r"financing activities")),
    ("balance", (r"^total assets", r"^total liabilities", r"equity|deficit|capital")),
    (
        "income",
        (r"revenue|net sales|sales", r"before.{0,40}taxes|provision for.{0,30}taxes|income tax", r"^net (?:income|loss|earnings)", r"per .{0,20}share"),
    ),
)  # fmt: skip
MIN_ROWS = 8


def titled(lines: Sequence[str]) -> tuple[str, str]:
    """(statement, title): the nearest line that is a statement's title; both empty without one."""
    for line in reversed(lines):
        if len(line) <= TITLE_LENGTH and not NOT_TITLE.search(line):
            for kind, pattern in TITLES:
                if pattern.search(line):
                    return kind, line
    return "", ""


def worded(labels: Sequence[str]) -> str:
    """The statement with these row labels; empty for other tables."""
    if len(labels) < MIN_ROWS:
        return ""
    for kind, patterns in ROWS:
        if all(any(re.search(pattern, label, re.IGNORECASE) for label in labels) for pattern in patterns):
            return kind
    return ""


class HeadingStack:
    """The open headings while a section is read from its start."""

    def __init__(self, item: str) -> None:
        self.item = item
        self.open: list[tuple[int, str]] = []

    @property
    def headings(self) -> tuple[str, ...]:
        """The open headings, outermost first, without the Item's own."""
        return tuple(text for _, text in self.open)

    def see(self, text: str, block: Measured) -> None:
        """Record a block."""
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
        """(statement, headings) of a table. A primary statement is only under its own title."""
        rows = [text[unit.start : unit.end] for unit in table.units]
        near = ABOVE if self.item in STATEMENT_ITEMS else NEAR
        lines = [" ".join(text[block.start : block.end].split()) for block in above[-near:]]
        # A title may be in the table itself, alone in its row.
        lines += [row.strip() for row in rows[:3] if "\t" not in row.strip()]
        kind, title = titled(lines)
        if kind:
            return kind, (title,)
        kind = worded([row.strip() for row in rows]) if self.item in STATEMENT_ITEMS else ""
        return kind, self.headings
