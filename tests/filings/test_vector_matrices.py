"""Matrices are shared by the threads of a worker."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from filings.search.vector_matrices import Matrices, Matrix

DIMENSIONS = 4


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def matrix() -> Matrix:
    return Matrix.read([(1, "1A", np.ones(DIMENSIONS, np.float16).tobytes())], DIMENSIONS)


def test_threads_that_keep_and_drop_at_once_stumble_over_nothing(hasty: None) -> None:
    """With room for two of twelve, nearly every look-up meets one that another thread is about to drop."""
    one = matrix()
    kept = Matrices(limit=2 * one.vectors.nbytes)

    def work(seed: int) -> None:
        for turn in range(3000):
            filing = (seed * 7 + turn) % 12
            if kept.get(filing, "stamp") is None:
                kept.keep(filing, "stamp", one)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    assert kept.kept.currsize == sum(held.vectors.nbytes for _, held in kept.kept.values())
    assert len(kept.kept) == 2
