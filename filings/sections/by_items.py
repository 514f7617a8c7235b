"""Divides documents of forms with Items, and verifies each."""

import re
from collections.abc import Sequence

from filings.sections.cross_reference_index import index_of, items_by_index
from filings.sections.cut_by_headings import items_by_heading
from filings.sections.form_items import FormItems
from filings.sections.headings import Heading, chain, find_headings, read_contents
from filings.sections.items import ALL_ITEMS
from filings.sections.parsed_section import ParsedSection, SourceDocument, frozen, layout_of
from filings.sections.section_drafts import Draft, Range, Source, trimmed, without
from filings.sections.statement_sections import TITLE_LENGTH, discussion_range, follow_pointers, statements_range
from filings.sections.titles import sizes
from filings.sections.unlabelled_headings import completed

SURE = 3
ELSEWHERE = re.compile(r"\bproxy\b", re.IGNORECASE)
LEAST_LEFT = 80  # characters from which text outside any Item is kept


def by_items(documents: Sequence[SourceDocument], form: FormItems) -> tuple[ParsedSection, ...]:
    """The Items of a filing, each once and in the SEC's order, then text outside verified Items, in document order.

    The first document that is no exhibit is divided; exhibits give what it refers to. An unreadable one counts as
    missing; without any readable document every Item is not_found.
    """
    sources = [(document, source) for document in documents if (source := read_source(document, form))]
    reports = [source for document, source in sources if not document.is_exhibit]
    exhibits = [source for document, source in sources if document.is_exhibit]
    drafts: dict[str, Draft] = {}
    if reports:
        report = reports[0]
        index = index_of(report)
        drafts = items_by_index(report, index) if index else items_by_heading(report)
        follow_pointers(report, drafts)
        from_exhibit(exhibits, drafts)
    drafts = {item: drafts.get(item, Draft(item, "not_found")) for item in form.items}
    verify(drafts)
    return (*map(frozen, drafts.values()), *remainders([*reports[:1], *exhibits], drafts))


def read_source(document: SourceDocument, form: FormItems) -> Source | None:
    """A document with its tables of contents and headings; None where it has no text."""
    layout = layout_of(document)
    if layout is None:
        return None
    contents = read_contents(layout, form)
    found = find_headings(layout, contents, form)
    headings = tuple(chain(found, form))
    others = tuple(heading for heading in found if heading not in headings)
    return completed(Source(document.filename, document.type, form, layout, contents, headings, others))


def verify(drafts: dict[str, Draft]) -> None:
    """Take the text from Items whose label is not verified."""
    for draft in drafts.values():
        problem = failed(draft, drafts)
        if problem:
            draft.status, draft.where, draft.ranges = "unverified", problem, []


def remainders(sources: Sequence[Source], drafts: dict[str, Draft]) -> list[ParsedSection]:
    """The text that no Item has taken, without tables of contents."""
    return [frozen(draft) for source in sources for draft in remainder(source, drafts)]


def remainder(source: Source, drafts: dict[str, Draft]) -> list[Draft]:
    """The text of one document that no Item has taken."""
    layout = source.layout
    taken: list[Range] = [part for draft in drafts.values() if draft.source is source for part in draft.ranges]
    taken += [(layout.blocks[number].start, layout.blocks[number].end) for number in source.contents.blocks]
    left = [trimmed(layout, *part) for part in without([(0, len(layout.text))], taken)]
    return [
        Draft("", "unverified", source=source, ranges=[(start, end)])
        for start, end in left
        if end - start >= LEAST_LEFT
    ]


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
