"""A cache of texts' vectors, by model and text: one SQLite file in VECTORS_DIR.

It may be deleted at any time, and an unreadable file counts as empty.
"""

import hashlib
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

logger = logging.getLogger(__name__)

SCHEMA = "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
KEY_BYTES = 16
WAIT_SECONDS = 20.0
# SQLite's lowest limit of variables in one statement is 999.
AT_ONCE = 500


def vector_key(model: str, text: str) -> bytes:
    """The key of a text's vector by a model: 128 bits of SHA-256."""
    return hashlib.sha256(f"{model}\0{text}".encode()).digest()[:KEY_BYTES]


def rounded(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit rows as the cache returns them: rounded to float16 and normalized again."""
    kept = vectors.astype(np.float16).astype(np.float32)
    length = np.linalg.norm(kept, axis=-1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(kept, length, out=np.zeros_like(kept), where=length > 0)
    return unit


class VectorCache:
    """The cache file. Several processes may read and write it at once."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or settings.VECTORS_DIR / "vectors.sqlite3"

    @contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=WAIT_SECONDS, isolation_level=None)) as connection:
            # Anything lost in a power cut is computed again.
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(SCHEMA)
            yield connection

    def read(self, keys: Sequence[bytes], dimensions: int) -> dict[bytes, NDArray[np.float32]]:
        """The vectors under these keys, unit rows of shape (dimensions,); those of another length count as missing."""
        found: dict[bytes, NDArray[np.float32]] = {}
        wanted = list(dict.fromkeys(keys))
        try:
            with self.opened() as connection:
                for first in range(0, len(wanted), AT_ONCE):
                    some = wanted[first : first + AT_ONCE]
                    marks = ",".join("?" * len(some))
                    rows = connection.execute(f"SELECT key, value FROM vector WHERE key IN ({marks})", some)  # noqa: S608
                    for key, value in rows:
                        if len(value) == 2 * dimensions:
                            found[bytes(key)] = rounded(np.frombuffer(value, np.float16).astype(np.float32))
        except sqlite3.Error as error:
            self.give_up(error)
        return found

    def write(self, vectors: Iterable[tuple[bytes, NDArray[np.float32]]]) -> None:
        """Store vectors under their keys; a vector of another length is replaced."""
        rows = [(key, vector.astype(np.float16).tobytes()) for key, vector in vectors]
        try:
            with self.opened() as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany("INSERT OR REPLACE INTO vector (key, value) VALUES (?, ?)", rows)
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            self.give_up(error)

    def count(self) -> int:
        """The number of vectors in the cache."""
        try:
            with self.opened() as connection:
                return int(connection.execute("SELECT count(*) FROM vector").fetchone()[0])
        except sqlite3.Error as error:
            self.give_up(error)
            return 0

    def give_up(self, error: sqlite3.Error) -> None:
        """Continue without the cache. A file that is no database is set aside."""
        logger.warning("The vector cache %s cannot be used: %s", self.path, error)
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            for ending in ("", "-wal", "-shm"):
                path = self.path.with_name(self.path.name + ending)
                path.unlink(missing_ok=True)
