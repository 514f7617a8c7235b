"""Item 8 that only points: its statements stand in Item 15, after Item 16, or inside Item 7 of the same document."""

from filings.sections.drafts import Draft, Source, trimmed, without
from filings.sections.statements import statements_range

STUB = 6_000  # characters of an Item 8 that holds no statements


def follow_pointers(source: Source, drafts: dict[str, Draft]) -> None:
    """Give Item 8 the statements it points to in the same document, and take them from the Item that held them."""
    eight = drafts.get("8")
    if (
        eight is None
        or eight.source is not source
        or eight.length > STUB
        or eight.status not in {"by_reference", "extracted"}
    ):
        return
    found = statements_range(source.layout, [heading.start for heading in source.headings], source.contents.blocks)
    if not found:
        return
    part = trimmed(source.layout, *found)
    for draft in drafts.values():
        if draft is not eight and draft.source is source:
            draft.ranges = [
                kept for left in without(draft.ranges, [part]) if (kept := trimmed(source.layout, *left))[0] < kept[1]
            ]
    eight.ranges = [*without(eight.ranges, [part]), part]
    eight.status, eight.where = "extracted", ""
