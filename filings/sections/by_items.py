"""Divides documents of forms with Items, and verifies each."""

from collections.abc import Sequence

from filings.sections.cross_reference_index import index_of, items_by_index
from filings.sections.cut_by_headings import items_by_heading
from filings.sections.exhibit import from_exhibit
from filings.sections.form_items import FormItems
from filings.sections.headings import chain, find_headings, read_contents
from filings.sections.item_label_gate import failed
from filings.sections.parsed_section import ParsedSection, SourceDocument, frozen, layout_of
from filings.sections.section_drafts import Draft, Range, Source, trimmed, without
from filings.sections.statements import follow_pointers
from filings.sections.unlabelled_headings import completed

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
