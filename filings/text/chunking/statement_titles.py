"""Which primary statement a printed table is: by the title above it, or by the words of its rows."""

import re
from collections.abc import Sequence

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
# A line that speaks of a statement and is not its title.
NOT_TITLE = re.compile(
    r"\b(?:accompanying|notes?\s+to|see|index|report\s+of|table\s+of\s+contents|following|below|above|our|we|which|is|are|"
    r"was|were|has|have|presented|included|parenthetical|components?|details|data|information|accounts|effects?|impact|"
    r"location)\b|^\W*notes?\b",
    re.IGNORECASE,
)
TITLE_LENGTH = 140
# Words of rows, and how many of each list must be there.
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
    """(statement, title): the nearest of the lines, the last, that is a statement's title; both empty without one."""
    for line in reversed(lines):
        if len(line) <= TITLE_LENGTH and not NOT_TITLE.search(line):
            for kind, pattern in TITLES:
                if pattern.search(line):
                    return kind, line
    return "", ""


def worded(labels: Sequence[str]) -> str:
    """The statement whose lines these row labels are; empty where they are another table's."""
    if len(labels) < MIN_ROWS:
        return ""
    for kind, patterns in ROWS:
        if all(any(re.search(pattern, label, re.IGNORECASE) for label in labels) for pattern in patterns):
            return kind
    return ""
