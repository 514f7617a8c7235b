"""Every reader of a filing's bytes, with the pieces that the bench of growth repeats for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from evals.bench.growth_data import COMPANYFACTS, CONTAINERS, INLINE, LINKBASES
from evals.bench.growth_pieces import ELEMENTS, LAYOUTS, MARKS, STYLES, WORDS, Build, of_html, of_text, of_xhtml


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader, and by name what builds so many pieces for it."""

    name: str
    read: Callable[[bytes], object]
    pieces: Mapping[str, Build]


def read_layout(content: bytes) -> object:
    from filings.document.layout import UnreadableText
    from filings.document.layout import read_layout as read

    try:
        return read(content)
    except UnreadableText:
        return None


def read_sections(content: bytes) -> object:
    from filings.sections import SourceDocument
    from filings.sections import read_sections as read
    from filings.text.chunking import chunk
    from filings.web.reader import section_html

    found = read([SourceDocument("a.htm", "10-K", content)])
    for section in found:
        chunk(section)
        section_html(section.text, section.blocks, section.pages)
    return found


def read_inline(content: bytes) -> object:
    from filings.document.inline import UnreadableDocument
    from filings.document.inline import read_inline as read

    try:
        return read(content)
    except UnreadableDocument:
        return None


def read_presentation(content: bytes) -> object:
    from filings.xbrl.linkbase import UnreadableLinkbase
    from filings.xbrl.linkbase import read_presentation as read

    try:
        return read(content, content)
    except UnreadableLinkbase:
        return None


def read_companyfacts(content: bytes) -> object:
    from filings.xbrl.companyfacts import UnreadableFacts, parse_companyfacts

    try:
        return parse_companyfacts(content)
    except UnreadableFacts:
        return None


def read_container(content: bytes) -> object:
    from filings.edgar.edgar_files import Invalid
    from filings.edgar.edgar_files import read_container as read

    try:
        return [document.content for document in read("0000000001-25-000001", content).documents]
    except Invalid:
        return None


def read_words(content: bytes) -> object:
    """What is done to a plain text alone: sentences, words, queries, snippets, named years."""
    from filings.document.named_years import named_year
    from filings.document.sentences import sentence_spans
    from filings.search.browsing import snippet
    from filings.search.words import content_words, query_words
    from filings.web.reader import text_fragment

    text = content.decode()
    found = query_words(text)
    return (
        sentence_spans(text),
        content_words(text),
        text_fragment(text),
        snippet(text, [(0, len(text))], found[:8]),
        named_year(content),
    )


def of(build: Callable[[str, int], bytes], pieces: Mapping[str, str]) -> dict[str, Build]:
    return {name: partial(build, piece) for name, piece in pieces.items()}


READERS = (
    Reader("plain text", read_layout, of(of_text, WORDS)),
    Reader("layout", read_layout, of(of_html, WORDS | MARKS | ELEMENTS) | LAYOUTS),
    Reader("layout, XHTML", read_layout, of(of_xhtml, WORDS | MARKS | ELEMENTS)),
    Reader("style", read_layout, STYLES),
    Reader("sections, chunks", read_sections, of(of_html, WORDS | ELEMENTS) | LAYOUTS),
    Reader("words", read_words, of(of_text, WORDS | MARKS)),
    Reader("inline XBRL", read_inline, INLINE),
    Reader("companyfacts", read_companyfacts, COMPANYFACTS),
    Reader("linkbases", read_presentation, LINKBASES),
    Reader("containers", read_container, CONTAINERS),
)
