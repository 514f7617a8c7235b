"""The vectors of the bundled documents' passages, shipped so that nobody waits for their embedding.

`vectors.f16.xz` is one line of JSON {"model", "dimensions", "count"}, then the keys in order, 16 bytes each as the
vector cache keys them, then the vectors as little-endian float16. It is a function of the documents and of the code
that reads, cuts and embeds them: `manage.py build_sample --vectors` writes it anew from the loaded sample.
"""

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from filings.models import Filing, Origin
from filings.sample import VECTORS
from filings.search.entries import chunks_of
from filings.text.chunking.contextual import embedded_texts
from filings.text.embeddings import embedder
from filings.text.embeddings.vectors import KEY_BYTES, VectorCache, vector_key


@dataclass(frozen=True, slots=True)
class Seed:
    """A model's name, keys of texts, and their unit vectors, (len(keys), dimensions) of float16."""

    model: str
    keys: tuple[bytes, ...]
    vectors: NDArray[np.float16]


class NotLocal(RuntimeError):
    """The vectors shipped are those of the model on this machine, and the settings name another."""


def read(path: Path = VECTORS) -> Seed:
    """The vectors that are shipped."""
    head, _, body = lzma.decompress(path.read_bytes()).partition(b"\n")
    told = json.loads(head)
    count, dimensions = told["count"], told["dimensions"]
    keys = tuple(body[place : place + KEY_BYTES] for place in range(0, count * KEY_BYTES, KEY_BYTES))
    vectors = np.frombuffer(body, "<f2", count * dimensions, offset=count * KEY_BYTES).reshape(count, dimensions)
    return Seed(told["model"], keys, vectors)


def seed(path: Path = VECTORS) -> int:
    """Put the shipped vectors into the cache, where the ingestion finds them: how many. May be repeated.

    None where an endpoint embeds: its vectors are others.
    """
    if settings.EMBEDDING_BASE_URL or not path.is_file():
        return 0
    shipped = read(path)
    VectorCache().write(zip(shipped.keys, shipped.vectors, strict=True))
    return len(shipped.keys)


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
