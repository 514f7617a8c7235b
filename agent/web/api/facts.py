"""Facts: the one that answers a measure, selected as for an answer; and facts as filed, by tag."""

from datetime import UTC, datetime
from typing import Annotated

from django.db.models import QuerySet
from django.http import HttpResponse
from ninja import P, PathEx, Router
from ninja import Query as Parameters
from pydantic import AfterValidator, BaseModel, Field

from accounts.identity import Identity
from accounts.request_types import Request
from agent.numbers import registry as registry_file
from agent.numbers.cited_facts import reference
from agent.numbers.registry import Concept
from agent.registrants.companies import Companies, Registrant
from agent.runs import spending
from agent.state import AgentState, Block, Period, PeriodForm, Plan, Query, QuestionType, Target, Versions
from agent.state.query import Concept as ConceptRow
from agent.state.query import Row, Years
from agent.steps import pipeline
from agent.steps.blocks import table_block
from agent.steps.deps import Deps, Grant, open_to_visitors
from agent.web.api import limits
from agent.web.api.answers import Refusal, refusal
from agent.web.api.companies import NAMED, company_named
from agent.web.api.concepts import concept_called
from agent.web.api.figures import CitedFact, Value, cited, value
from agent.web.api.openapi import errors
from agent.web.api.paging import Page, Paged, Rows
from agent.web.api.parameters import storable
from agent.web.api.problems import Invalid, NotFound
from filings.models import Company, Fact

router = Router(tags=["Companies and filings"])


FiscalYear = Annotated[
    int | None, Field(ge=1990, le=2100, description="By the company's own label; if omitted, the newest year stored.")
]


CompanyName = Annotated[str, Field(min_length=1, max_length=60, description=NAMED), AfterValidator(storable)]
ConceptName = Annotated[
    str,
    Field(min_length=1, max_length=100, description="Key or name of a measure: revenue, net_income, eps_diluted, ..."),
    AfterValidator(storable),
]


class FactWanted(BaseModel):
    """The figure that is wanted."""

    company: CompanyName
    concept: ConceptName
    fiscal_year: FiscalYear = None


class FactsWanted(Paged):
    """The facts wanted: all of an accession, or a tag of a company."""

    accession: str = Field(default="", pattern=r"^(\d{10}-\d{2}-\d{6})?$", description="As 0000320193-24-000123.")
    company: str = Field(default="", max_length=60, description=NAMED)
    tag: str = Field(
        default="",
        max_length=271,
        pattern=r"^([A-Za-z][A-Za-z0-9-]*:[A-Za-z0-9_.-]+)?$",
        description="With its taxonomy: us-gaap:Revenues.",
    )


class StoredFact(CitedFact):
    """One XBRL fact as filed."""

    cik: int = Field(description="Of the company.")


class Facts(Page[StoredFact]):
    """Facts as filed."""


class MeasuredFact(BaseModel):
    """The number that answers a measure of a company in a fiscal year, or why there is none."""

    company: str = Field(description="Its name.")
    cik: int = Field(description="Its number at the SEC.")
    concept: str = Field(description="Key of the concept that was asked for.")
    fiscal_year: int | None = Field(description="The year asked for; null for the newest year stored.")
    refused: bool = Field(description="Whether there is no number; `refusal` says why.")
    values: list[Value] = Field(description="Empty where it is refused.")
    mentions: list[Value] = Field(description="Numbers shown beside the answer, not asserted by it.")
    refusal: Refusal | None = Field(description="Null where there is a number.")


@router.get("/facts/answer", operation_id="get_fact_answer", response={200: MeasuredFact, **errors(404, 422, 429)})
def fact_answer(request: Request, answer: HttpResponse, wanted: Parameters[FactWanted]) -> MeasuredFact:
    """The figure of one measure, chosen and checked as an answer's is, without a question or a run.

    A refusal is an answer: 200 with `refused: true`. No other questions are offered beside it. It counts among the
    requests of a minute, and as one of all the questions that an address has without an account.
    """
    found = measured(request.identity, wanted.company, wanted.concept, wanted.fiscal_year)
    limits.with_limits(answer, request.identity)
    return found


