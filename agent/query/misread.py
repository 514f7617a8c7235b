"""A question that makes no query: why, which words decided, and what was understood of it."""

from pydantic import Field

from agent.state.query import Word
from agent.refusals.codes import Code
from agent.state.planned import CompanyRef, Period, Record, Scale


class Misread(Record):
    """A typed refusal of the reader. Its sentences are those of `agent.refusals`."""

    code: Code
    words: tuple[str, ...] = Field(default=(), description="Words of the question that decided, as typed.")
    companies: tuple[CompanyRef, ...] = Field(default=(), description="Named, or near the name given.")
    periods: tuple[Period, ...] = ()
    measures: tuple[str, ...] = Field(default=(), description="Registry keys understood, fitting or near.")
    scale: Scale | None = None
    read: tuple[Word, ...] = ()


class Refused(Exception):
    """Raised inside the reader where a question cannot become a query."""

    def __init__(self, code: Code, *words: str, measures: tuple[str, ...] = ()) -> None:
        super().__init__(code, *words)
        self.code, self.words, self.measures = code, words, measures
