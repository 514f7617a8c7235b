"""Vectors of filings as matrices in memory, and exact search over them."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Self

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from filings.search.index import Vector

# Bytes of vectors cached by one process: about 28,000 chunks of 384 dimensions, or forty filings.
LIMIT = 128 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Matrix:
    """The windows of some chunks: vectors (windows, dimensions), and per chunk its id, Item and first window."""

    chunks: NDArray[np.int64]
    items: NDArray[np.str_]
    starts: NDArray[np.int64]
    vectors: NDArray[np.float32]

    @classmethod
    def read(cls, rows: Sequence[tuple[int, str, bytes]], dimensions: int) -> Self:
        """From (chunk, item, float16 bytes of its windows)."""
        sizes = np.array([len(blob) // (2 * dimensions) for _, _, blob in rows], dtype=np.int64)
        half = np.frombuffer(b"".join(blob for _, _, blob in rows), dtype="<f2")
        return cls(
            np.array([chunk for chunk, _, _ in rows], dtype=np.int64),
            np.array([item for _, item, _ in rows], dtype=np.str_),
            np.cumsum(sizes) - sizes,
            half.astype(np.float32).reshape(-1, dimensions),
        )


class Matrices:
    """The filings used last, within a memory limit, shared by threads. A filing written again has another stamp and is
    read again.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.kept: LRUCache[int, tuple[str, Matrix]] = LRUCache(limit, lambda kept: kept[1].vectors.nbytes)
        self.lock = Lock()

    def get(self, filing: int, stamp: str) -> Matrix | None:
        with self.lock:
            found = self.kept.get(filing)
            return found[1] if found and found[0] == stamp else None

    def keep(self, filing: int, stamp: str, matrix: Matrix) -> None:
        """Raises ValueError for a matrix that is larger than the limit."""
        with self.lock:
            self.kept[filing] = stamp, matrix


def best_by_chunk(matrix: Matrix, vector: Vector, items: Sequence[str], depth: int) -> dict[int, float]:
    """The cosine of each chunk's best window, for the best `depth` chunks of the given Items (all, if empty)."""
    if not len(matrix.chunks):
        return {}
    scores = np.maximum.reduceat(matrix.vectors @ vector.astype(np.float32), matrix.starts)
    chosen = np.flatnonzero(np.isin(matrix.items, items)) if items else np.arange(len(scores))
    if len(chosen) > depth:
        chosen = chosen[np.argpartition(-scores[chosen], depth - 1)[:depth]]
    return dict(zip(matrix.chunks[chosen].tolist(), scores[chosen].tolist(), strict=True))
