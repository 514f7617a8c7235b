"""The cache of vectors: exact, shared by processes, and never missed."""

import sqlite3
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from filings.text.embeddings import BATCH, Embedder, EmbeddingUnavailable
from filings.text.embeddings.vectors import VectorCache, rounded, vector_key
from tests.support.processes import run


def made(count: int, dimensions: int = 16, seed: int = 1) -> np.ndarray[Any, Any]:
    rows = np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)
    found: np.ndarray[Any, Any] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


class Counting:
    """A model that counts what it is asked for."""

    model, dimensions = "counting", 16

    def __init__(self) -> None:
        self.asked: list[str] = []

    def documents(self, texts: Any, progress: Any) -> Any:
        self.asked += texts
        progress(len(texts))
        return np.concatenate([made(1, seed=len(text)) for text in texts])

    def query(self, text: str) -> Any:
        return made(1, seed=len(text))[0]

    def close(self) -> None:
        pass


def test_it_gives_back_what_it_was_given_and_nothing_else(tmp_path: Path) -> None:
    cache, rows = VectorCache(tmp_path / "v.sqlite3"), made(1200)
    keys = [vector_key("model", f"text {place}") for place in range(1200)]
    cache.write(zip(keys, rows, strict=True))
    found = cache.read([*keys, vector_key("model", "another")], 16)
    assert found.keys() == set(keys)
    assert all(np.array_equal(found[key], row) for key, row in zip(keys, rounded(rows), strict=True))
    assert np.allclose(rounded(rows), rows, atol=1e-3)
    assert cache.count() == 1200


def test_a_key_is_of_model_and_text() -> None:
    keys = {vector_key(model, text) for model in ("a", "b") for text in ("x", "y", "")}
    assert len(keys) == 6
    assert vector_key("a", "x") == vector_key("a", "x")
    assert {len(key) for key in keys} == {16}


def test_a_vector_is_the_same_from_the_model_and_from_the_cache(tmp_path: Path) -> None:
    texts = ["x" * place for place in range(300)]
    fresh = Embedder(Counting(), VectorCache(tmp_path / "v.sqlite3")).documents(texts)
    model = Counting()
    assert np.array_equal(Embedder(model, VectorCache(tmp_path / "v.sqlite3")).documents(texts), fresh)
    assert model.asked == []


def test_at_a_moment_no_further_text_is_embedded_and_what_was_is_kept(tmp_path: Path) -> None:
    texts = ["x" * place for place in range(BATCH * 2 + 1)]
    model = Counting()
    embedder = Embedder(model, VectorCache(tmp_path / "v.sqlite3"))
    for done in (BATCH, 2 * BATCH):
        with pytest.raises(EmbeddingUnavailable, match=f"{done} of {len(texts)} passages"):
            embedder.documents(texts, until=time.monotonic())
        assert len(model.asked) == embedder.cache.count() == done
    assert len(embedder.documents(texts, until=time.monotonic())) == len(texts)


def test_a_vector_without_length_stays_one() -> None:
    assert np.array_equal(rounded(np.zeros((1, 4), np.float32)), np.zeros((1, 4)))


def test_vectors_of_another_length_are_not_held_and_are_replaced(tmp_path: Path) -> None:
    cache, key = VectorCache(tmp_path / "v.sqlite3"), vector_key("model", "text")
    cache.write([(key, made(1, 8)[0])])
    assert cache.read([key], 16) == {}
    cache.write([(key, made(1, 16)[0])])
    assert cache.read([key], 16).keys() == {key}


@pytest.mark.parametrize("content", [b"", b"not a database at all, and long enough to be read as one" * 40])
def test_a_file_that_is_no_database_is_a_cache_that_holds_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "v.sqlite3"
    path.write_bytes(content)
    model = Counting()
    embedder = Embedder(model, VectorCache(path))
    assert embedder.documents(["one", "three"]).shape == (2, 16)
    assert embedder.documents(["one", "three"]).shape == (2, 16)
    assert 2 <= len(model.asked) <= 4
    asked = len(model.asked)
    embedder.documents(["one", "three"])
    assert len(model.asked) == asked


def test_a_folder_that_cannot_be_written_costs_the_cache_and_nothing_else(tmp_path: Path) -> None:
    model = Counting()
    embedder = Embedder(model, VectorCache(tmp_path / "missing" / "v.sqlite3"))
    assert embedder.documents(["one"]).shape == (1, 16)
    assert model.asked == ["one"]


def test_progress_counts_what_was_held_too(tmp_path: Path) -> None:
    embedder = Embedder(Counting(), VectorCache(tmp_path / "v.sqlite3"))
    texts = [f"{'x' * place}" for place in range(100)]
    embedder.documents(texts[:30])
    told: list[int] = []
    embedder.documents(texts, told.append)
    assert told[0] == 30
    assert told[-1] == 100
    assert told == sorted(told)


def test_memory_holds_a_bounded_number_of_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filings.text.embeddings.QUERIES_KEPT", 3)
    embedder = Embedder(Counting(), VectorCache(tmp_path / "v.sqlite3"))
    for question in ("a", "bb", "ccc", "a", "dddd"):
        embedder.query(question)
    assert set(embedder.queries) == {"ccc", "a", "dddd"}


WRITER = """
import sys
from pathlib import Path
import django
django.setup()
import numpy as np
from filings.text.embeddings.vectors import VectorCache, vector_key
cache, name = VectorCache(Path(sys.argv[1])), sys.argv[2]
for place in range(60):
    cache.write([(vector_key(name, str(place)), np.full(4, 0.5, np.float32))])
    assert vector_key(name, str(place)) in cache.read([vector_key(name, str(place))], 4)
"""


def test_two_processes_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    path = tmp_path / "v.sqlite3"
    with ThreadPoolExecutor(2) as pool:
        done = list(
            pool.map(
                lambda name: run("-c", WRITER, str(path), name, DATA_DIR=str(tmp_path), SECRET_KEY="x"), ("one", "two")
            )
        )
    assert [result.returncode for result in done] == [0, 0], [result.stderr for result in done]
    assert VectorCache(path).count() == 120


def test_the_file_is_a_plain_sqlite_database_in_wal_mode(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "v.sqlite3")
    cache.write([(b"k" * 16, made(1)[0])])
    connection = sqlite3.connect(cache.path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
