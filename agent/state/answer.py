"""The answer of a run, made of blocks with tables, quotations or a refusal."""

from collections import Counter
from typing import Literal

from pydantic import Field

from agent.refusals.codes import Code
from agent.state.fact_findings import FactRef
from agent.state.findings import Claim, Dropped, FilingDatum, FilingRef, NearPassage, Retrieval
from agent.state.judgement import Judgement
from agent.state.model_rounds import Decision
from agent.state.plan import Plan
from agent.state.query import Row
from agent.state.references import Alternative, QuestionType, Record
from agent.state.tables import Table
from filings.models.source_kinds import ANNUAL, SourceKind

WITHOUT_MODEL = "no language model"
Outcome = Literal["answered", "nearest", "passages", "refused", "meta"]
# The best first.
OUTCOMES: tuple[Outcome, ...] = ("answered", "nearest", "passages", "meta")


class Check(Record):
    """One check of the answer against the database, made before it is shown."""

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
    text: str = Field(description="First sentence: what is missing, or why there is no answer.")
    detail: str = Field(default="", description="Second sentence: why the closest match is not given as the answer.")
    looked_for: tuple[tuple[str, str], ...] = Field(
        default=(), description="What the question asked for, as rows of (kind, value)."
    )
    tags: tuple[str, ...] = Field(default=(), description="XBRL tags that were tried.")
    accessions: tuple[str, ...] = Field(default=(), description="Accession numbers of the filings that were searched.")
    without_model: str = Field(
        default="", description="Why a language model that should have helped did not, in a sentence."
    )
    candidates: tuple[FactRef, ...] = Field(default=(), description="For a conflict: the facts that disagree.")
    words: tuple[str, ...] = Field(default=(), description="Words of the question that decided, as typed.")
    concepts: tuple[str, ...] = Field(
        default=(), description="Keys of measures named, or similar to the one asked for."
    )
    parts: tuple[Row, ...] = Field(
        default=(), description="Measures of parts of the company similar to what was asked for."
    )
    companies: tuple[int, ...] = Field(default=(), description="CIKs of companies similar to the one asked about.")
    proposals: tuple[Alternative, ...] = Field(
        default=(),
        description="Questions that a model takes the question to mean; it is not known whether they can be answered.",
    )


class Block(Record):
    """One part of the answer: a table of figures, quotations, passages to be read, a refusal, or the concierge's words.

    A table of the outcome `nearest` is of the nearest question that can be answered, and is not asserted.
    """

    target: int
    type: QuestionType
    outcome: Outcome
    table: Table | None = None
    checks: tuple[Check, ...] = ()
    judgement: Judgement | None = Field(
        default=None, description="With a table: a model's reading of its figures and of the quotations of the answer."
    )
    claims: tuple[Claim, ...] = Field(default=(), description="Verified claims, in the order shown.")
    dropped: tuple[Dropped, ...] = ()
    retrieval: Retrieval | None = None
    particulars: tuple[FilingDatum, ...] = ()
    filings: tuple[FilingRef, ...] = Field(default=(), description="For a text block: the quoted filings.")
    heading: str = Field(
        default="",
        description="Where several documents of one company answer: which one this is, such as Q2 FY2025 \u00b7 10-Q filed 2 May 2025.",
    )
    missing: tuple[str, ...] = Field(
        default=(),
        description="Quarters asked, between the document before and this one, of which none is held, in sentences.",
    )
    notes: tuple[str, ...] = Field(
        default=(), description="Notes for the reader, for example that one half of the question has no answer."
    )
    refusal: Refusal | None = Field(default=None, description="Why the block has no answer; also given with passages.")
    alternatives: tuple[Alternative, ...] = ()
    passages: tuple[NearPassage, ...] = Field(
        default=(),
        description="The closest passages of the filing, for a part without an answer or beside headings that answer.",
    )
    text: str = ""

    @property
    def shown_claims(self) -> tuple[Claim, ...]:
        """The claims in the order in which they are shown: one sub-query after the other."""
        return tuple(sorted(self.claims, key=lambda claim: claim.query))

    @property
    def above_passages(self) -> str:
        """What is said above the passages: whether the part that they are of has an answer as well."""
        answered = {one.query for one in self.claims}
        if answered.issuperset(one.query for one in self.passages):
            return "Other passages near the question:"
        return f"No direct answer found{' for the rest' if answered else ''}. Closest passages:"


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
        default=None, description="With a model: its last judgement of the draft; None if there was none."
    )

    @property
    def marks(self) -> tuple[str, ...]:
        """The mark of each quotation, in the order shown, counted by kind of document: [10K1], [10Q1], [1] for a call."""
        counted: Counter[SourceKind] = Counter()
        found = []
        for block in self.blocks:
            kinds = {filing.accession: filing.kind for filing in block.filings}
            for claim in block.shown_claims:
                kind = kinds.get(claim.accession, ANNUAL)
                counted[kind] += 1
                found.append(kind.citation(counted[kind]))
        return tuple(found)

    @property
    def outcome(self) -> Outcome:
        """The best outcome of its blocks: answered before nearest and passages; refused only where every block is."""
        outcomes = {block.outcome for block in self.blocks}
        return next((one for one in OUTCOMES if one in outcomes), "refused")

    @property
    def refusal_code(self) -> str:
        """The first refusal's code where nothing is answered, also with passages; else empty."""
        if self.outcome not in {"refused", "passages"} or not all(block.refusal for block in self.blocks):
            return ""
        return next((str(block.refusal.code) for block in self.blocks if block.refusal), "")
