"""The vectors of the bundled documents' passages, made of the loaded sample. filings.sample.vectors says their form."""

import json
import lzma
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from filings.models import Filing, Origin
from filings.sample import VECTORS
from filings.search.indexed_chunks import chunks_of
from filings.text.chunking.contextual import embedded_texts
from filings.text.embeddings import embedder
from filings.text.embeddings.vectors import vector_key


class NotLocal(RuntimeError):
    """The vectors shipped are those of the model on this machine, and the settings name another."""


def texts() -> Iterator[str]:
    """Every text that is embedded of the loaded sample."""
    held = Filing.objects.filter(origin=Origin.SAMPLE, chunks_stored__gt=0).order_by("accession")
    for filing in held:
        yield from embedded_texts((chunk, chunk.section.text) for chunk in chunks_of(filing))


def build(path: Path = VECTORS) -> int:
    """Write the vectors of the loaded sample: how many. The same texts give the same bytes. Raises NotLocal."""
    if settings.EMBEDDING_BASE_URL:
        raise NotLocal("Unset EMBEDDING_BASE_URL: what is shipped are the vectors of the model on this machine.")
    found = embedder()
    by_key = {vector_key(found.model, text): text for text in texts()}
    keys = sorted(by_key)
    vectors = found.documents([by_key[key] for key in keys]).astype("<f2")
    head = {"model": found.model, "dimensions": found.dimensions, "count": len(keys)}
    content = json.dumps(head).encode() + b"\n" + b"".join(keys) + vectors.tobytes()
    path.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    return len(keys)
