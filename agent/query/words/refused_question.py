"""A question that makes no query: why, which words decided, and what was understood of it."""

from pydantic import Field

from agent.refusals.codes import Code
from agent.state.query import Query, Row, Years
from agent.state.question_words import Word
from agent.state.references import CompanyRef, Period, PeriodForm, Record, Scale

# Refusals whose companies are only near the name given.
_OF_COMPANIES = frozenset({Code.UNKNOWN_COMPANY, Code.AMBIGUOUS_COMPANY})
# Of a part of a year, and of a year to come, no figure is given, whatever it is called.
UNTIMELY = frozenset({Code.PREDICTION, Code.INTERIM_PERIOD})
# What is refused as a figure may be told by the text: its nearest passages are shown beside the refusal.
MAY_BE_TOLD = UNTIMELY | {
    Code.NOT_UNDERSTOOD,
    Code.CONCEPT_UNKNOWN,
    Code.AMBIGUOUS_CONCEPT,
    Code.DIMENSIONAL_ONLY,
    Code.NON_GAAP,
}
# What no 10-K answers and another document may; of all else that is refused, one that the question names.
MAY_BE_SOURCED = UNTIMELY | {Code.NON_GAAP, Code.TRANSCRIPT, Code.EXTERNAL_DATA}


class Misread(Record):
    """A typed refusal of the reader. Its sentences are those of `agent.refusals`."""

    code: Code
    words: tuple[str, ...] = Field(default=(), description="Words of the question that decided, as typed.")
    companies: tuple[CompanyRef, ...] = Field(default=(), description="Named, or near the name given.")
    periods: tuple[Period, ...] = ()
    measures: tuple[str, ...] = Field(default=(), description="Registry keys understood, fitting or near.")
    named: tuple[str, ...] = Field(
        default=(), description="Registry keys named in a question that was not read further."
    )
    rows: tuple[Row, ...] = Field(default=(), description="Measures understood for sure.")
    parts: tuple[Row, ...] = Field(
        default=(), description="Measures of parts of the company that are named, or called by a word not understood."
    )
    scale: Scale | None = None
    text: bool = Field(default=False, description="Whether text of a filing is asked for.")
    told: Query | None = Field(
        default=None, description="What the text of the filing is asked in its place, to be read."
    )
    sourced: Query | None = Field(
        default=None, description="What documents other than the 10-K are asked, to be read where any is held."
    )
    untimely: bool = Field(
        default=False, description="Whether a figure of no whole year, or of a year to come, is asked."
    )
    table: Query | None = Field(default=None, description="The table before it, which it was to change.")
    read: tuple[Word, ...] = ()

    @property
    def query(self) -> Query:
        """What was understood, as far as it goes; the table before, where that stays as it was."""
        if self.table is not None:
            return self.table.model_copy(update={"words": self.read})
        return Query(
            companies=self.companies if self.code not in _OF_COMPANIES else (),
            periods=Years(periods=self.periods or (Period(form=PeriodForm.LATEST),)),
            rows=self.rows,
            scale=self.scale,
            words=self.read,
        )


# How a question was read: one query, or one for each of its halves; each may be none.
Read = tuple[Query | Misread, ...]


class Refused(Exception):
    """Raised inside the reader where a question cannot become a query."""

    def __init__(self, code: Code, *words: str, measures: tuple[str, ...] = ()) -> None:
        super().__init__(code, *words)
        self.code, self.words, self.measures = code, words, measures
