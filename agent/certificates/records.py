"""The records of a certificate. Its published schema is made from them."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, PlainSerializer

from agent.state import Query, Scale
from agent.state.findings import About, PrintedRow
from agent.state.judgement import Reason, Verdict
from agent.state.references import Record
from filings.xbrl.periods import FiscalPeriod

ADDRESS = "/schemas/certificate-1.json"

Number = Annotated[Decimal, Field(max_digits=400), PlainSerializer(lambda value: format(value, "f"), return_type=str)]
Cik = Annotated[int, Field(ge=0, lt=10**10)]
Position = Annotated[int, Field(ge=0, lt=2**31)]
Sha256 = Annotated[str, Field(pattern="^([0-9a-f]{64})?$", description="SHA-256 hash in hexadecimal; may be empty.")]
Range = tuple[Position, Position]
FigureKind = Literal["reported", "printed", "derived"]


class PrintedAt(Record):
    """Where a document prints a figure."""

    document: str = Field(description="File name of the document.")
    document_sha256: Sha256
    anchor: str = Field(description="HTML id of the figure; empty if it has none.")
    page: str
    section: Position | None = Field(description="Number of its section in the filing; null for an XBRL fact.")
    start: Position | None = Field(description="Position of its first character in the section's text.")
    end: Position | None = Field(description="Position after its last character, in the same text.")
    section_sha256: Sha256
    text: str = Field(description="The figure as printed.")
    label: str = Field(description="Label of its row as printed.")


class CitedFact(Record):
    """One XBRL fact, or one figure that a document prints."""

    cik: Cik
    accession: str
    form: str
    filed: date
    source: str = Field(pattern="^(companyfacts|document|printed)$")
    element: str = Field(description="Taxonomy and tag, such as us-gaap:Revenues.")
    unit: str
    start: date = Field(description="First day of the period; equal to `end` for a balance.")
    end: date
    dimensions: str = Field(description="Part of the company, as Axis=Member; empty for the whole company.")
    decimals: int | None
    raw: str = Field(description="The value with all its digits, as in the source.")
    value: Number
    negated: bool = Field(description="Whether `value` is `raw` with the opposite sign: an outflow in brackets.")
    source_sha256: Sha256
    printed: PrintedAt | None


class Operand(Record):
    """One fact of a formula."""

    name: str = Field(description="Its name in the formula, such as revenue[FY-1].")
    fact: CitedFact


class SeriesBasis(Record):
    """What the figures of a series stand on."""

    reports: str = Field(description="first_reported or last_reported: which report gives each period.")
    aligned: str = Field(description="What the columns mean across companies: fiscal or calendar; empty for one.")
    recast_by: str = Field(description="Accession number of the later report that gives the value, if one does.")
    definition: str = Field(description="Which definition of the measure it follows, if there are several.")
    changed: str = Field(description="Why this period and the one before it are not on one basis, if so.")


class Asserting(Record):
    """What every claim has."""

    id: str = Field(description="Kind and number, such as quotation-2.")
    part: int = Field(description="Number of the answer's part that it belongs to, from 0.")
    asserted: bool = Field(description="Whether the answer asserts it; otherwise it is shown beside.")


class Figure(Asserting):
    """One figure: an XBRL fact, a printed figure, or a value derived by a formula."""

    kind: FigureKind
    company: str
    cik: Cik
    row: int = Field(description="Number of its row in the question's table, from 0.")
    measure: str
    label: str
    fiscal_year: int | None
    fiscal_period: FiscalPeriod
    period_end: date | None
    value: Number
    unit: str
    shown: str = Field(description="The figure as it is shown.")
    fact: CitedFact | None = Field(description="Its fact; null for a derived figure.")
    formula: str = Field(max_length=4000, description="Formula over the operands; empty if the value is one fact.")
    operands: tuple[Operand, ...]
    breakdown: tuple[Operand, ...] = Field(description="Parts that are shown with it.")
    basis: SeriesBasis


class RankedFigure(Record):
    """One place of a ranking, or one term of a comparison."""

    rank: int
    cik: Cik
    row: int
    fiscal_year: int | None
    fiscal_period: FiscalPeriod | None
    value: Number


class OperationResult(Asserting):
    """The result of an operation on figures."""

    kind: Literal["result"]
    operation: str
    row: int
    label: str
    cik: Cik | None
    fiscal_years: tuple[int, ...]
    fiscal_period: FiscalPeriod
    fiscal_periods: tuple[FiscalPeriod, ...]
    calendar: bool
    value: Number | None
    unit: str
    shown: str
    formula: str = Field(max_length=4000)
    operands: tuple[Operand, ...]
    order: tuple[RankedFigure, ...]
    highest: bool
    comparison: str
    bound: Number | None
    holds: bool | None


class TextPlace(Record):
    """A section of a stored filing. Positions in a claim are of its text."""

    cik: Cik
    accession: str
    document: str
    document_sha256: Sha256
    section: Position = Field(description="Number of the section in the filing.")
    section_sha256: Sha256
    item: str
    page: str


class InsertedFigure(Record):
    """A figure of the answer that is inserted into a text."""

    position: int
    text: str


class Quotation(Asserting):
    """Words of a filing, and the text that is shown for them."""

    kind: Literal["quotation"]
    place: TextPlace
    start: Position
    end: Position
    quote: str = Field(description="The words of the filing at the range.")
    text: str = Field(description="The text that is shown.")
    relation: Literal["verbatim", "edited", "paraphrase"] = Field(description="How the text relates to the words.")
    about: tuple[About, ...] = Field(description="Other words of the filing that are shown with it.")
    columns: PrintedRow | None = Field(description="Quoted rows of a table with their column headings.")
    figures: tuple[InsertedFigure, ...]


class ShownPassage(Asserting):
    """A passage near the question, which is shown and not asserted."""

    kind: Literal["passage"]
    place: TextPlace
    headings: tuple[str, ...]
    ranges: tuple[Range, ...] = Field(min_length=1)
    text: str = Field(description="The text of the ranges, joined by line feeds.")
    marked: tuple[Range, ...] = Field(description="The sentences or rows nearest to the question.")


class FilingDetail(Asserting):
    """A detail of a filing itself, such as its auditor."""

    kind: Literal["data"]
    cik: Cik
    accession: str
    key: str
    label: str
    value: str
    source: str
    fiscal_year: int


class StatedRefusal(Asserting):
    """Why a part of the question has no answer."""

    kind: Literal["refusal"]
    code: str
    stage: str
    text: str
    detail: str
    looked_for: tuple[tuple[str, str], ...]
    tags: tuple[str, ...] = Field(description="XBRL tags that were tried.")
    accessions: tuple[str, ...] = Field(description="Accession numbers of the filings that were searched.")
    facts: tuple[CitedFact, ...] = Field(description="For a conflict: the facts that disagree.")


class StatedJudgement(Asserting):
    """A model's reading of the figures and quotations."""

    kind: Literal["judgement"]
    verdict: Verdict
    reasons: tuple[Reason, ...]


