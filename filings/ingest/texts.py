"""The text of a filing on its way into the database: its sections, their chunks, and the vectors of these."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filings.edgar.files import Container
from filings.models import CHUNKS_A_FILING
from filings.text.chunking import ParsedChunk, chunk
from filings.text.chunking.contextual import embedded_texts
from filings.text.embeddings import embedder
from filings.xbrl.faces import REPORT_TYPES

if TYPE_CHECKING:
    from filings.sections import ParsedSection

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FilingText:
    """The sections of a filing in order, each with its chunks; nothing where the documents have no readable text."""

    sections: "tuple[tuple[ParsedSection, tuple[ParsedChunk, ...]], ...]" = ()

    @property
    def chunks(self) -> int:
        return sum(len(chunks) for _, chunks in self.sections)


def read_text(container: Container, beat: Callable[[], None] = lambda: None) -> FilingText:
    """The sections and chunks of a container's annual report and its Exhibit 13.

    beat: called between the steps. What cannot be read is logged and gives no text: the figures do not depend on it.
    """
    from filings.sections import SourceDocument, read_sections

    documents = [
        SourceDocument(document.filename, document.type, document.content)
        for document in container.of_type(*REPORT_TYPES)
    ]
    try:
        sections = read_sections(documents)
        beat()
        return FilingText(tuple(numbered(sections, beat)))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        # What a document that nobody has foreseen can do to code that reads it.
        logger.exception("The text of %s could not be read", container.accession)
        return FilingText()


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
    """Bring the vectors of a filing's windows into the cache, where the index finds them.

    progress: called now and then with how many windows are done, and of how many. until: by time.monotonic(). Raises
    EmbeddingUnavailable.
    """
    texts = embedded_texts((one, section.text) for section, chunks in text.sections for one in chunks)
    if texts:
        embedder().documents(texts, lambda done: progress(done, len(texts)), until)
