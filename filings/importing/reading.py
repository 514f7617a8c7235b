"""Reads one file of a person: its sections with their passages, and what its opening says of it."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filings.importing.stated import Stated, stated
from filings.ingest.store_text import FilingText, numbered

if TYPE_CHECKING:
    from filings.document.layout import Layout
    from filings.sections import ParsedSection

MARKUP = re.compile(rb"<(?:!doctype\s+html|html|body|div|p|table)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What was read from one file."""

    text: FilingText
    stated: Stated


def read_document(content: bytes, filename: str, kind: str) -> "tuple[tuple[ParsedSection, ...], Stated]":
    """The sections of a file, and what it says of itself.

    filename: names its sections' document. kind: key of its kind, which decides how its text divides; "": what the file
    says. Raises UnreadableText with a sentence for people.
    """
    from filings.sections import ParsedSection

    layout = layout_of(content)
    said = stated(layout)
    whole = ParsedSection("", "unverified", "", "", filename, layout.text, layout.pages, layout.blocks)
    return (whole,), said


def layout_of(content: bytes) -> "Layout":
    """The layout of HTML or plain text. Raises UnreadableText."""
    from filings.document.layout import UnreadableText, read_layout

    if MARKUP.search(content[:4096]):
        return read_layout(content)
    if b"\0" in content:
        raise UnreadableText("The file is no text.")
    paragraphs = re.split(r"\n\s*\n", content.decode("utf-8", "replace").replace("\r\n", "\n"))
    return read_layout("".join(f"<p>{html.escape(one)}</p>" for one in paragraphs if one.strip()).encode())


def read_file(content: bytes, filename: str, kind: str, beat: Callable[[], None] = lambda: None) -> ReadDocument:
    """Read a file whole. Raises UnreadableText."""
    sections, said = read_document(content, filename, kind)
    beat()
    return ReadDocument(FilingText(tuple(numbered(sections, beat))), said)