Claim = Annotated[
    Figure | OperationResult | Quotation | ShownPassage | FilingDetail | StatedRefusal | StatedJudgement,
    Field(discriminator="kind"),
]


class CertifiedVersions(Record):
    """Versions when the answer was made."""

    code: str
    registry: str
    corpus: str
    programs: dict[str, str] = Field(description="Version of each model program that the run called.")


class Signature(Record):
    """An Ed25519 signature of the digest, as 64 ASCII characters. Both values are in base64."""

    algorithm: Literal["Ed25519"]
    public_key: str
    value: str


class Certificate(Record):
    """What an answer asserts and shows, with all that is needed to check it again."""

    format: Literal["diligence-certificate-1"]
    run: UUID
    question: str
    query: Query | None = Field(description="How the question was read.")
    scale: Scale | None = Field(description="Scale of the figures, if the question asks one.")
    outcome: Literal["answered", "nearest", "passages", "refused", "meta"]
    mode: str
    answered_at: datetime
    versions: CertifiedVersions
    claims: tuple[Claim, ...]
    digest: str = Field(
        pattern="^[0-9a-f]{64}$",
        description="SHA-256 of this object without `digest` and `signature`, as UTF-8 JSON with sorted keys and no white space.",
    )
    signature: Signature | None = None


def schema() -> dict[str, Any]:
    """The JSON schema of a certificate."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ADDRESS,
        **Certificate.model_json_schema(mode="serialization"),
    }
