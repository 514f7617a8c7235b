"""`Filing.indexed`: which indexes hold a filing's chunks, by which model, and which chunks.

One word an index, as `embedded:1f2e3d4c:9a8b7c6d5e4f` (index, key of its model and shape, digest of the chunks), with
`:words` behind where the vectors are still missing because no embedding was to be had.
"""

import hashlib
from collections.abc import Iterable, Mapping

from django.db.models import Q, QuerySet

from filings.models import Chunk, Filing

WORDS_ONLY = "words"
CHUNK_FIELDS = ("id", "item", "statement", "sha256", "ranges", "windows", "headings")


def chunks_digest(filing: int) -> str:
    """The stored chunks of a filing, in 12 hex digits; empty where it has none."""
    digest = hashlib.sha256()
    rows = list(Chunk.objects.filter(filing=filing).order_by("id").values_list(*CHUNK_FIELDS))
    for row in rows:
        digest.update(repr(row).encode())
    return digest.hexdigest()[:12] if rows else ""


def marker(keys: Mapping[str, str], digest: str, with_vectors: bool) -> str:
    """The value for a filing that these indexes, each with its key, hold."""
    end = "" if with_vectors else f":{WORDS_ONLY}"
    return " ".join(f"{name}:{key}:{digest}{end}" for name, key in keys.items())


def holds(indexed: str, name: str, key: str) -> bool:
    """Whether an index holds the filing, with or without vectors."""
    return any(word.startswith(f"{name}:{key}:") for word in indexed.split())


def without(indexed: str, name: str) -> str:
    """The value without what it says of one index."""
    return " ".join(word for word in indexed.split() if not word.startswith(f"{name}:"))


def held_by(name: str, key: str) -> QuerySet[Filing]:
    """Filings with chunks that are said to be in an index, with or without vectors."""
    return Filing.objects.filter(indexed__contains=f"{name}:{key}:", chunks_stored__gt=0)


def waiting(keys: Iterable[tuple[str, str]]) -> QuerySet[Filing]:
    """Filings with chunks that not each of these indexes holds whole."""
    missing = Q(indexed__contains=f":{WORDS_ONLY}")
    for name, key in keys:
        missing |= ~Q(indexed__contains=f"{name}:{key}:")
    return Filing.objects.filter(missing, chunks_stored__gt=0).order_by("pk")
