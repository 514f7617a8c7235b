"""The answer of a run: blocks with tables, checks, quotations and refusals."""

from typing import Literal

from pydantic import Field

from agent.refusals.codes import Code
from agent.state.findings import Claim, Dropped, FactRef, FilingDatum, FilingRef, NearPassage, Retrieval
from agent.state.plan import Plan
from agent.state.query import Row
from agent.state.references import Alternative, QuestionType, Record
from agent.state.rounds import Decision
from agent.state.tables import Table

WITHOUT_MODEL = "no language model"
OUTCOMES: tuple[Literal["answered", "passages", "meta"], ...] = ("answered", "passages", "meta")


class Check(Record):
    """One comparison made before the answer is shown."""

    target: int
    iteration: int = 0
    name: str = "cite_check"
    ok: bool
    detail: str = ""


class Refusal(Record):
    """A typed refusal of one target."""

    target: int
    iteration: int = 0
    code: Code
    stage: str
    text: str = Field(description="First sentence: what is not there, or why it is not answered.")
    detail: str = Field(default="", description="Second sentence: why a near thing is not given.")
    looked_for: tuple[tuple[str, str], ...] = Field(default=(), description="Rows of (what, value).")
    tags: tuple[str, ...] = Field(default=(), description="Tags tried.")
    accessions: tuple[str, ...] = Field(default=(), description="Of the filings looked at.")
    without_model: str = Field(default="", description="Why a model that should have helped did not, in a sentence.")
    candidates: tuple[FactRef, ...] = Field(default=(), description="For conflict: the unequal facts.")
    concepts: tuple[str, ...] = Field(default=(), description="Registry keys near the measure asked.")
    parts: tuple[Row, ...] = Field(default=(), description="Measures of parts of the company near what is asked.")
    companies: tuple[int, ...] = Field(default=(), description="CIKs near the company asked.")
    proposals: tuple[Alternative, ...] = Field(
        default=(), description="What a model takes the question to mean; whether they are answered is not known."
    )


class Block(Record):
    """One part of the answer: a table of figures, quotations, passages to be read, a refusal, or the concierge's words."""

    target: int
    type: QuestionType
    outcome: Literal["answered", "passages", "refused", "meta"]
    table: Table | None = None
    checks: tuple[Check, ...] = ()
    claims: tuple[Claim, ...] = Field(default=(), description="Verified, in the order they are shown.")
    dropped: tuple[Dropped, ...] = ()
    retrieval: Retrieval | None = None
    particulars: tuple[FilingDatum, ...] = ()
    filings: tuple[FilingRef, ...] = Field(default=(), description="Of a prose block: the filings quoted.")
    notes: tuple[str, ...] = Field(default=(), description="As that one half of the question has no answer.")
    refusal: Refusal | None = Field(
        default=None, description="Also of passages: why what was asked is no figure that can be told."
    )
    alternatives: tuple[Alternative, ...] = ()
    passages: tuple[NearPassage, ...] = Field(
        default=(), description="Of a part without an answer: the closest passages of its filing, to be read."
    )
    text: str = ""


class Versions(Record):
    """The versions of code, registry and corpus behind the answer."""

    code: str
    registry: str
    corpus: str


class Answer(Record):
    """The result of a run, complete enough to be checked again without the run."""

    question: str
    plan: Plan
    blocks: tuple[Block, ...]
    versions: Versions
    mode: str = WITHOUT_MODEL
    judged: Decision | None = Field(
        default=None, description="With a model: the last judgement of what was drafted; None where none was made."
    )

    @property
    def outcome(self) -> Literal["answered", "passages", "refused", "meta"]:
        """The best outcome of its blocks: answered before passages; refused only where every block is."""
        outcomes = {block.outcome for block in self.blocks}
        return next((one for one in OUTCOMES if one in outcomes), "refused")

    @property
    def refusal_code(self) -> str:
        """The first refusal's code where nothing is answered, also with passages; else empty."""
        if self.outcome not in {"refused", "passages"} or not all(block.refusal for block in self.blocks):
            return ""
        return next((str(block.refusal.code) for block in self.blocks if block.refusal), "")
