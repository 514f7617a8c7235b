"""A model's reading of a question, as pieces copied from the question; anything else is ignored."""

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from agent.grounding.candidates import Candidate
from agent.programs.schemas import Form, Idle, Made, Mode, Source
from agent.state.query import Measure
from agent.state.references import QuestionType, Record
from agent.words.tokens import plain


class Piece(Record):
    """Words of the question, in its own characters."""

    start: int
    end: int
    text: str


class RowPiece(Record):
    """Words that name a figure, with the candidates it is made of, in the order of the form."""

    piece: Piece
    form: Form = "value"
    candidates: tuple[Candidate, ...] = ()
    part: Candidate | None = Field(default=None, description="The part of the company that it is of.")
    by: Literal["", "segment", "product", "region", "class"] = ""
    first: Literal["", "largest", "smallest"] = ""
    complete: bool = Field(default=True, description="Whether every id given was offered.")
    made: tuple[Measure, ...] = Field(
        default=(), description="What expressions over the candidates make, in place of a form."
    )


class OperationPiece(Record):
    """Words that say what is made of the figures, with the number that they hold them against, or count by."""

    piece: Piece
    kind: Made
    number: Piece | None = None


class LeftOutPiece(Record):
    """Words that say nothing of what is asked."""

    piece: Piece
    why: Idle


class Ambiguity(Record):
    """Words with two or three readings, which a draft follows one by one."""

    kind: Literal["terminology", "qualifier"]
    piece: Piece
    axes: tuple[str, ...] = Field(description="Two or three, in a few words each.")


class Understanding(Record):
    """The slots of a query as a model fills them. Every piece stands in the question; every candidate was offered."""

    type: QuestionType
    companies: tuple[Piece, ...] = ()
    periods: tuple[Piece, ...] = ()
    rows: tuple[RowPiece, ...] = ()
    complete: bool = Field(default=True, description="Whether every row and operation stands in the question.")
    operations: tuple[OperationPiece, ...] = ()
    topics: tuple[Piece, ...] = ()
    left_out: tuple[LeftOutPiece, ...] = ()
    source: Source = Field(default="10-K", description="Kind of document that tells what is asked.")
    named: Piece | None = Field(default=None, description="Words of the question that name another source.")
    mode: Mode = "standard"
    reasoning: str = Field(default="", description="At most three sentences that may be shown; empty for none.")
    ambiguity: Ambiguity | None = None

    @property
    def is_unheld(self) -> bool:
        """Whether text is asked: by its type, or because no candidate is any of the figures."""
        return self.type is QuestionType.PROSE or not any(row.candidates for row in self.rows)


def pieces(question: str, said: Sequence[str]) -> tuple[Piece, ...]:
    """The texts that stand in the question as whole words, in its order, without overlaps."""
    found: list[Piece] = []
    for text in said:
        taken = [(one.start, one.end) for one in found]
        if piece := next((one for one in places(question, text) if is_free(one, taken)), None):
            found.append(piece)
    return tuple(sorted(found, key=lambda one: one.start))


def places(question: str, said: str) -> list[Piece]:
    """Every position of a text in the question, ignoring case, accents and kinds of quotes."""
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
    """Whether a piece overlaps none of the ranges."""
    return all(piece.end <= start or end <= piece.start for start, end in taken)
