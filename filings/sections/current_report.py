"""Divides a current report (8-K): its Items by number, and its exhibits 99, such as an earnings release."""

import re
from collections.abc import Sequence

from filings.document.layout import LAST_LEVEL, Layout, is_title
from filings.sections.by_items import read_source, remainders, verify
from filings.sections.cut_by_headings import items_by_heading
from filings.sections.form_items import CURRENT
from filings.sections.items import CURRENT_ITEMS
from filings.sections.parsed_section import ParsedSection, SourceDocument, frozen, layout_of

EXHIBIT_99 = re.compile(r"EX-99(?:\.0*(?P<number>\d+))?", re.IGNORECASE)
EXHIBIT_LABEL = re.compile(r"\W*(?:exhibit\s+(?:no\.?\s*)?\d|ex-\d)", re.IGNORECASE)
OPENING = 4_000  # characters within which a release has its headline
LONGEST_HEADLINE = 300
FEWEST_WORDS = 4  # of a headline: fewer are "News Release", or a company's name
LEAD = 240  # characters of a paragraph that is no line above the headline


def by_items_and_exhibits(documents: Sequence[SourceDocument]) -> tuple[ParsedSection, ...]:
    """The Items that a report has, its exhibits 99 as "99.1" with their headlines, then its cover and signatures."""
    report = next((document for document in documents if not document.is_exhibit), None)
    source = read_source(report, CURRENT) if report else None
    drafts = items_by_heading(source) if source else {}
    # A report has few of the Items, and omits none by not having it.
    drafts = {item: drafts[item] for item in CURRENT.items if item in drafts and drafts[item].ranges}
    for draft in drafts.values():
        # What an Item says of its exhibit is its text.
        draft.status, draft.where = "extracted", ""
    verify(drafts)
    return (*map(frozen, drafts.values()), *_exhibits(documents), *remainders([source] if source else [], drafts))


def _exhibits(documents: Sequence[SourceDocument]) -> list[ParsedSection]:
    """Exhibits 99 in order, each one section; one without a number, or beyond the list, has the next free one."""
    free = [item for item in CURRENT_ITEMS if item not in CURRENT.items]
    taken: dict[str, SourceDocument] = {}
    waiting: list[SourceDocument] = []
    for document in documents:
        named = EXHIBIT_99.fullmatch(document.type)
        if named and (item := f"99.{named['number']}") in free and item not in taken:
            taken[item] = document
        elif named:
            waiting.append(document)
    free = [item for item in free if item not in taken]
    keyed = [*taken.items(), *zip(free, waiting, strict=False), *(("", document) for document in waiting[len(free) :])]
    keyed.sort(key=lambda one: documents.index(one[1]))
    found = []
    for item, document in keyed:
        layout = layout_of(document)
        if layout:
            status = "extracted" if item else "unverified"
            whole = layout.text, layout.pages, layout.blocks
            found.append(ParsedSection(item, status, headline(layout), "", document.filename, *whole))
    return found


def headline(layout: Layout) -> str:
    """The title of a release: of the titles before its first paragraph the most prominent one of several words."""
    found: list[tuple[bool, int, str]] = []  # (too short, level, text)
    for block in layout.blocks:
        text = layout.of(block)
        if block.start > OPENING or (block.kind == "paragraph" and len(text) > LEAD):
            break
        if EXHIBIT_LABEL.match(text) or len(text) > LONGEST_HEADLINE:
            continue
        if block.kind == "heading" or (block.kind == "paragraph" and is_title(text)):
            level = block.level if block.kind == "heading" else LAST_LEVEL
            found.append((len(text.split()) < FEWEST_WORDS, level, text))
    return min(found, key=lambda one: one[:2])[2] if found else ""
