"""Finds the financial statements where they are not under their own Item, such as Item 8: in Item 15, after Item 16, in
Item 7, or in an exhibit.
"""

import re
from collections.abc import Iterable

from filings.document.blocks import Block
from filings.document.layout import Layout
from filings.sections.section_drafts import Draft, Source, trimmed, without

OPENING = re.compile(
    r"(?:report|reports)\s+of\s+(?:the\s+)?(?:independent|management)\b"
    r"|management.{0,4}s\s+(?:annual\s+)?(?:report|responsibility|assessment)"
    r"|index\s+to\s+(?:the\s+)?(?:consolidated\s+)?financial\s+statements"
    r"|statement\s+of\s+management|(?:audited\s+)?(?:consolidated\s+)?financial\s+statements\b"
    r"|(?:[\w.,&\u2019' ]{0,80}\s)?(?:consolidated\s+)?(?:balance\s+sheets?|statements?\s+of\s+(?:consolidated\s+)?"
    r"(?:net\s+)?(?:income|operations|earnings|financial\s+position|comprehensive|cash\s+flows))\b",
    re.IGNORECASE,
)
AUDITOR_REPORT = re.compile(
    r"reports?\s+of\s+(?:the\s+)?independent\s+(?:registered|auditors?)|report\s+of\s+management\b"
    r"|management.{0,3}s\s+(?:annual\s+)?report\s+on",
    re.IGNORECASE,
)
BALANCE = re.compile(r"\btotal\s+assets\b", re.IGNORECASE)
FUNDS = re.compile(r"\b(?:liabilities|equity)\b", re.IGNORECASE)
CLOSING = re.compile(
    r"\W*(?:signatures?|exhibits?\s+index|index\s+(?:to|of)\s+exhibits|exhibits|power\s+of\s+attorney|glossary.*)\W*$",
    re.IGNORECASE,
)
LEAST_ROWS = 10
FAR = 30_000  # characters between the parts before the balance sheet: an auditor's report is shorter


STUB = 6_000  # characters of an Item 8 without statements


def statements_range(
    layout: Layout, stops: Iterable[int], contents: frozenset[int], after: int = 0
) -> tuple[int, int] | None:
    """The range from the auditor's report, or the first statement, to the end of the notes; None where there is none.

    `stops` are offsets of Item headings: a range has none of them after its first statement. `after` skips what is
    before an offset.
    """
    balance = next(
        (
            number
            for number, block in enumerate(layout.blocks)
            if block.start >= after and block.kind == "table" and _is_balance_sheet(layout, block)
        ),
        None,
    )
    if balance is None:
        return None
    ordered = sorted(stops)
    at = layout.blocks[balance].start
    floor = max((stop for stop in ordered if stop <= at), default=0)
    first = balance
    for number in range(balance, -1, -1):
        block = layout.blocks[number]
        if block.start <= max(floor, after - 1) or number in contents:
            break
        if layout.blocks[first].start - block.start > FAR:
            break
        if _opens(layout, number, block):
            first = number
    ceiling = min((stop for stop in ordered if stop > at), default=len(layout.text))
    last = balance
    for number in range(balance, len(layout.blocks)):
        block = layout.blocks[number]
        if block.start >= ceiling or (block.kind != "table" and CLOSING.match(layout.of(block)[:120])):
            break
        last = number
    return layout.blocks[first].start, layout.blocks[last].end


def _is_balance_sheet(layout: Layout, block: Block) -> bool:
    if len(block.rows) < LEAST_ROWS:
        return False
    text = layout.of(block)
    return bool(BALANCE.search(text)) and len(FUNDS.findall(text)) >= 3


def _opens(layout: Layout, number: int, block: Block) -> bool:
    """Whether a block begins the statements: its title, followed by a report, a statement or a list of them."""
    if block.kind == "table" or block.end - block.start > 200:
        return False
    text = layout.of(block)
    if not OPENING.match(text) or not (block.kind == "heading" or len(text) < 130):
        return False
    below = layout.blocks[number + 1 : number + 5]
    return any(len(other.rows) >= 4 or other.end - other.start > 300 for other in below)


def follow_pointers(source: Source, drafts: dict[str, Draft]) -> None:
    """Move the statements that their own Item refers to, in the same document, from the Item that had them."""
    own = drafts.get(source.form.statements)
    if own is None or own.source is not source or own.length > STUB or own.status not in {"by_reference", "extracted"}:
        return
    found = statements_range(source.layout, [heading.start for heading in source.headings], source.contents.blocks)
    if not found:
        return
    part = trimmed(source.layout, *found)
    for draft in drafts.values():
        if draft is not own and draft.source is source:
            draft.ranges = [
                kept for left in without(draft.ranges, [part]) if (kept := trimmed(source.layout, *left))[0] < kept[1]
            ]
    own.ranges = [*without(own.ranges, [part]), part]
    own.status, own.where = "extracted", ""