@router.get("/facts/{int:fact_id}", operation_id="get_fact", response={200: StoredFact, **errors(404)})
def fact(request: Request, fact_id: PathEx[int, P(description="Of the fact.")]) -> StoredFact:
    """One fact as filed."""
    found = Fact.objects.select_related("company", "filing__company").filter(pk=fact_id).first()
    if found is None:
        raise NotFound("fact")
    return stored(found)


@router.get("/facts", operation_id="list_facts", response={200: Facts, **errors(404, 422)})
def facts(request: Request, wanted: Parameters[FactsWanted]) -> Facts:
    """Facts as filed: all of one accession, or one tag of a company in all its filings; for the whole company only."""
    rows = Rows(matching(wanted.accession, wanted.company, wanted.tag), wanted)
    return Facts(items=[stored(one) for one in rows.rows], **rows.fields(request))


def matching(accession: str, company: str, tag: str) -> QuerySet[Fact]:
    """Facts by indexed columns. Raises Invalid without an accession or a company's tag."""
    if not accession and not (company and tag):
        raise Invalid({"accession": ["Give an accession, or a company and a tag."]})
    found = Fact.objects.filter(dimensions="").select_related("company", "filing__company")
    if accession:
        found = found.filter(filing__accession=accession)
    if company:
        found = found.filter(company=company_named(company))
    if tag:
        taxonomy, _, name = tag.partition(":")
        found = found.filter(taxonomy=taxonomy, tag=name)
    return found.order_by("-end", "-start", "filed", "pk")


def stored(found: Fact) -> StoredFact:
    told = reference(found, statement=found.statement, label=found.label)
    return StoredFact(**cited(told).model_dump(), cik=told.cik)


def measured(identity: Identity, company: str, concept: str, fiscal_year: int | None = None) -> MeasuredFact:
    """The number that answers a concept of a company, by every step of a run after its plan.

    Raises NotFound, and accounts.quotas.QuotaExceeded.
    """
    asked, of = concept_called(concept), company_named(company)
    question = f"{of.name}, {asked.label}"
    shown = spending.at_once(identity, question, of.name, lambda: figure(identity, of, asked, question, fiscal_year))
    cells = [cell for cell in shown.table.cells if cell.asked] if shown.table else []
    return MeasuredFact(
        company=of.name,
        cik=of.cik,
        concept=asked.key,
        fiscal_year=fiscal_year,
        refused=shown.refusal is not None,
        values=[value(cell) for cell in cells if cell.asserted],
        mentions=[value(cell) for cell in cells if cell.alternative and cell.value is not None],
        refusal=refusal(shown.refusal, shown) if shown.refusal else None,
    )


def figure(identity: Identity, of: Company, asked: Concept, question: str, fiscal_year: int | None) -> Block:
    """The figure that the steps after a plan find, or their refusal."""
    deps = dependencies(of, Grant(ciks=open_to_visitors() if identity.user is None else None))
    known = deps.companies.get(of.cik)
    assert known is not None  # noqa: S101 - it is the one that the index was made of
    period = Period(form=PeriodForm.LATEST if fiscal_year is None else PeriodForm.FISCAL, year=fiscal_year)
    row = Row(measure=ConceptRow(key=asked.key), text=asked.label)
    query = Query(companies=(known,), periods=Years(periods=(period,)), rows=(row,))
    target = Target(id=0, company=known, period=period, figures=True)
    plan = Plan(type=QuestionType.NUMERIC, targets=(target,), query=query)
    state = pipeline.advanced(AgentState(question=question).planned(plan), pipeline.NODES[1:], deps, None)
    if state.refusals:
        return Block(target=0, type=QuestionType.NUMERIC, outcome="refused", refusal=state.refusals[0])
    return table_block(state, target, plan)


def dependencies(company: Company, grant: Grant) -> Deps:
    """The steps' dependencies for one company, without the index of all companies."""
    registry = registry_file.load()
    registrant = Registrant(
        cik=company.cik,
        name=company.name,
        symbols=tuple(company.symbols),
        covered=company.held,  # type: ignore[attr-defined] # an annotation
        foreign=company.foreign,
    )
    versions = Versions(code="", registry=registry.version, corpus="")
    today = datetime.now(UTC).date()
    return Deps(companies=Companies.of([registrant]), registry=registry, today=today, versions=versions, grant=grant)
