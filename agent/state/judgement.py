"""A model's judgement over the figures of an answer: a verdict, and reasons of which code makes every word."""

from decimal import Decimal
from typing import Literal

from pydantic import Field

from agent.state.references import Record
from filings.xbrl.periods import FiscalPeriod

Verdict = Literal["yes", "no", "mixed", "not meaningful"]
Relation = Literal[
    "higher than", "lower than", "about equal to", "above", "below", "rises", "falls", "about level", "positive", "negative",
]  # fmt: skip


class Term(Record):
    """One figure of the answer's table, by its row, company and period."""

    row: int
    measure: str = Field(description="Key of the measure: rows of several readings are told apart by it.")
    cik: int
    fiscal_year: int
    fiscal_period: FiscalPeriod = FiscalPeriod.YEAR


class Reason(Record):
    """Why a verdict is given: a comparison of figures, which code computes again, or a quotation of the answer."""

    figure: Term | None = None
    relation: Relation | Literal[""] = ""
    other: Term | None = None
    bound: Decimal | None = Field(default=None, description="A number of the question, or zero or one.")
    within: int = Field(default=0, description="For what is about equal: within so many percent.")
    quote: str = Field(default="", description="The text of a claim of the answer, as shown.")
    accession: str = Field(default="", description="Accession number of the filing that it quotes.")


class Judgement(Record):
    """A model's reading of the figures and passages of an answer, shown apart from them and never as evidence."""

    target: int
    iteration: int = 0
    verdict: Verdict
    reasons: tuple[Reason, ...] = Field(min_length=1, max_length=2)
