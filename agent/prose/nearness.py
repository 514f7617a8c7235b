"""How near the windows of found passages are to the question in meaning: from the vectors they were indexed with."""

from collections.abc import Sequence

from agent.state import Passage
from filings.models import Chunk, Filing

Range = tuple[int, int]


class Nearness:
    """Cosines of the windows of passages to each part of a question; empty where meaning was not searched."""

    def __init__(self, texts: Sequence[str], passages: Sequence[Passage], model: str) -> None:
        self.windows: list[tuple[int, Range, tuple[float, ...]]] = []
        if model and passages:
            self._read(texts, passages, model)

    def _read(self, texts: Sequence[str], passages: Sequence[Passage], model: str) -> None:
        # numpy and the index belong to the worker.
        import numpy as np

        from filings.chunking.contextual import contextual_prefix, window_texts
        from filings.embeddings import EmbeddingUnavailable, embedder
        from filings.embeddings.vectors import vector_key

        filing = Filing.objects.select_related("company").get(pk=passages[0].filing)
        chunks = Chunk.objects.select_related("section").in_bulk([one.chunk for one in passages])
        stretches: list[tuple[int, Range]] = []
        said: list[str] = []
        for chunk in chunks.values():
            texts_of = window_texts(contextual_prefix(filing, chunk), chunk.section.text, chunk.windows)
            for window, text in zip(chunk.windows, texts_of, strict=True):
                stretches.append(
                    (chunk.section_id, (window[0][0] if len(window) == 1 else window[-1][0], window[-1][1]))
                )
                said.append(text)
        try:
            found = embedder()
            if found.model != model:
                return
            keys = [vector_key(model, text) for text in said]
            held = found.cache.read(keys, found.dimensions)
            asked = np.stack([found.query(text) for text in texts])
        except EmbeddingUnavailable:
            return
        for stretch, key in zip(stretches, keys, strict=True):
            if key in held:
                section, span = stretch
                self.windows.append((section, span, tuple(float(one) for one in asked @ held[key])))

    def cosine(self, section: int, start: int, end: int, part: int) -> float | None:
        """The best of the windows that hold a stretch; None where none is known."""
        found = [near[part] for of, span, near in self.windows if of == section and span[0] < end and start < span[1]]
        return max(found) if found else None
