"""The vectors that are shipped with the sample: all of them, no others, and those of the model."""

from pathlib import Path

import numpy as np
import pytest
from pytest_django import Settings

from evals.sample import vectors as made
from filings.sample import vectors
from filings.text import embeddings
from filings.text.embeddings import minilm, onnx_graph
from filings.text.embeddings.vectors import VectorCache, vector_key
from tests.support.sample import Sample

MEND = "run: make sample-vectors"
# int8 kernels round differently from one processor to the next: a cosine of 0.9987 was seen between two.
SAME_VECTOR = 0.995
# Beyond it the clone grows with each change of the documents.
LARGEST = 1_200_000


def test_every_passage_of_the_sample_has_its_vector_shipped(sample: Sample) -> None:
    texts = {vector_key(minilm.NAME, text): text for text in made.texts()}
    assert texts, "the sample has no passages"
    shipped = set(vectors.read().keys)
    missing = [text[:90] for key, text in texts.items() if key not in shipped]
    assert not missing, f"{len(missing)} of {len(texts)} passages are not shipped, {MEND}\n" + "\n".join(missing)
    assert len(shipped) == len(texts), f"{len(shipped) - len(texts)} vectors are of no passage, {MEND}"


def test_what_is_shipped_is_what_the_model_gives(sample: Sample) -> None:
    shipped = vectors.read()
    place = {key: number for number, key in enumerate(shipped.keys)}
    texts = sorted(made.texts())[:: max(1, len(place) // 6)]
    fresh = minilm.MiniLM().documents(texts)
    held = np.stack([shipped.vectors[place[vector_key(shipped.model, text)]] for text in texts]).astype(np.float32)
    assert len(texts) >= 5
    assert (np.sum(fresh * held, axis=1) >= SAME_VECTOR).all()


def test_they_are_of_the_model_on_this_machine_and_small() -> None:
    shipped = vectors.read()
    assert (shipped.model, shipped.vectors.shape[1]) == (minilm.NAME, onnx_graph.DIMENSIONS)
    assert list(shipped.keys) == sorted(set(shipped.keys))
    assert vectors.VECTORS.stat().st_size <= LARGEST


def test_the_cache_has_them_and_has_them_once(settings: Settings, tmp_path: Path) -> None:
    settings.VECTORS_DIR = tmp_path
    count = vectors.seed()
    assert vectors.seed() == count == VectorCache().count() > 0


def test_nothing_is_embedded_that_is_shipped(sample: Sample, settings: Settings, tmp_path: Path) -> None:
    settings.VECTORS_DIR = tmp_path
    vectors.seed()
    texts = list(made.texts())

    class Idle(minilm.MiniLM):
        def documents(self, texts: object, progress: object = None) -> np.ndarray:  # type: ignore[override]
            raise AssertionError("the model was asked")

    assert embeddings.Embedder(Idle()).documents(texts).shape == (len(texts), onnx_graph.DIMENSIONS)


def test_an_endpoint_gets_none_of_them(settings: Settings, tmp_path: Path) -> None:
    settings.VECTORS_DIR, settings.EMBEDDING_BASE_URL = tmp_path, "http://127.0.0.1:9/v1"
    assert vectors.seed() == 0
    assert not (tmp_path / "vectors.sqlite3").exists()
    with pytest.raises(made.NotLocal):
        made.build(tmp_path / "other.xz")


def test_writing_them_again_gives_the_same_bytes(sample: Sample, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    assert made.build(one) == made.build(other)
    assert one.read_bytes() == other.read_bytes()
