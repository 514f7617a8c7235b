"""Reads one file of a person: its sections with their passages, and what its opening says of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filings.importing.stated import Stated, stated
from filings.ingest.store_text import FilingText, numbered
from filings.models.source_kinds import KINDS, REPORT

if TYPE_CHECKING:
    from filings.sections import ParsedSection


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What was read from one file."""

    text: FilingText
    stated: Stated


def read_document(content: bytes, filename: str, kind: str) -> "tuple[tuple[ParsedSection, ...], Stated]":
    """The sections of a file, and what it says of itself.

    filename: names its sections' document. kind: key of its kind, which decides how its text divides; "": what the file
    says, else that of a report. Raises UnreadableText with a sentence for people.
    """
    from filings.sections.parsed_section import SourceDocument
    from filings.sections.schemes import read_sections

    document = SourceDocument(filename, "", content)
    said = stated(document.layout)
    return read_sections([document], KINDS[kind or said.kind or REPORT.key].scheme), said


def read_file(content: bytes, filename: str, kind: str, beat: Callable[[], None] = lambda: None) -> ReadDocument:
    """Read a file whole. Raises UnreadableText."""
    sections, said = read_document(content, filename, kind)
    beat()
    return ReadDocument(FilingText(tuple(numbered(sections, beat))), said)
