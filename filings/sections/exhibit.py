"""Items that the annual report takes from its Exhibit 13: management's discussion and the financial statements."""

import re
from collections.abc import Sequence

from filings.sections.section_drafts import Draft, Range, Source, trimmed
from filings.sections.statements import TITLE_LENGTH, discussion_range, statements_range
from filings.sections.titles import sizes

ELSEWHERE = re.compile(r"\bproxy\b", re.IGNORECASE)


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
            found = discussion_range(exhibit, drafts.get("8"))
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
