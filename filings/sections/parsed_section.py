"""One document before it is divided, and one part of it afterwards."""

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property

from filings.document.any_file import read_layout_of
from filings.document.blocks import Block, Page
from filings.document.layout import Layout, UnreadableText, read_layout
from filings.document.layout.markup import decoded, is_typed
from filings.sections.section_drafts import Draft, assembled

LONGEST_HEADING = 300
# SEC's markup around one document of a full submission.
WRAPPED = re.compile(
    rb"\s*<DOCUMENT>.*?<TEXT>\s*(?:<(?P<inner>XBRL|PDF)>\s*)?(?P<text>.*?)\s*(?:</(?P=inner)>)?\s*</TEXT>", re.DOTALL
)


@dataclass(frozen=True)
class SourceDocument:
    """One document of a filing with its type in the container, as 10-K, EX-13 or EX-99.1; or one that a person brought."""

    filename: str
    type: str
    content: bytes

    @property
    def is_exhibit(self) -> bool:
        return self.type.upper().startswith("EX-")

    @cached_property
    def layout(self) -> Layout:
        """Its text. Raises UnreadableText where it has none that can be read."""
        head = self.content[:200].lstrip()
        wrapped = WRAPPED.match(self.content) if head.startswith(b"<DOCUMENT>") else None
        content = wrapped["text"] if wrapped else self.content
        # What the SEC holds is HTML, or plain text by its name or its marks; people bring any kind of file.
        if self.type and not self.filename.lower().endswith(".txt") and not is_typed(decoded(content)):
            return read_layout(content)
        return read_layout_of(content, self.filename)


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


def layout_of(document: SourceDocument) -> Layout | None:
    """A document as text; None where it has none that can be read."""
    try:
        return document.layout
    except UnreadableText:
        return None


def frozen(draft: Draft) -> ParsedSection:
    """Converts a draft into the form that is stored."""
    heading = draft.heading[:LONGEST_HEADING]
    if not draft.source or not draft.ranges:
        return ParsedSection(draft.item, draft.status, heading, draft.where)
    text, pages, blocks = assembled(draft.source.layout, draft.ranges, draft.named)
    return ParsedSection(draft.item, draft.status, heading, draft.where, draft.source.filename, text, pages, blocks)
