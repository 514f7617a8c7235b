"""Items that the annual report takes from its Exhibit 13: management's discussion and the financial statements."""

import re
from collections.abc import Sequence

from filings.document.layout import Layout
from filings.sections.section_drafts import Draft, Range, Source, trimmed
from filings.sections.statements import AUDITOR_REPORT, statements_range
from filings.sections.titles import is_own_title, sizes

ELSEWHERE = re.compile(r"\bproxy\b", re.IGNORECASE)
TITLE_LENGTH = 160


def from_exhibit(exhibits: Sequence[Source], drafts: dict[str, Draft]) -> None:
    """Extract Items 7, 7A and 8 from an available Exhibit 13, as far as they refer to it; otherwise their `where` names
    it.
    """
    for exhibit in exhibits:
        if "8" in drafts and _points_out(drafts["8"]):
            found = statements_range(exhibit.layout, [], exhibit.contents.blocks)
            if found:
                _give(exhibit, drafts["8"], found)
        if "7" in drafts and _points_out(drafts["7"]):
            found = _discussion(exhibit, drafts.get("8"))
            if found:
                _give(exhibit, drafts["7"], found)


def _points_out(draft: Draft) -> bool:
    return draft.status == "by_reference" and not ELSEWHERE.search(draft.where)


def _give(exhibit: Source, draft: Draft, found: Range) -> None:
    layout = exhibit.layout
    start, end = trimmed(layout, *found)
    if end - start < sizes(draft.item).least:
        return
    number = layout.block_at(start)
    first = layout.blocks[number]
    draft.status, draft.where, draft.source = "extracted", "", exhibit
    draft.ranges, draft.named = [(start, end)], first.end
    draft.heading = (
        layout.of(first) if first.kind != "table" and first.end - first.start <= TITLE_LENGTH else draft.heading
    )


def _discussion(exhibit: Source, eight: Draft | None) -> Range | None:
    """From the title of management's discussion to the statements, or to the auditor's report before them."""
    layout = exhibit.layout
    start = next(
        (
            block.start
            for number, block in enumerate(layout.blocks)
            if number not in exhibit.contents.blocks
            and block.kind == "heading"
            and block.end - block.start <= TITLE_LENGTH
            and is_own_title("7", layout.of(block))
        ),
        None,
    )
    if start is None:
        return None
    statements = eight.ranges[0] if eight and eight.source is exhibit and eight.ranges else None
    end = statements[0] if statements and statements[0] > start else _next_report(layout, start)
    if statements and start < statements[0] < end:
        end = statements[0]
    return start, end


def _next_report(layout: Layout, start: int) -> int:
    return next(
        (
            block.start
            for block in layout.blocks[layout.block_at(start) + 1 :]
            if block.kind == "heading" and AUDITOR_REPORT.match(layout.of(block)[:TITLE_LENGTH])
        ),
        len(layout.text),
    )
