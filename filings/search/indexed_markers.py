"""`Filing.indexed`: which indexes contain a filing's chunks, with which model, and which chunks.

One word an index, such as `embedded:1f2e3d4c:9a8b7c6d5e4f` (index, key of its model and shape, digest of the chunks),
followed by `:words` where vectors are missing because no embedding was available.
"""

import hashlib
from collections.abc import Iterable, Mapping

from django.db.models import Q, QuerySet

from filings.models import Chunk, Filing
from filings.search.index import Entry

WORDS_ONLY = "words"
CHUNK_FIELDS = ("id", "item", "statement", "sha256", "ranges", "windows", "headings")


# Raised when indexing changes (words, fields, analysis); older indexes are then rebuilt.
SHAPE = 2


def chunks_digest(filing: int) -> str:
    """The stored chunks of a filing, in 12 hex digits; empty where it has none."""
    digest = hashlib.sha256()
    rows = list(Chunk.objects.filter(filing=filing).order_by("id").values_list(*CHUNK_FIELDS))
    for row in rows:
        digest.update(repr(row).encode())
    return digest.hexdigest()[:12] if rows else ""


def mark(name: str, key: str, digest: str, with_vectors: bool = True) -> str:
    """The word for an index that contains the filing."""
    return f"{name}:{key}:{digest}" + ("" if with_vectors else f":{WORDS_ONLY}")


def marked(indexed: str, digest: str, marks: Mapping[str, str]) -> str:
    """The value with these words, by name of the index; "" for one that does not contain the filing.

    Words of other indexes stay if they are for the same chunks: an index named again later still contains them.
    """
    words = [word.split(":") for word in indexed.split()]
    others = [":".join(word) for word in words if word[0] not in marks and digest in word]
    return " ".join(filter(None, (*marks.values(), *others)))


def holds(indexed: str, name: str, key: str) -> bool:
    """Whether an index contains the filing, with or without vectors."""
    return any(word.startswith(f"{name}:{key}:") for word in indexed.split())


def without(indexed: str, name: str) -> str:
    """The value without one index's word."""
    return " ".join(word for word in indexed.split() if not word.startswith(f"{name}:"))


def held_by(name: str, key: str) -> QuerySet[Filing]:
    """Filings with chunks that are said to be in an index, with or without vectors."""
    return Filing.objects.filter(indexed__contains=f"{name}:{key}:", chunks_stored__gt=0)


def waiting(keys: Iterable[tuple[str, str]]) -> QuerySet[Filing]:
    """Filings with chunks that some of these indexes do not contain completely, and withdrawn ones to be removed."""
    missing = Q(indexed__contains=f":{WORDS_ONLY}")
    for name, key in keys:
        missing |= ~Q(indexed__contains=f"{name}:{key}:")
    withdrawn = Q(withdrawn__isnull=False)
    return Filing.objects.filter((missing & ~withdrawn) | (withdrawn & ~Q(indexed="")), chunks_stored__gt=0).order_by(
        "pk"
    )


def entry_digest(entry: Entry, windows: int | None = None) -> str:
    """A chunk's indexed content in 16 hex digits; of vectors only their number counts.

    windows: the number of vectors that it should have; its own by default.
    """
    if windows is None:
        windows = 0 if entry.vectors is None else len(entry.vectors)
    told = "\0".join((str(entry.cik), entry.item, entry.statement, str(windows), entry.text))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def filing_digest(chunks: Iterable[tuple[int, str]]) -> str:
    """The chunks of one filing, (id, entry digest) in the order of ids, as "count:16 hex digits"."""
    digest, count = hashlib.sha256(), 0
    for chunk, entry in chunks:
        digest.update(f"{chunk}:{entry};".encode())
        count += 1
    return f"{count}:{digest.hexdigest()[:16]}"


def index_key(model: str, dimensions: int) -> str:
    """Everything that an index is built by, in 8 hex digits."""
    return hashlib.sha256(f"{model}\0{dimensions}\0{SHAPE}".encode()).hexdigest()[:8]
