"""Stored text that can be searched, and an embedding without a model."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_django import Settings

from filings.models import Chunk, ChunkKind, Filing, Section, SectionStatus
from filings.text import embeddings
from filings.text.embeddings import EmbeddingUnavailable, Progress, unheard
from tests.support import corpus


class MadeUp:
    """A model whose vectors lie near one another where texts share words. `down`: it cannot be reached."""

    model = corpus.MODEL
    dimensions = corpus.DIMENSIONS
    down = False

    def documents(self, texts: Sequence[str], progress: Progress = unheard) -> NDArray[np.float32]:
        self.answer()
        progress(len(texts))
        return np.stack([corpus.vector(text) for text in texts])

    def query(self, text: str) -> NDArray[np.float32]:
        self.answer()
        return corpus.vector(text)

    def close(self) -> None:
        """It holds nothing open."""

    def answer(self) -> None:
        if self.down:
            raise EmbeddingUnavailable("The embedding endpoint does not answer.")


@contextmanager
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[MadeUp]:
    """The product embeds with the made-up model."""
    model = MadeUp()
    monkeypatch.setattr(embeddings, "_model", lambda: model)
    embeddings.forget()
    yield model
    embeddings.forget()


def store(filing: Filing, paragraphs: Sequence[str], item: str = "1A", headings: Sequence[str] = ()) -> list[Chunk]:
    """Paragraphs of an Item, a chunk each, after what the filing holds; the filing waits to be indexed."""
    section = filing.sections.filter(item=item).first() or Section(
        filing=filing, number=filing.sections.count() + 1, item=item, status=SectionStatus.EXTRACTED
    )
    at = len(section.text) + 2 if section.text else 0
    section.text = "\n\n".join([section.text, *paragraphs] if section.text else paragraphs)
    section.sha256 = hashlib.sha256(section.text.encode()).hexdigest()
    section.save()
    first = Chunk.objects.filter(filing=filing).count()
    chunks = []
    for place, paragraph in enumerate(paragraphs, start=first):
        span = [at, at + len(paragraph)]
        chunks.append(
            Chunk(
                id=Chunk.key(filing.pk, place),
                filing=filing,
                section=section,
                number=place,
                item=item,
                kind=ChunkKind.PROSE,
                ranges=[span],
                windows=[[span]],
                headings=list(headings),
                pieces=len(paragraph.split()),
                sha256=hashlib.sha256(paragraph.encode()).hexdigest(),
            )
        )
        at = span[1] + 2
    Chunk.objects.bulk_create(chunks)
    Filing.objects.filter(pk=filing.pk).update(chunks_stored=first + len(chunks), indexed="")
    filing.refresh_from_db()
    return chunks


def change_text(filing: Filing) -> None:
    """Its chunks stand under another heading than those that the index holds, and wait."""
    filing.chunks.update(headings=["Another heading"])
    Filing.objects.filter(pk=filing.pk).update(indexed="")


def made(filing: int, count: int) -> list[str]:
    """Paragraphs of the made-up body of filings."""
    return [corpus.text(filing, number) for number in range(count)]


def search_down(settings: Settings, symbol: str, year: int) -> None:
    """Elasticsearch alone is asked, at a port where nothing listens, for a filing that it is said to hold."""
    from filings.search.active_indexes import indexes, keys
    from filings.search.indexed_markers import chunks_digest, mark

    settings.ELASTICSEARCH_URL, settings.SEARCH_FALLBACK = "http://127.0.0.1:9", False
    settings.ELASTICSEARCH_TIMEOUT = 0.5
    held = Filing.objects.get(company__tickers__symbol=symbol, fiscal_year=year, is_primary=True)
    ((name, key),) = keys(indexes()).items()
    Filing.objects.filter(pk=held.pk).update(indexed=mark(name, key, chunks_digest(held.pk)))
