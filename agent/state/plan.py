"""The plan of an answer: the query, and a target for each part of the answer."""

from hashlib import sha256
from typing import Literal

from pydantic import Field

from agent.refusals.codes import Code
from agent.state.modes import Mode
from agent.state.query import Breakdown, Query
from agent.state.references import Alternative, CompanyRef, Period, QuestionType, Record, Scale, Topic
from agent.state.tables import Table


class FallbackRefusal(Record):
    """The refusal of a figure with an unknown measure, used if the filing's text does not give it either."""

    code: Code
    text: str = Field(description="The first sentence of the refusal.")
    words: tuple[str, ...] = Field(default=(), description="Words of the question that led to the refusal, as typed.")
    proposals: tuple[Alternative, ...] = Field(
        default=(),
        description="Questions that a model takes them to mean; it is not known whether they can be answered.",
    )


class FallbackSearch(Record):
    """A text search for a refused part: its passages are shown beside the refusal."""

    target: int = Field(description="Number of the refused target.")
    query: Query


class Target(Record):
    """One part of the answer: the table of the query, or what one filing says of a topic, or data of one filing."""

    id: int
    company: CompanyRef = Field(description="The company; for a table of several companies, the first.")
    period: Period
    earlier: Period | None = Field(
        default=None, description="The earlier year that a text is compared with; None: the year before."
    )
    figures: bool = Field(default=False, description="Whether this target is the table of the plan's query.")
    topic: Topic | None = None
    sources: tuple[str, ...] = Field(
        default=(),
        description="Kinds of documents to look in, such as 10-Q or call, if the one asked does not answer.",
    )
    document: int | None = Field(
        default=None, description="Primary key of the document asked; None: the 10-K of the period."
    )
    remark: str = Field(default="", description="What the reader must know of the choice of documents, in a sentence.")
    missing: tuple[str, ...] = Field(
        default=(),
        description="Of several quarters: those asked, before this document's and behind the one before, of which none is held.",
    )
    after: int | None = Field(
        default=None,
        description="Number of the target for which another document was searched first, without an answer.",
    )
    tells_of: int | None = Field(
        default=None, description="The year that every sentence must name, where no report of it is held."
    )
    particular: str = Field(
        default="", description="Key of the detail about the filing that is asked for: filed, auditor, accession, ..."
    )
    otherwise: FallbackRefusal | None = Field(
        default=None, description="For a topic that asks for a figure: how it is refused if the text does not give it."
    )


class Chip(Record):
    """One slot of a model's reading, which whoever asks can fill otherwise with one tap."""

    slot: Literal["company", "measure", "period"]
    label: str = Field(description="What it was filled with: Apple, Operating income, fiscal 2024.")
    text: str = Field(default="", description="The words of the question, as typed.")
    others: tuple[Alternative, ...] = Field(
        default=(), description="The question with another company, measure or period in this slot."
    )


class Plan(Record):
    """How the question was understood."""

    type: QuestionType
    targets: tuple[Target, ...] = ()
    query: Query | None = Field(
        default=None, description="The query; for a refused question, what was understood of it."
    )
    mode: Mode = Field(
        default=Mode.STANDARD, description="How much work a language model may do; no effect without one."
    )
    reasoning: str = Field(default="", description="What a model took the question to ask for.")
    axes: tuple[str, ...] = Field(default=(), description="Readings of an ambiguous question, two or three.")
    judgement: bool = Field(
        default=False, description="Whether a model chose the figures, so that a judgement over them is the answer."
    )
    chips: tuple[Chip, ...] = Field(default=(), description="The slots of a query for figures that a model filled.")

    @property
    def digest(self) -> str:
        """SHA-256 of the query, in hexadecimal: what is answered must be what was read."""
        return sha256(self.query.model_dump_json().encode() if self.query else b"").hexdigest()

    @property
    def asks_judgement(self) -> bool:
        """Whether the figures are to be judged, as a model computed them or as code reads the question."""
        return self.judgement or bool(self.query and self.query.judged)

    @property
    def scale(self) -> Scale | None:
        """The scale that figures are asked in."""
        return self.query.scale if self.query else None

    def reads_in_several_ways(self, table: Table) -> bool:
        """Whether the figures are readings of one thing asked, of which a reader takes one."""
        rows = self.query.rows if self.query else ()
        asked = {one.row for one in table.readings} if not self.divides else set[int]()
        terms = {rows[row].term if row < len(rows) else "" for row in asked}
        return len(asked) == 1 or (len(terms) == 1 and terms != {""})

    @property
    def divides(self) -> bool:
        """Whether all parts of a company are asked: rows of a table rather than readings."""
        return any(isinstance(row.measure, Breakdown) for row in (self.query.rows if self.query else ()))

    @property
    def companies(self) -> tuple[CompanyRef, ...]:
        """Every company asked about, once, in the question's order."""
        named = (*(self.query.companies if self.query else ()), *(target.company for target in self.targets))
        return tuple({company.cik: company for company in named}.values())
