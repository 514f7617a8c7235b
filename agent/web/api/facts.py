"""`GET /facts`: the one figure that answers a measure, and XBRL facts as filed."""

from dataclasses import replace
from typing import Annotated

from django.db.models import QuerySet
from django.http import HttpResponse
from ninja import P, PathEx, Router
from ninja import Query as Parameters
from pydantic import AfterValidator, BaseModel, Field

from accounts.identity import Identity
from accounts.request_types import Request
from agent.numbers.facts.cited_facts import reference
from agent.numbers.registry import registry as registry_file
from agent.numbers.registry.registry import Concept
from agent.registrants.registrant_index import Companies
from agent.runs import spending
from agent.state import AgentState, Block, Period, PeriodForm, Plan, Query, QuestionType, Target
from agent.state.query import Concept as ConceptRow
from agent.state.query import Row, Years
from agent.steps import pipeline
from agent.steps.blocks import table_block
from agent.web.api import limits
from agent.web.api.answers import Refusal, refusal
from agent.web.api.companies import NAMED, company_named
from agent.web.api.concepts import concept_called
from agent.web.api.figures import CitedFact, Value, cited, value
from agent.web.api.openapi import errors
from agent.web.api.paging import Page, Paged, Rows
from agent.web.api.parameters import storable
from agent.web.api.problems import Invalid, NotFound
from agent.web.tables.verified_tables import dependencies, ref_of, registrant
from filings.models import Company, Fact

router = Router(tags=["Companies and filings"])


FiscalYear = Annotated[
    int | None,
    Field(ge=1990, le=2100, description="Fiscal year as the company names it; if omitted, the newest one loaded."),
]


CompanyName = Annotated[str, Field(min_length=1, max_length=60, description=NAMED), AfterValidator(storable)]
ConceptName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        description="Key or name of a measure, such as revenue, net_income or eps_diluted; /concepts lists them.",
    ),
    AfterValidator(storable),
]


class FactWanted(BaseModel):
    """Which figure to get."""

    company: CompanyName
    concept: ConceptName
    fiscal_year: FiscalYear = None


class FactsWanted(Paged):
    """Which facts to list: all of one filing, or one tag of a company."""

    accession: str = Field(
        default="",
        pattern=r"^(\d{10}-\d{2}-\d{6}|doc-[0-9a-f]{16})?$",
        description="Accession number of a filing, such as 0000320193-24-000123.",
    )
    company: str = Field(default="", max_length=60, description=NAMED)
    tag: str = Field(
        default="",
        max_length=271,
        pattern=r"^([A-Za-z][A-Za-z0-9-]*:[A-Za-z0-9_.-]+)?$",
        description="XBRL tag with its taxonomy, such as us-gaap:Revenues.",
    )


class StoredFact(CitedFact):
    """One XBRL fact as filed, or one figure as a document without XBRL prints it."""

    cik: int = Field(description="CIK of the company.")


class Facts(Page[StoredFact]):
    """A page of XBRL facts as filed."""


class MeasuredFact(BaseModel):
    """One measure of a company in a fiscal year: the figure, or the reason why there is none."""

    company: str = Field(description="Name of the company.")
    cik: int = Field(description="CIK, the company's number at the SEC.")
    concept: str = Field(description="Key of the measure asked for.")
    fiscal_year: int | None = Field(description="Fiscal year asked for; null for the newest one loaded.")
    refused: bool = Field(description="True if there is no figure; `refusal` says why.")
    values: list[Value] = Field(
        description="The figures; empty if refused, several if the measure has several meanings."
    )
    mentions: list[Value] = Field(description="Figures shown for comparison that are not part of the answer.")
    refusal: Refusal | None = Field(description="Why there is no figure; null if there is one.")


@router.get("/facts/answer", operation_id="get_fact_answer", response={200: MeasuredFact, **errors(404, 422, 429)})
def fact_answer(request: Request, answer: HttpResponse, wanted: Parameters[FactWanted]) -> MeasuredFact:
    """Get one figure of a company, chosen and checked as in an answer, without asking a question.

    A refusal is a normal result: 200 with `refused: true`, without other questions to ask. Each call counts as a request
    of the minute and, without an account, as one question of your address.
    """
    found = measured(request.identity, wanted.company, wanted.concept, wanted.fiscal_year)
    limits.with_limits(answer, request.identity)
    return found


@router.get("/facts/{int:fact_id}", operation_id="get_fact", response={200: StoredFact, **errors(404)})
def fact(request: Request, fact_id: PathEx[int, P(description="Number of the fact, its `id`.")]) -> StoredFact:
    """Get one XBRL fact as filed."""
    found = Fact.objects.select_related("company", "filing__company").filter(pk=fact_id).first()
    if found is None:
        raise NotFound("fact")
    return stored(found)


@router.get("/facts", operation_id="list_facts", response={200: Facts, **errors(404, 422)})
def facts(request: Request, wanted: Parameters[FactsWanted]) -> Facts:
    """List facts as filed: all of one filing, or one tag in all filings of a company; for the whole company only."""
    rows = Rows(matching(wanted.accession, wanted.company, wanted.tag), wanted)
    return Facts(items=[stored(one) for one in rows.rows], **rows.fields(request))


def matching(accession: str, company: str, tag: str) -> QuerySet[Fact]:
    """The facts that match. Raises Invalid if there is neither an accession nor a company with a tag."""
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
    """The figure of one measure of a company, found by the same steps as in a run, except planning.

    Raises NotFound and accounts.quotas.QuotaExceeded.
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
    """Runs the steps after planning: a block with the figure, or with the refusal."""
    # The steps look the company up in an index.
    deps = replace(dependencies(identity, registry_file.load()), companies=Companies.of([registrant(of)]))
    known = ref_of(of)
    period = Period(form=PeriodForm.LATEST if fiscal_year is None else PeriodForm.FISCAL, year=fiscal_year)
    row = Row(measure=ConceptRow(key=asked.key), text=asked.label)
    query = Query(companies=(known,), periods=Years(periods=(period,)), rows=(row,))
    target = Target(id=0, company=known, period=period, figures=True)
    plan = Plan(type=QuestionType.NUMERIC, targets=(target,), query=query)
    state = pipeline.advanced(AgentState(question=question).planned(plan), pipeline.NODES[1:], deps, None)
    if state.refusals:
        return Block(target=0, type=QuestionType.NUMERIC, outcome="refused", refusal=state.refusals[0])
    return table_block(state, target, plan)
