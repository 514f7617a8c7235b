"""How near found passages are to the question in meaning: their windows by the vectors they were indexed with."""

from collections.abc import Mapping, Sequence

from agent.prose.section_text import SectionText
from agent.state import Passage
from filings.models import Chunk

Range = tuple[int, int]


class Nearness:
    """Cosines of passages to each part of a question; empty where meaning was not searched.

    read: the passages' sections by primary key.
    """

    def __init__(
        self, focuses: Sequence[str], passages: Sequence[Passage], read: Mapping[int, SectionText], model: str
    ) -> None:
        self.windows: list[tuple[int, Range, tuple[float, ...]]] = []
        self.focuses = focuses
        if model and passages:
            self._measure(focuses, passages, read, model)

    def _measure(
        self, focuses: Sequence[str], passages: Sequence[Passage], read: Mapping[int, SectionText], model: str
    ) -> None:
        # numpy and the index belong to the worker.
        import numpy as np

        from filings.text.chunking.contextual import embedded_texts
        from filings.text.embeddings import EmbeddingUnavailable, embedder
        from filings.text.embeddings.vectors import vector_key

        chunks = [
            chunk
            for chunk in Chunk.objects.filter(pk__in={pk for one in passages for pk in one.chunks or (one.chunk,)})
            if chunk.section_id in read
        ]
        said = embedded_texts((chunk, read[chunk.section_id].section.text) for chunk in chunks)
        # Of a part of a table, its rows: the last range, after caption and header.
        stretches = [(chunk.section_id, tuple(window[-1])) for chunk in chunks for window in chunk.windows]
        try:
            found = embedder()
            if found.model != model:
                return
            keys = [vector_key(model, text) for text in said]
            held = found.cache.read(keys, found.dimensions)
            asked = np.stack([found.query(text) for text in focuses])
        except EmbeddingUnavailable:
            return
        for stretch, key in zip(stretches, keys, strict=True):
            if key in held:
                section, (first, last) = stretch
                self.windows.append((section, (first, last), tuple(float(one) for one in asked @ held[key])))

    def cosine(self, section: int, start: int, end: int, part: int) -> float | None:
        """The best of the windows that hold a stretch; None where none is known."""
        found = [near[part] for of, span, near in self.windows if of == section and span[0] < end and start < span[1]]
        return max(found) if found else None
