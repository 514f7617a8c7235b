"""Verifies the Item labels of sections. A section whose label fails is cited by its page, without the Item."""

from filings.sections.headings import Heading
from filings.sections.items import ALL_ITEMS
from filings.sections.section_drafts import Draft
from filings.sections.titles import sizes

SURE = 3


def failed(draft: Draft, drafts: dict[str, Draft]) -> str:
    """Why an Item's label is not verified, in words; empty if it is, or if there is nothing to verify."""
    if draft.status != "extracted" or not draft.source:
        return ""
    least, most = sizes(draft.item)
    if not least <= draft.length <= most:
        return f"{draft.length:,} characters are not plausible for this Item."
    if not draft.heading or not draft.named:
        return "It has no heading of its own."
    foreign = foreign_heading(draft)
    if foreign:
        return f"The heading of {ALL_ITEMS[foreign.item].called} stands in it."
    for other in drafts.values():
        if other is not draft and other.source is draft.source and _share(draft, other):
            return f"It shares text with {ALL_ITEMS[other.item].called}."
    return ""


def foreign_heading(draft: Draft) -> Heading | None:
    """A heading of another Item inside a draft: set apart, with label and title."""
    assert draft.source  # noqa: S101
    return next(
        (
            heading
            for heading in (*draft.source.headings, *draft.source.others)
            if heading.strength >= SURE
            and draft.item not in heading.items
            and any(start < heading.start < end for start, end in draft.ranges)
        ),
        None,
    )


def _share(one: Draft, other: Draft) -> bool:
    return any(a < d and c < b for a, b in one.ranges for c, d in other.ranges)
