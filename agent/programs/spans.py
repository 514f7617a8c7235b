"""Where words that a model says it read stand in the question; what does not stand there was not read."""

import re
from collections.abc import Sequence

from pydantic import Field

from agent.words.tokens import plain
from agent.state.planned import Record


class Piece(Record):
    """A stretch of the question, in the question's own characters."""

    start: int
    end: int
    text: str


class ConceptPiece(Record):
    """A stretch that names a figure, with the registry keys proposed for it."""

    piece: Piece
    keys: tuple[str, ...] = Field(default=(), description="Keys of the registry, at most two.")


def pieces(question: str, said: Sequence[str]) -> tuple[Piece, ...]:
    """The texts that stand in the question as whole words, in its order; none that shares characters with another."""
    found: list[Piece] = []
    for text in said:
        taken = [(one.start, one.end) for one in found]
        if piece := next((one for one in places(question, text) if is_free(one, taken)), None):
            found.append(piece)
    return tuple(sorted(found, key=lambda one: one.start))


def places(question: str, said: str) -> list[Piece]:
    """Every place where a text stands in the question, whatever its case, its accents and its kind of quotes."""
    folded = plain(question)
    words = plain(said).text.split()
    if not words:
        return []
    spelt = r"\s+".join(map(re.escape, words))
    pattern = re.compile(rf"(?<!\w){spelt}(?!\w)")
    return [
        Piece(start=start, end=end, text=question[start:end])
        for hit in pattern.finditer(folded.text)
        for start, end in [(folded.offsets[hit.start()], folded.offsets[hit.end() - 1] + 1)]
    ]


def is_free(piece: Piece, taken: Sequence[tuple[int, int]]) -> bool:
    """Whether a piece shares no character with the ranges."""
    return all(piece.end <= start or end <= piece.start for start, end in taken)
