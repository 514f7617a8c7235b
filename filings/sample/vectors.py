"""The shipped vectors of the bundled documents' passages, so that nobody waits for their embedding.

`vectors.f16.xz` is one line of JSON {"model", "dimensions", "count"}, then the keys in order, 16 bytes each as the
vector cache has them, then the vectors as little-endian float16. It depends on the documents and on the code that
reads, cuts and embeds them: `manage.py build_sample --vectors` writes it anew.
"""

import json
import lzma
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from filings.sample import VECTORS
from filings.text.embeddings.vectors import KEY_BYTES, VectorCache


@dataclass(frozen=True, slots=True)
class Seed:
    """A model's name, keys of texts, and their unit vectors, (len(keys), dimensions) of float16."""

    model: str
    keys: tuple[bytes, ...]
    vectors: NDArray[np.float16]


def read(path: Path = VECTORS) -> Seed:
    """The shipped vectors."""
    head, _, body = lzma.decompress(path.read_bytes()).partition(b"\n")
    told = json.loads(head)
    count, dimensions = told["count"], told["dimensions"]
    keys = tuple(body[place : place + KEY_BYTES] for place in range(0, count * KEY_BYTES, KEY_BYTES))
    vectors = np.frombuffer(body, "<f2", count * dimensions, offset=count * KEY_BYTES).reshape(count, dimensions)
    return Seed(told["model"], keys, vectors)


def seed(path: Path = VECTORS) -> int:
    """Put the shipped vectors into the cache, where the ingestion finds them; returns how many. May be repeated.

    None where an endpoint embeds, whose vectors differ.
    """
    if settings.EMBEDDING_BASE_URL or not path.is_file():
        return 0
    shipped = read(path)
    VectorCache().write(zip(shipped.keys, shipped.vectors, strict=True))
    return len(shipped.keys)
