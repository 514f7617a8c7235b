"""Answers of the fictional Northwind Instruments, as the pipeline would store them, for tests of pages."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from accounts.models import User
from agent.models import Run, Step
from agent.numbers.render import exact, headline
from agent.refusals.codes import Code
from agent.runs.history import remember
from agent.runs.lifecycle import remember_companies
from agent.state import (
    Alternative,
    Answer,
    Block,
    Check,
    CompanyRef,
    Draft,
    FactRef,
    Found,
    LaterValue,
    Operand,
    Period,
    PeriodForm,
    Plan,
    QuestionType,
    Reading,
    Refusal,
    Rejected,
    Scale,
    Span,
    Target,
    Versions,
)

CIK = 9_999_988_801
ACCESSION = "9999988801-25-000010"
COMPANY = CompanyRef(cik=CIK, name="Northwind Instruments, Inc.", short="Northwind", symbol="NWI", covered=True)
VERSIONS = Versions(code="0.1.0", registry="4f2a", corpus="77c1")
YEAR = (date(2024, 1, 1), date(2024, 12, 31))
QUESTION = "What was Northwind's R&D spend in FY2024?"


def fact_ref(tag: str = "ResearchAndDevelopmentExpense", value: str = "9412000", **changes: Any) -> FactRef:
    """A fact of the fiscal 2024 10-K, on the income statement unless said otherwise."""
    fields: dict[str, Any] = {
        "fact": 1,
        "cik": CIK,
        "accession": ACCESSION,
        "form": "10-K",
        "filed": date(2025, 2, 20),
        "taxonomy": "us-gaap",
        "tag": tag,
        "unit": "USD",
        "start": YEAR[0],
        "end": YEAR[1],
        "raw": value,
        "value": Decimal(value),
        "decimals": -3,
        "source": "document",
        "sha256": "ab" * 32,
        "statement": "income",
        "title": "Consolidated Statements of Operations",
        "order": 4,
        "label": "Research and development",
        "printed": "9,412",
        "url": "https://www.sec.gov/Archives/edgar/data/9999988801/999998880125000010/nwi-20241231.htm",
    }
    return FactRef(**{**fields, **changes})


def found(source: FactRef | None = None, **changes: Any) -> Found:
    """A number read from a fact, or derived where `changes` says so."""
    source = source or fact_ref()
    fields: dict[str, Any] = {
        "target": 1,
        "concept": "rnd",
        "label": "Research and development expense",
        "accession": ACCESSION,
        "fiscal_year": 2024,
        "period_end": YEAR[1],
        "value": source.value,
        "unit": source.unit,
        "fact": source,
    }
    return Found(**{**fields, **changes})


def draft(number: Found, scale: Scale | None = None) -> Draft:
    """The number as shown."""
    figure, word = headline(number.value, number.unit, scale)
    return Draft(target=1, found=number, headline=figure, unit_word=word, exact=exact(number.value, number.unit))


def plan(concept: str = "rnd", label: str = "Research and development expense", **changes: Any) -> Plan:
    """A plan of one target, every word of `QUESTION` accounted for."""
    target = Target(
        id=1,
        company=COMPANY,
        period=Period(form=PeriodForm.FISCAL, year=2024, text="FY2024"),
        readings=(Reading(concept=concept, label=label),),
        **changes.pop("target", {}),
    )
    spans = (
        Span(start=0, end=8, text="What was", role="phrase"),
        Span(start=9, end=20, text="Northwind's", role="company", meaning=COMPANY.name),
        Span(start=21, end=30, text="R&D spend", role="concept", meaning=label),
        Span(start=34, end=40, text="FY2024", role="period", meaning="fiscal 2024"),
    )
    return Plan(**{"type": QuestionType.NUMERIC, "targets": (target,), "spans": spans, **changes})


def number_answer(number: Found | None = None, question: str = QUESTION, **block: Any) -> Answer:
    """One figure, checked, restated later, with one candidate that lost."""
    first = fact_ref()
    number = number or found(
        first,
        rejected=(
            Rejected(
                fact=fact_ref(
                    "DeferredTaxAssetsCapitalizedResearch",
                    "1397000",
                    fact=3,
                    taxonomy="nwi",
                    statement="",
                    title="",
                    label="",
                    printed="",
                    start=YEAR[1],
                ),
                why="A deferred tax asset at year end, not an expense of the year.",
            ),
        ),
        later=(
            LaterValue(
                fact=fact_ref(value="9380000", fact=2, accession="9999988801-26-000012", filed=date(2026, 2, 20)),
                fiscal_year=2025,
                change=Decimal(-32000),
            ),
        ),
        notes=("No year was given. The latest 10-K, fiscal 2024, was used.",),
    )
    fields = {
        "target": 1,
        "type": QuestionType.NUMERIC,
        "outcome": "answered",
        "drafts": (draft(number),),
        "checks": (Check(target=1, name="cite_check", ok=True),),
    }
    blocks = (Block(**{**fields, **block}),)
    return Answer(question=question, plan=plan(number.concept, number.label), blocks=blocks, versions=VERSIONS)


def derived_answer() -> Answer:
    """Gross profit as revenue less cost of revenue, with both facts."""
    revenue = fact_ref("Revenues", "86214000", fact=4, label="Net sales", printed="86,214", order=1)
    cost = fact_ref("CostOfRevenue", "51200500", fact=5, label="Cost of sales", printed="51,200.5", order=2)
    number = found(
        revenue,
        concept="gross_profit",
        label="Gross profit",
        value=revenue.value - cost.value,
        fact=None,
        formula="revenue - cost_of_revenue",
        operands=(
            Operand(concept="revenue", label="Revenue", fact=revenue),
            Operand(concept="cost_of_revenue", label="Cost of revenue", fact=cost),
        ),
    )
    return number_answer(number, "Northwind gross profit, fiscal 2024")


def breakdown_answer() -> Answer:
    """Term debt with the two parts that add up to it."""
    place = {"start": YEAR[1], "statement": "balance", "title": "Consolidated Balance Sheets"}
    current = fact_ref(
        "LongTermDebtCurrent", "10912000", fact=6, label="Term debt, current", printed="10,912", **place
    )
    rest = fact_ref("LongTermDebtNoncurrent", "85750000", fact=7, label="Term debt", printed="85,750", **place)
    total = fact_ref("LongTermDebt", "96662000", fact=8, label="", printed="", start=YEAR[1], statement="", title="")
    number = found(
        total,
        concept="total_debt",
        label="Total term debt",
        breakdown=(
            Operand(concept="debt_current", label="Term debt, current portion", fact=current),
            Operand(concept="debt_noncurrent", label="Term debt, non-current portion", fact=rest),
        ),
    )
    return number_answer(number, "Northwind total term debt FY2024")


def readings_answer() -> Answer:
    """Shares on the cover and on the balance sheet, with the average mentioned beside them."""
    shares = {"unit": "shares", "printed": "", "label": "", "decimals": -3}
    cover = fact_ref(
        "EntityCommonStockSharesOutstanding",
        "15115823000",
        fact=9,
        taxonomy="dei",
        start=date(2025, 2, 7),
        end=date(2025, 2, 7),
        statement="cover",
        title="",
        **shares,
    )
    sheet = fact_ref(
        "CommonStockSharesOutstanding", "15116786000", fact=10, start=YEAR[1], statement="balance", title="", **shares
    )
    average = fact_ref("WeightedAverageNumberOfDilutedSharesOutstanding", "15408095000", fact=11, **shares)
    outstanding = {"concept": "shares_out", "label": "Common shares outstanding"}
    drafts = (
        draft(found(sheet, reading="On the balance sheet date", **outstanding)),
        draft(found(cover, reading="On the cover of the 10-K", **outstanding)),
    )
    mention = draft(found(average, concept="diluted", label="Diluted weighted average shares", mention=True))
    answer = number_answer(drafts[0].found, "Northwind shares outstanding, fiscal 2024", mentions=(mention,))
    checks = tuple(Check(target=1, name="cite_check", ok=True) for _ in drafts)
    return answer.model_copy(
        update={"blocks": (answer.blocks[0].model_copy(update={"drafts": drafts, "checks": checks}),)}
    )


def refusal_answer(code: Code = Code.CONCEPT_NOT_REPORTED, **changes: Any) -> Answer:
    """A refusal with what was looked for, and one alternative."""
    fields: dict[str, Any] = {
        "target": 1,
        "code": code,
        "stage": "locate",
        "text": "Northwind does not report advertising expense as a line of its fiscal 2024 10-K.",
        "detail": "Its nearest line also holds other selling costs, so giving it would be wrong.",
        "looked_for": (("Filing", "10-K for the year ended 31 Dec 2024"), ("Statement", "Income statement, stored")),
        "tags": ("us-gaap:AdvertisingExpense", "us-gaap:MarketingAndAdvertisingExpense"),
    }
    refusal = Refusal(**{**fields, **changes})
    alternative = Alternative(question="Northwind revenue in fiscal 2024", why="A measure of the same statement")
    block = Block(
        target=1,
        type=QuestionType.NUMERIC,
        outcome="refused",
        refusal=refusal,
        alternatives=(alternative,),
    )
    return Answer(
        question="Northwind advertising expense FY2024",
        plan=plan("advertising", "Advertising expense"),
        blocks=(block,),
        versions=VERSIONS,
    )


def conflict_answer() -> Answer:
    """A refusal that lists the facts that disagree."""
    return refusal_answer(
        Code.CONFLICT,
        stage="retrieve",
        text="The facts held for Northwind's fiscal 2024 10-K do not agree on research and development expense.",
        detail="Both are shown below; which one answers the question is not ours to choose.",
        candidates=(fact_ref(), fact_ref("ResearchAndDevelopmentExpenseSoftware", "483000", fact=12)),
        tags=(),
    )


def meta_answer() -> Answer:
    """What the concierge says."""
    block = Block(
        target=0,
        type=QuestionType.META,
        outcome="meta",
        text="Figures of 13 companies can be asked, fiscal 2015 to 2025.\n\nName a company, a measure and a year.",
    )
    return Answer(question="hello", plan=Plan(type=QuestionType.META), blocks=(block,), versions=VERSIONS)


def run_with(answer: Answer, user: User | None = None, visitor: UUID | None = None, **changes: Any) -> Run:
    """A closed run of somebody, with its six steps."""
    refusal = next((block.refusal for block in answer.blocks if block.refusal), None)
    figures = [f"{one.headline} {one.unit_word}".strip() for block in answer.blocks for one in block.drafts]
    fields: dict[str, Any] = {
        "question": answer.question,
        "status": Run.Status.DONE,
        "attempt": 1,
        "finished": datetime(2026, 11, 18, 9, 14, tzinfo=UTC),
        "ms": 18,
        "type": str(answer.plan.type),
        "outcome": answer.outcome,
        "refusal_code": answer.refusal_code,
        "refusal_stage": refusal.stage if refusal else "",
        "company": COMPANY.name if answer.plan.targets else "",
        "cik": COMPANY.cik if answer.plan.targets else None,
        "summary": " or ".join(figures),
        "answer": answer.model_dump(mode="json"),
    }
    run = Run.objects.create(user=user, visitor=visitor, **{**fields, **changes})
    remember(run.pk)
    remember_companies(run.pk, answer)
    nodes = ["plan", "fetch", "locate", "retrieve", "validate", "cite_check"]
    last = nodes.index(refusal.stage) if refusal else len(nodes) - 1
    for sequence, node in enumerate(nodes[: last + 1], start=1):
        add_step(run, sequence, node, refused=refusal is not None and sequence == last + 1)
    return run


def open_run(user: User | None = None, visitor: UUID | None = None, **changes: Any) -> Run:
    """A run that a worker holds, before its first step."""
    fields: dict[str, Any] = {"question": QUESTION, "status": Run.Status.RUNNING, "attempt": 1}
    run = Run.objects.create(user=user, visitor=visitor, **{**fields, **changes})
    remember(run.pk)
    return run


def add_step(run: Run, sequence: int, node: str, refused: bool = False) -> Step:
    """One step of the run's current attempt."""
    return Step.objects.create(
        run=run,
        attempt=run.attempt,
        sequence=sequence,
        node=node,
        said=f"What {node} found.",
        refused=refused,
        ms=2.5,
    )
