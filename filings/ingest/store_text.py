"""The text of a filing: sections, chunks and vectors, written over existing rows."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from filings.document.blocks import stored_blocks, stored_pages
from filings.edgar.edgar_files import Container
from filings.models import CHUNKS_A_FILING, Chunk, Document, Filing, Section
from filings.models.source_kinds import SourceKind, kind_of_form
from filings.text.chunking import ParsedChunk, chunk
from filings.text.chunking.contextual import embedded_texts
from filings.text.embeddings import embedder

if TYPE_CHECKING:
    from filings.sections import ParsedSection, SourceDocument


logger = logging.getLogger(__name__)


CHUNK_FIELDS = (
    "section_id",
    "number",
    "item",
    "kind",
    "ranges",
    "windows",
    "headings",
    "statement",
    "page_first",
    "page_last",
    "pieces",
    "sha256",
)


@dataclass(frozen=True, slots=True)
class FilingText:
    """The sections of a filing in order, each with its chunks; empty where no text is readable."""

    sections: "tuple[tuple[ParsedSection, tuple[ParsedChunk, ...]], ...]" = ()

    @property
    def chunks(self) -> int:
        return sum(len(chunks) for _, chunks in self.sections)


def read_text(container: Container, beat: Callable[[], None] = lambda: None) -> FilingText:
    """The sections and chunks of a container, divided as its kind says; none of a form that is not held, or of exhibits
    alone.

    beat: called between the steps. Failures are logged and give no text: figures do not depend on it.
    """
    from filings.sections import read_sections

    kind = kind_of_form(container.form)
    # Without its document a filing has no sections, not even missing ones: that of a real company is not in the sample.
    if kind is None or not any(kind_of_form(document.type) is kind for document in container.documents):
        return FilingText()
    try:
        sections = read_sections(source_documents(container, kind), kind.scheme)
        beat()
        return FilingText(tuple(numbered(sections, beat)))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        # Whatever an unforeseen document does to the code that reads it.
        logger.exception("The text of %s could not be read", container.accession)
        return FilingText()


def source_documents(container: Container, kind: SourceKind) -> "list[SourceDocument]":
    """The documents of a container that its kind has text in: those of its own forms, and some exhibits."""
    from filings.sections import SourceDocument
    from filings.sections.schemes import SCHEMES

    exhibits = SCHEMES[kind.scheme].exhibits
    return [
        SourceDocument(document.filename, document.type, document.content)
        for document in container.documents
        if kind_of_form(document.type) is kind or document.type.upper().startswith(exhibits)
    ]


def numbered(
    sections: "Iterable[ParsedSection]", beat: Callable[[], None]
) -> "Iterable[tuple[ParsedSection, tuple[ParsedChunk, ...]]]":
    """Each section with its chunks, no more in all than a filing has ids for."""
    left = CHUNKS_A_FILING
    for section in sections:
        found = chunk(section, beat)
        if len(found) > left:
            logger.warning(
                "%s, Item %s: of its %d passages %d are held and searched, as a filing has %d at most",
                section.filename,
                section.item or "none",
                len(found),
                left,
                CHUNKS_A_FILING,
            )
        chunks = tuple(found[:left])
        left -= len(chunks)
        beat()
        yield section, chunks


def embed_text(text: FilingText, progress: Callable[[int, int], None], until: float) -> None:
    """Compute the vectors of a filing's windows into the cache, where the index finds them.

    progress: called now and then with the number done and the total. until: by time.monotonic(). Raises
    EmbeddingUnavailable.
    """
    texts = embedded_texts((one, section.text) for section, chunks in text.sections for one in chunks)
    if texts:
        embedder().documents(texts, lambda done: progress(done, len(texts)), until)


def store_text(filing: Filing, text: FilingText, documents: Mapping[str, Document]) -> bool:
    """Make a filing's sections and chunks equal to those read; returns whether any chunk changed.

    documents: the filing's rows by filename. Sets `chunks_stored`, and empties `indexed` where a chunk changed, without
    saving the filing. Must run inside a transaction.
    """
    sections = store_sections(filing, [section for section, _ in text.sections], documents)
    chunks = [(section, one) for section, (_, chunks) in zip(sections, text.sections, strict=True) for one in chunks]
    changed = store_chunks(filing, chunks)
    filing.chunks_stored = len(chunks)
    if changed:
        filing.indexed = ""
    return changed


def store_sections(
    filing: Filing, parsed: "Sequence[ParsedSection]", documents: Mapping[str, Document]
) -> list[Section]:
    """The section rows in order. A row keeps its key while its place, Item and text stay."""
    held = {section.number: section for section in filing.sections.defer("text")}
    rows, new, changed, stale = [], [], [], []
    for number, section in enumerate(parsed, 1):
        told = section_fields(section, documents)
        row = held.pop(number, None)
        if row is not None and (row.item, row.sha256) != (told["item"], told["sha256"]):
            stale.append(row.pk)
            row = None
        if row is None:
            row = Section(filing=filing, number=number, text=section.text, **told)
            new.append(row)
        elif any(getattr(row, name) != value for name, value in told.items()):
            for name, value in told.items():
                setattr(row, name, value)
            changed.append(row)
        rows.append(row)
    # Deleted first, because an Item is unique in a filing. Chunks are deleted with them.
    Section.objects.filter(pk__in=[*stale, *(row.pk for row in held.values())]).delete()
    for row in changed:
        row.save(update_fields=[*section_fields(parsed[row.number - 1], documents)])
    Section.objects.bulk_create(new)
    return rows


def section_fields(section: "ParsedSection", documents: Mapping[str, Document]) -> dict[str, Any]:
    """The fields of a section's row without its text."""
    document = documents.get(section.filename[:200])
    return {
        "document_id": document.pk if document else None,
        "item": section.item,
        "status": str(section.status),
        "heading": section.heading[:300],
        "where": section.where[:500],
        "sha256": section.sha256 if section.text else "",
        "pages": stored_pages(section.pages),
        "blocks": stored_blocks(section.blocks),
    }


def store_chunks(filing: Filing, parsed: Sequence[tuple[Section, ParsedChunk]]) -> bool:
    """Make a filing's chunks equal to these, numbered in order; returns whether any changed."""
    held = {row["id"]: row for row in Chunk.objects.filter(filing=filing).values("id", *CHUNK_FIELDS)}
    new = []
    for number, (section, one) in enumerate(parsed):
        told = chunk_fields(section, number, one)
        before = held.get(Chunk.key(filing.pk, number))
        if before is not None and all(before[name] == value for name, value in told.items()):
            del held[before["id"]]
        else:
            new.append(Chunk(id=Chunk.key(filing.pk, number), filing=filing, **told))
    Chunk.objects.filter(pk__in=list(held)).delete()
    Chunk.objects.bulk_create(new, batch_size=500)
    return bool(held or new)


def chunk_fields(section: Section, number: int, one: ParsedChunk) -> dict[str, Any]:
    """The fields of a chunk's row."""
    return {
        "section_id": section.pk,
        "number": number,
        "item": one.item,
        "kind": one.kind,
        "ranges": [list(pair) for pair in one.ranges],
        "windows": [[list(pair) for pair in window] for window in one.windows],
        "headings": list(one.headings),
        "statement": one.statement,
        "page_first": one.page_first,
        "page_last": one.page_last,
        "pieces": one.pieces,
        "sha256": one.sha256,
    }
