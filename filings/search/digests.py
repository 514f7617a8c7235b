"""Digests by which an index and the database are compared."""

import hashlib
from collections.abc import Iterable

from filings.search.index import Entry

# Raised when the way chunks are indexed changes: words, fields, analysis. The indexes built before are then rebuilt.
SHAPE = 2


def entry_digest(entry: Entry, windows: int | None = None) -> str:
    """What of a chunk is indexed, in 16 hex digits; of its vectors only their number, as the model makes them.

    windows: the number of vectors that it should have; its own where none is given.
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
    """Of all that an index is built by, in 8 hex digits."""
    return hashlib.sha256(f"{model}\0{dimensions}\0{SHAPE}".encode()).hexdigest()[:8]
