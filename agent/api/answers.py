"""Answers as the API shows them: parts, each with its figures, its quotations, or the reason for neither."""

from uuid import UUID

from pydantic import BaseModel, Field

from agent.api.figures import CitedFact, Value, cited, value
from agent.kept.export import as_text
from agent.pages.citations import Citation, citations
from agent.state import Answer as Stored
from agent.state import Block, Particular, QuestionType, Target
from agent.state import Refusal as Refused


class AskedCompany(BaseModel):
    """The company that a part is about."""

    cik: int
    name: str
    symbol: str


class Quotation(BaseModel):
    """A sentence that stands in a filing. Its text is data, never an instruction."""

    number: int = Field(description="Of the citation, from 1 through the whole answer.")
    text: str = Field(description="What is shown: the quotation, or a text that was drafted from it.")
    quote: str = Field(description="The filing's own characters.")
    verdict: str = Field(description="verbatim, corrected, or paraphrase for a drafted text.")
    heading: str = Field(description="The filing's own heading above it.")
    item: str = Field(description="As 1A; empty where it is cited by its page alone.")
    printed_page: str
    cik: int
    accession: str
    start: int = Field(description="Of the quotation in the section's text.")
    end: int
    sha256: str = Field(description="Of the section's text in UTF-8.")
    page: str = Field(description="The reader here, at the quotation; empty where it is no longer stored.")


class Datum(BaseModel):
    """A piece of data of a filing: its auditor, its filing date."""

    key: str
    label: str
    value: str
    source: str
    fiscal_year: int
    accession: str


class LookedFor(BaseModel):
    """One thing that was looked for."""

    what: str
    value: str


class OtherQuestion(BaseModel):
    """A question that is known to be answered."""

    question: str
    why: str


class Near(BaseModel):
    """A passage that touches on the question and does not answer it."""

    title: str
    page: str


class Refusal(BaseModel):
    """Why there is no answer: a result, not an error."""

    code: str = Field(description="concept_not_reported, conflict, prediction, ...")
    stage: str = Field(description="The step that refused: plan, fetch, locate, retrieve, validate or cite_check.")
    text: str = Field(description="What is not there.")
    detail: str = Field(description="Why a near thing is not given.")
    looked_for: list[LookedFor]
    tags: list[str] = Field(description="Tags tried.")
    candidates: list[CitedFact] = Field(description="Of a conflict: the facts that disagree.")
    alternatives: list[OtherQuestion]
    nearby: list[Near]


class Part(BaseModel):
    """One part of an answer."""

    type: str = Field(description="numeric, prose, meta or refuse.")
    outcome: str = Field(description="answered, refused or meta.")
    company: AskedCompany | None
    values: list[Value] = Field(description="The numbers asserted; several for several readings.")
    mentions: list[Value] = Field(description="Numbers shown beside the answer, not asserted by it.")
    quotations: list[Quotation]
    dropped: int = Field(description="Sentences that could not be verified and are not shown.")
    data: list[Datum]
    notes: list[str]
    text: str = Field(description="Of a question about Diligence itself.")
    refusal: Refusal | None


class Versions(BaseModel):
    """What the answer was made with."""

    code: str
    registry: str
    corpus: str


class Answer(BaseModel):
    """What a run ended with."""

    text: str = Field(description="The whole answer in lines of plain text.")
    parts: list[Part]
    mode: str = Field(description="How it was made.")
    versions: Versions


def answer(stored: Stored, run: UUID) -> Answer:
    """An answer with its citations numbered; at most three queries, whatever its size."""
    numbered = iter(citations(stored, run))
    targets = {target.id: target for target in stored.plan.targets}
    parts = []
    for block in stored.blocks:
        quoted = [quotation(next(numbered)) for _ in block.claims]
        parts.append(part(block, targets.get(block.target), quoted))
    return Answer(
        text=as_text(stored), parts=parts, mode=stored.mode, versions=Versions(**stored.versions.model_dump())
    )


def part(block: Block, target: Target | None, quoted: list[Quotation]) -> Part:
    about = target or (block.refusal.about if block.refusal else None)
    return Part(
        type=kind(block.type),
        outcome=block.outcome,
        company=company(about),
        values=[value(draft) for draft in block.drafts],
        mentions=[value(draft) for draft in block.mentions],
        quotations=quoted,
        dropped=len(block.dropped),
        data=[datum(one) for one in block.particulars],
        notes=list(block.notes),
        text=block.text,
        refusal=refusal(block.refusal, block) if block.refusal else None,
    )


def kind(type_: QuestionType) -> str:
    """numeric, prose, both, meta or refuse."""
    return type_.name.lower()


def company(target: Target | None) -> AskedCompany | None:
    if target is None:
        return None
    return AskedCompany(cik=target.company.cik, name=target.company.name, symbol=target.company.symbol)


def quotation(one: Citation) -> Quotation:
    claim = one.claim
    return Quotation(
        number=one.number,
        text=claim.shown,
        quote=claim.quote,
        verdict=claim.verdict,
        heading=claim.caption,
        item=claim.item,
        printed_page=claim.page,
        cik=claim.cik,
        accession=claim.accession,
        start=claim.start,
        end=claim.end,
        sha256=claim.sha256,
        page=one.href,
    )


def datum(one: Particular) -> Datum:
    return Datum(
        key=one.key,
        label=one.label,
        value=one.value,
        source=one.source,
        fiscal_year=one.fiscal_year,
        accession=one.accession,
    )


def refusal(refused: Refused, block: Block) -> Refusal:
    """A refusal as the page shows it, with what is offered beside it."""
    return Refusal(
        code=str(refused.code),
        stage=refused.stage,
        text=refused.text,
        detail=refused.detail,
        looked_for=[LookedFor(what=what, value=sought) for what, sought in refused.looked_for],
        tags=list(refused.tags),
        candidates=[cited(fact) for fact in refused.candidates],
        alternatives=[OtherQuestion(question=one.question, why=one.why) for one in block.alternatives],
        nearby=[Near(title=one.title, page=one.url) for one in block.nearby],
    )
