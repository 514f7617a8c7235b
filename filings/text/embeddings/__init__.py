"""Vectors of texts and questions: the model of the settings behind a cache."""

import math
import time
from collections.abc import Sequence
from functools import partial
from threading import Lock

import numpy as np
from cachetools import LRUCache
from django.conf import settings
from numpy.typing import NDArray

from filings.text.embeddings.model import (
    EmbeddingMisconfigured,
    EmbeddingUnavailable,
    Model,
    Progress,
    report,
    unheard,
)
from filings.text.embeddings.vectors import VectorCache, rounded, vector_key

__all__ = [
    "Embedder",
    "EmbeddingMisconfigured",
    "EmbeddingUnavailable",
    "Model",
    "Progress",
    "count_pieces",
    "embedder",
    "forget",
    "pieces_of",
    "pieces_within",
    "report",
    "unheard",
]

QUERIES_KEPT = 512
# Texts embedded before their vectors are stored and progress is reported.
BATCH = 32
# After an endpoint has failed a question, questions do without it for this long.
REST_SECONDS = 20.0


class Embedder:
    """A model behind its caches: of documents in VECTORS_DIR, of questions in memory.

    A vector is the same from the model or a cache: rounded to float16.
    """

    def __init__(self, model: Model, cache: VectorCache | None = None) -> None:
        self.inner = model
        self.cache = cache or VectorCache()
        self.queries: LRUCache[str, NDArray[np.float32]] = LRUCache(QUERIES_KEPT)
        self.lock = Lock()
        self.rests_until = 0.0
        self.reason = ""

    @property
    def model(self) -> str:
        """The model's name, as an index stores and compares it."""
        return self.inner.model

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    def documents(
        self, texts: Sequence[str], progress: Progress = unheard, until: float = math.inf
    ) -> NDArray[np.float32]:
        """Unit vectors of shape (len(texts), dimensions), float32; missing ones are computed and cached.

        progress: called now and then with how many of `texts` are done, so that a worker can send heartbeats. until: by
        time.monotonic(), when no further batch is begun. Raises EmbeddingUnavailable; what was computed before is kept.
        """
        keys = [vector_key(self.model, text) for text in texts]
        held = self.cache.read(keys, self.dimensions)
        todo = {key: text for key, text in zip(keys, texts, strict=True) if key not in held}
        # Texts of similar length together: an endpoint pads a batch to its longest.
        order = sorted(todo, key=lambda key: len(todo[key]))
        before = len(texts) - len(todo)
        progress(before)
        for first in range(0, len(order), BATCH):
            # At least one batch, so that repeated calls finish.
            if first and time.monotonic() > until:
                raise EmbeddingUnavailable(f"In its time {before + first:,} of {len(texts):,} passages were embedded.")
            some = order[first : first + BATCH]
            made = self.inner.documents([todo[key] for key in some], partial(report, progress, before + first))
            self.cache.write(zip(some, made, strict=True))
            held.update(zip(some, rounded(made), strict=True))
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for place, key in enumerate(keys):
            vectors[place] = held[key]
        return vectors

    def query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a question, of shape (dimensions,), float32. Raises EmbeddingUnavailable."""
        with self.lock:
            if (kept := self.queries.get(text)) is not None:
                return kept
            if time.monotonic() < self.rests_until:
                raise EmbeddingUnavailable(self.reason)
        try:
            vector: NDArray[np.float32] = rounded(self.inner.query(text)[None])[0]
        except EmbeddingUnavailable as error:
            with self.lock:
                self.rests_until, self.reason = time.monotonic() + REST_SECONDS, str(error)
            raise
        vector.setflags(write=False)
        with self.lock:
            self.queries[text] = vector
        return vector


def count_pieces(text: str) -> int:
    """Word pieces of a text by the tokenizer of all-MiniLM-L6-v2, without [CLS] and [SEP]."""
    return pieces_of([text])[0]


def pieces_of(texts: Sequence[str]) -> list[int]:
    """Word pieces of each text, counted together: a filing of 400 kB takes about a fifth of a second."""
    from filings.text.embeddings.minilm import tokenizer

    return [len(encoded.ids) for encoded in tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)]


def pieces_within(text: str) -> list[int]:
    """The position of each word piece in a text."""
    from filings.text.embeddings.minilm import tokenizer

    return [start for start, _ in tokenizer().encode(text, add_special_tokens=False).offsets]


Key = tuple[object, ...]
_models: dict[Key, Model] = {}
_embedders: dict[Key, Embedder] = {}
_lock = Lock()


def embedder() -> Embedder:
    """The embedder of the settings, created once a process. Raises EmbeddingMisconfigured."""
    key: Key = (
        settings.EMBEDDING_BASE_URL,
        settings.EMBEDDING_API_KEY,
        settings.EMBEDDING_MODEL,
        settings.EMBEDDING_DIMENSIONS,
        settings.EMBEDDING_DOCUMENT_PREFIX,
        settings.EMBEDDING_QUERY_PREFIX,
    )
    with _lock:
        # Settings change only in tests: one of each in memory is enough.
        if key not in _models:
            _forget()
            _models[key] = _model()
        if (*key, settings.VECTORS_DIR) not in _embedders:
            _embedders.clear()
            _embedders[*key, settings.VECTORS_DIR] = Embedder(_models[key])
        return _embedders[*key, settings.VECTORS_DIR]


def forget() -> None:
    """Release the model and its connections."""
    with _lock:
        _forget()


def _forget() -> None:
    for model in _models.values():
        model.close()
    _models.clear()
    _embedders.clear()


def _model() -> Model:
    if settings.EMBEDDING_BASE_URL:
        from filings.text.embeddings.endpoint import Endpoint

        return Endpoint()
    from filings.text.embeddings.minilm import MiniLM

    return MiniLM()
