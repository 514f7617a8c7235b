"""The chunks of a filing in indexed form: text with its contextual prefix, and vectors of its windows."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from filings.models import Chunk, Filing
from filings.search.index import Entry
from filings.text.chunking.contextual import contextual_prefix, embedded_texts
from filings.text.embeddings import EmbeddingUnavailable, embedder

Beat = Callable[[int], None]
Vectors = NDArray[np.float32]
# For a chunk without windows.
NONE: Vectors = np.empty((0, 0), np.float32)


def unheard(done: int) -> None:
    """A progress callback that does nothing."""


def entries(
    filing: Filing,
    beat: Beat = unheard,
    with_vectors: bool = True,
    until: float = math.inf,
    stored: Mapping[int, Vectors] | None = None,
) -> tuple[list[Entry], str]:
    """A filing's entries, and why they have no vectors, if so.

    beat: called now and then with how many windows have their vectors. until: of `Embedder.documents`. stored: vectors
    by chunk, used where they cover all windows.
    """
    chunks = chunks_of(filing)
    prefixes = [contextual_prefix(filing, chunk) for chunk in chunks]
    vectors: Sequence[Vectors | None] = [None] * len(chunks)
    problem = ""
    if stored and all(len(stored.get(chunk.pk, ())) == len(chunk.windows) for chunk in chunks):
        vectors = [stored.get(chunk.pk, NONE) for chunk in chunks]
    elif with_vectors:
        try:
            vectors = window_vectors(chunks, beat, until)
        except EmbeddingUnavailable as error:
            problem = str(error)
    found = [
        Entry(chunk.pk, filing.pk, filing.company.cik, chunk.item, chunk.statement, prefix + chunk.text, vector)
        for chunk, prefix, vector in zip(chunks, prefixes, vectors, strict=True)
    ]
    return found, problem


def chunks_of(filing: Filing) -> list[Chunk]:
    """The chunks of a filing, each with its section."""
    sections = {section.pk: section for section in filing.sections.defer("blocks", "pages")}
    found = list(filing.chunks.order_by("id"))
    for chunk in found:
        chunk.section = sections[chunk.section_id]
    return found


def window_vectors(chunks: Sequence[Chunk], beat: Beat, until: float = math.inf) -> list[Vectors]:
    """The vectors of each chunk's windows, (windows, dimensions). Raises EmbeddingUnavailable."""
    vectors = embedder().documents(embedded_texts((chunk, chunk.section.text) for chunk in chunks), beat, until)
    ends = np.cumsum([len(chunk.windows) for chunk in chunks])
    return np.split(vectors, ends[:-1]) if chunks else []
