"""Divides a filing's text into Items, and verifies each."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from filings.document.blocks import Block, Page
from filings.document.layout import UnreadableText, read_layout
from filings.sections.cross_reference_index import index_of, items_by_index
from filings.sections.cut_by_headings import items_by_heading
from filings.sections.exhibit import from_exhibit
from filings.sections.headings import chain, find_headings, read_contents
from filings.sections.item_label_gate import failed
from filings.sections.items import ITEMS
from filings.sections.section_drafts import Draft, Range, Source, assembled, trimmed, without
from filings.sections.statements import follow_pointers

LEAST_LEFT = 80  # characters from which text outside any Item is kept
LONGEST_HEADING = 300


@dataclass(frozen=True)
class SourceDocument:
    """One document of a container: the annual report (type 10-K...) or an Exhibit 13 (EX-13...)."""

    filename: str
    type: str
    content: bytes


@dataclass(frozen=True)
class ParsedSection:
    """One Item and its text; or, with item "", text outside any verified Item, cited by its page alone.

    `status` is one of filings.models.section.SectionStatus. Offsets of pages and blocks refer to `text`.
    """

    item: str
    status: str
    heading: str = ""
    where: str = ""
    filename: str = ""
    text: str = ""
    pages: tuple[Page, ...] = ()
    blocks: tuple[Block, ...] = ()

    @cached_property
    def sha256(self) -> str:
        """SHA-256 hash of the text in UTF-8; empty if there is no text."""
        return hashlib.sha256(self.text.encode()).hexdigest() if self.text else ""


def read_sections(documents: Sequence[SourceDocument]) -> tuple[ParsedSection, ...]:
    """The Items of a filing, each once and in the SEC's order, then text outside verified Items, in document order.

    `documents` are in the container's order. An unreadable one counts as missing; without any readable document every
    Item is not_found.
    """
    sources = [source for document in documents if (source := read_source(document))]
    reports = [source for source in sources if not source.type.upper().startswith("EX-")]
    exhibits = [source for source in sources if source.type.upper().startswith("EX-13")]
    drafts: dict[str, Draft] = {}
    if reports:
        report = reports[0]
        index = index_of(report)
        drafts = items_by_index(report, index) if index else items_by_heading(report)
        follow_pointers(report, drafts)
        from_exhibit(exhibits, drafts)
    for item in ITEMS:
        draft = drafts.setdefault(item, Draft(item, "not_found"))
        problem = failed(draft, drafts)
        if problem:
            draft.status, draft.where, draft.ranges = "unverified", problem, []
    sections = [frozen(drafts[item]) for item in ITEMS]
    for source in [*reports[:1], *exhibits]:
        sections += [frozen(draft) for draft in remainder(source, drafts)]
    return tuple(sections)


def read_source(document: SourceDocument) -> Source | None:
    """A document with its tables of contents and headings; None where it has no text."""
    try:
        layout = read_layout(document.content)
    except UnreadableText:
        return None
    contents = read_contents(layout)
    found = find_headings(layout, contents)
    headings = tuple(chain(found))
    others = tuple(heading for heading in found if heading not in headings)
    return Source(document.filename, document.type, layout, contents, headings, others)


def remainder(source: Source, drafts: dict[str, Draft]) -> list[Draft]:
    """The text that no Item has taken, without tables of contents."""
    layout = source.layout
    taken: list[Range] = [part for draft in drafts.values() if draft.source is source for part in draft.ranges]
    taken += [(layout.blocks[number].start, layout.blocks[number].end) for number in source.contents.blocks]
    left = [trimmed(layout, *part) for part in without([(0, len(layout.text))], taken)]
    return [
        Draft("", "unverified", source=source, ranges=[(start, end)])
        for start, end in left
        if end - start >= LEAST_LEFT
    ]


def frozen(draft: Draft) -> ParsedSection:
    """Converts a draft into the form that is stored."""
    heading = draft.heading[:LONGEST_HEADING]
    if not draft.source or not draft.ranges:
        return ParsedSection(draft.item, draft.status, heading, draft.where)
    text, pages, blocks = assembled(draft.source.layout, draft.ranges, draft.named)
    return ParsedSection(draft.item, draft.status, heading, draft.where, draft.source.filename, text, pages, blocks)
