"""Finds the financial statements where they are not under their own Item, such as Item 8: in Item 15, after Item 16, in
Item 7, or in an exhibit.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from filings.document.blocks import BLOCK_GAP, Block
from filings.document.layout import Layout
from filings.sections.section_drafts import Draft, Source, trimmed, without
from filings.sections.titles import is_own_title, sizes, title_end

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
    r"|management.{0,3}s\s+(?:annual\s+)?report\s+on\s+(?:\w+\s+){0,3}?(?:internal|financial)\b",
    re.IGNORECASE,
)
NOTES = re.compile(r"notes\s+to\s+(?:the\s+)?(?:condensed\s+|consolidated\s+)*financial\s+statements\b", re.IGNORECASE)
BALANCE = re.compile(r"\btotal\s+assets\b", re.IGNORECASE)
FUNDS = re.compile(r"\b(?:liabilities|equity)\b", re.IGNORECASE)
CLOSING = re.compile(
    r"\W*(?:signatures?|exhibits?\s+index|index\s+(?:to|of)\s+exhibits|exhibits|power\s+of\s+attorney|glossary.*)\W*$",
    re.IGNORECASE,
)
LEAST_ROWS = 10
FAR = 30_000  # characters between the parts before the balance sheet: an auditor's report is shorter


TITLE_LENGTH = 160  # characters of a title
STUB = 6_000  # characters of an Item 8 without statements


def statements_range(
    layout: Layout, stops: Iterable[int], contents: frozenset[int], after: int = 0
) -> tuple[int, int] | None:
    """The range from the auditor's report, or the first statement, to the end of the notes; None where there is none.

    `stops` are offsets of Item headings: a range has none of them after its first statement. `after` skips what is
    before an offset. Of several ranges it is the one that an auditor's report opens, else the first with notes: balances
    alone are a table of some other Item.
    """
    ordered = sorted(stops)
    first: dict[tuple[int, str], int] = {}  # of each kind, the first between two headings
    for number, block in enumerate(layout.blocks):
        if block.start >= after and number not in contents and _is_statement(layout, block):
            first.setdefault((bisect_right(ordered, block.start), block.kind), number)
    found = [_around(layout, number, ordered, contents, after) for number in first.values()]
    best = max(found, key=attrgetter("evidence"), default=None)
    return (best.start, best.end) if best and (best.evidence[0] or best.evidence[2]) else None


class Statements(NamedTuple):
    """A range that may be the statements. `evidence`: whether a report stands before its first statement,
    whether a title opens it, and whether it has notes.
    """

    start: int
    end: int
    evidence: tuple[bool, bool, bool]


def _around(layout: Layout, statement: int, stops: Sequence[int], contents: frozenset[int], after: int) -> Statements:
    """The range of the statements around one of them, by the number of its block."""
    at = layout.blocks[statement].start
    floor = max((stop for stop in stops if stop <= at), default=0)
    first = statement
    for number in range(statement, -1, -1):
        block = layout.blocks[number]
        if block.start <= max(floor, after - 1) or number in contents:
            break
        if layout.blocks[first].start - block.start > FAR:
            break
        if _opens(layout, number, block):
            first = number
    ceiling = min((stop for stop in stops if stop > at), default=len(layout.text))
    last = statement
    for number in range(statement, len(layout.blocks)):
        block = layout.blocks[number]
        if block.start >= ceiling or (block.kind != "table" and CLOSING.match(layout.of(block)[:120])):
            break
        last = number
    audited = any(
        block.kind != "table" and AUDITOR_REPORT.match(layout.of(block)[:120])
        for block in layout.blocks[first:statement]
    )
    notes = any(_is_notes(layout, block) for block in layout.blocks[first : last + 1])
    return Statements(layout.blocks[first].start, layout.blocks[last].end, (audited, first != statement, notes))


def _is_statement(layout: Layout, block: Block) -> bool:
    return _is_balance_sheet(layout, block) if block.kind == "table" else _is_notes(layout, block)


def _is_notes(layout: Layout, block: Block) -> bool:
    """Whether a block is the title of the notes."""
    return block.kind == "heading" and NOTES.match(layout.of(block)) is not None


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
    """Give the statements, and then management's discussion, to the Item that only points to them in the same document."""
    stops = [heading.start for heading in source.headings]
    own = drafts.get(source.form.statements)
    if own and own.source is source and own.length <= STUB and own.status in {"by_reference", "extracted"}:
        _move(source, drafts, own, statements_range(source.layout, stops, source.contents.blocks))
    item = source.form.discussion
    told = drafts.get(item)
    if (
        told
        and told.source is source
        and told.length < sizes(item).least
        and told.status in {"by_reference", "extracted"}
    ):
        _move(source, drafts, told, discussion_range(source, own, told))


def _move(source: Source, drafts: dict[str, Draft], own: Draft, found: tuple[int, int] | None) -> None:
    """Take a range from the Items that had it and put it after what an Item says of it."""
    if not found or found[1] - found[0] < sizes(own.item).least:
        return
    part = trimmed(source.layout, *found)
    for draft in drafts.values():
        if draft is not own and draft.source is source:
            draft.ranges = [
                kept
                for one in draft.ranges
                for left in without([one], [part])
                if (kept := trimmed(source.layout, *left))[0] < kept[1]
            ]
    own.ranges = [*without(own.ranges, [part]), part]
    own.status, own.where = "extracted", ""


def discussion_range(source: Source, statements: Draft | None, pointer: Draft | None = None) -> tuple[int, int] | None:
    """The range from the title of management's discussion to what follows it; None where there is no such title.

    The title is that of the Item, or one that the pointer names. What follows is the statements, an auditor's report, or
    the heading of another Item.
    """
    layout = source.layout
    start = next(
        (
            block.start
            for number, block in enumerate(layout.blocks)
            if number not in source.contents.blocks
            and block.kind == "heading"
            and block.end - block.start <= TITLE_LENGTH
            and not (pointer and any(first <= block.start < last for first, last in pointer.ranges))
            and _is_discussion(source, layout.of(block), pointer)
        ),
        None,
    )
    if start is None:
        return None
    ends = [heading.start for heading in source.headings]
    if statements and statements.source is source:
        ends += [first for first, _ in statements.ranges]
    ends += [
        block.start
        for block in layout.blocks[layout.block_at(start) + 1 :]
        if block.kind == "heading" and AUDITOR_REPORT.match(layout.of(block)[:TITLE_LENGTH])
    ][:1]
    return start, min((end for end in ends if end > start), default=len(layout.text))


def _is_discussion(source: Source, text: str, pointer: Draft | None) -> bool:
    if is_own_title(source.form.discussion, text):
        return True
    named = pointer.text[pointer.text.find(BLOCK_GAP) :].casefold() if pointer else ""
    return title_end(source.form.discussion, text) is not None and text.casefold() in named
