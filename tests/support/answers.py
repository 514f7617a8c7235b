"""Answers of the fictional Northwind Instruments, as the pipeline would store them, for tests of pages."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from accounts.models import User
from agent.models import Run, Step
from agent.numbers.tables.reasons import term_of
from agent.refusals.codes import Code
from agent.runs.history_index import remember
from agent.runs.lifecycle import remember_companies, table_summary
from agent.state import (
    Alternative,
    Answer,
    Block,
    Cell,
    Check,
    CompanyRef,
    FactRef,
    LaterValue,
    Period,
    PeriodForm,
    Plan,
    Query,
    QuestionType,
    Refusal,
    Rejected,
    Table,
    Target,
    Versions,
)
from agent.state.judgement import Judgement, Reason, Relation
from agent.state.plan import Chip
from agent.state.query import Concept, Row, Years
from agent.state.question_words import Role, Word
from agent.state.tables import CellOperand, Restated

CIK = 9_999_988_801
ACCESSION = "9999988801-25-000010"
COMPANY = CompanyRef(cik=CIK, name="Northwind Instruments, Inc.", short="Northwind", symbol="NWI", covered=True)
VERSIONS = Versions(code="0.1.0", registry="4f2a", corpus="77c1")
YEAR = (date(2024, 1, 1), date(2024, 12, 31))
PERIOD = Period(form=PeriodForm.FISCAL, year=2024, text="FY2024")
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


def cell(source: FactRef | None = None, **changes: Any) -> Cell:
    """A number read from a fact, or derived where `changes` says so."""
    source = source or fact_ref()
    fields: dict[str, Any] = {
        "row": 0,
        "cik": CIK,
        "company": "Northwind",
        "measure": "rnd",
        "label": "Research and development expense",
        "fiscal_year": 2024,
        "period_end": YEAR[1],
        "accession": source.accession,
        "filed": source.filed,
        "url": source.url,
        "value": source.value,
        "unit": source.unit,
        "fact": source,
    }
    return Cell(**{**fields, **changes})


def operand(concept: str, label: str, source: FactRef, **changes: Any) -> CellOperand:
    """A fact of a formula, of fiscal 2024 unless said otherwise."""
    fields: dict[str, Any] = {"name": concept, "cik": CIK, "fiscal_year": 2024}
    return CellOperand(**{**fields, "concept": concept, "label": label, "fact": source, **changes})


def later(measure: str, used: FactRef, after: FactRef, fiscal_year: int = 2025) -> Restated:
    """What a later filing reports for a fact."""
    value = LaterValue(fact=after, fiscal_year=fiscal_year, change=after.value - used.value)
    return Restated(concept=measure, fiscal_year=2024, used=used.value, later=value)


def table(*cells: Cell, **changes: Any) -> Table:
    """Cells, each in a row of its own unless it says another."""
    rows = tuple(one.model_copy(update={"row": one.row or number}) for number, one in enumerate(cells))
    return Table(cells=rows, **changes)


def query(measure: str = "rnd", **changes: Any) -> Query:
    """What `QUESTION` asks, every word of it accounted for."""
    words = (
        Word(start=0, end=8, text="What was", role=Role.FRAME),
        Word(start=9, end=20, text="Northwind's", role=Role.COMPANY, meaning=COMPANY.name),
        Word(start=21, end=30, text="R&D spend", role=Role.MEASURE, meaning="Research and development expense"),
        Word(start=31, end=33, text="in", role=Role.FRAME),
        Word(start=34, end=40, text="FY2024", role=Role.PERIOD, meaning="fiscal 2024"),
    )
    fields: dict[str, Any] = {
        "companies": (COMPANY,),
        "periods": Years(periods=(PERIOD,)),
        "rows": (Row(measure=Concept(key=measure), text="R&D spend"),),
        "words": words,
    }
    return Query(**{**fields, **changes})


def plan(measure: str = "rnd", **changes: Any) -> Plan:
    """A plan whose one target is the table of its query."""
    target = Target(id=1, company=COMPANY, period=PERIOD, figures=True, **changes.pop("target", {}))
    return Plan(**{"type": QuestionType.NUMERIC, "targets": (target,), "query": query(measure), **changes})


def number_answer(*cells: Cell, question: str = QUESTION, **block: Any) -> Answer:
    """One figure, checked, restated later, with one candidate that lost; or the cells that are given."""
    first = fact_ref()
    lost = fact_ref(
        "DeferredTaxAssetsCapitalizedResearch",
        "1397000",
        fact=3,
        taxonomy="nwi",
        statement="",
        title="",
        label="",
        printed="",
        start=YEAR[1],
    )
    after = fact_ref(value="9380000", fact=2, accession="9999988801-26-000012", filed=date(2026, 2, 20))
    shown = cells or (
        cell(
            first,
            rejected=(Rejected(fact=lost, why="A deferred tax asset at year end, not an expense of the year."),),
            restated=(later("rnd", first, after),),
            notes=("No year was given. The latest 10-K, fiscal 2024, was used.",),
        ),
    )
    fields = {
        "target": 1,
        "type": QuestionType.NUMERIC,
        "outcome": "answered",
        "table": table(*shown),
        "checks": (Check(target=1, name="cite_check", ok=True, detail="1 figure re-read and identical."),),
    }
    blocks = (Block(**{**fields, **block}),)
    return Answer(question=question, plan=plan(shown[0].measure), blocks=blocks, versions=VERSIONS)


MODEL_QUESTION = "How much does Northwind put into its labs these days?"
MODEL_READ = "Research and development expense of Northwind in fiscal 2024"
MODEL_NOTE = f"Read by a language model as: {MODEL_READ}. Every figure is taken from the filings by code."
CHIPS = (
    Chip(slot="company", label="Northwind", text="Northwind"),
    Chip(
        slot="measure",
        label="Research and development expense",
        text="put into its labs",
        others=(
            Alternative(question="Northwind capital expenditure in fiscal 2024", why="Capital expenditure"),
            Alternative(question="Northwind R&D intensity in fiscal 2024", why="The same as % of revenue"),
        ),
    ),
    Chip(
        slot="period",
        label="fiscal 2024",
        text="these days",
        others=(Alternative(question="Northwind research and development expense in fiscal 2023", why="Fiscal 2023"),),
    ),
)


def read_by_model(answer: Answer) -> Answer:
    """An answer to a question that a model read, with the note that says so."""
    blocks = tuple(
        one.model_copy(update={"table": one.table.model_copy(update={"notes": (MODEL_NOTE,)})}) if one.table else one
        for one in answer.blocks
    )
    changed = plan(chips=CHIPS, query=query(by_model=MODEL_READ))
    return answer.model_copy(update={"question": MODEL_QUESTION, "plan": changed, "blocks": blocks})


def derived_answer() -> Answer:
    """Gross profit as revenue less cost of revenue, with both facts."""
    revenue = fact_ref("Revenues", "86214000", fact=4, label="Net sales", printed="86,214", order=1)
    cost = fact_ref("CostOfRevenue", "51200500", fact=5, label="Cost of sales", printed="51,200.5", order=2)
    number = cell(
        revenue,
        measure="gross_profit",
        label="Gross profit",
        value=revenue.value - cost.value,
        fact=None,
        formula="revenue - cost_of_revenue",
        operands=(operand("revenue", "Revenue", revenue), operand("cost_of_revenue", "Cost of revenue", cost)),
    )
    return number_answer(number, question="Northwind gross profit, fiscal 2024")


def breakdown_answer() -> Answer:
    """Term debt with the two parts that add up to it."""
    place = {"start": YEAR[1], "statement": "balance", "title": "Consolidated Balance Sheets"}
    current = fact_ref(
        "LongTermDebtCurrent", "10912000", fact=6, label="Term debt, current", printed="10,912", **place
    )
    rest = fact_ref("LongTermDebtNoncurrent", "85750000", fact=7, label="Term debt", printed="85,750", **place)
    total = fact_ref("LongTermDebt", "96662000", fact=8, label="", printed="", start=YEAR[1], statement="", title="")
    number = cell(
        total,
        measure="total_debt",
        label="Total term debt",
        breakdown=(
            operand("debt_current", "Term debt, current portion", current),
            operand("debt_noncurrent", "Term debt, non-current portion", rest),
        ),
    )
    return number_answer(number, question="Northwind total term debt FY2024")


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
    outstanding = {"label": "Common shares outstanding"}
    cells = (
        cell(sheet, measure="shares_out", reading="On the balance sheet date", **outstanding),
        cell(cover, measure="shares_out_cover", reading="On the cover of the 10-K", **outstanding),
        cell(average, measure="shares_diluted_wa", label="Diluted weighted average shares", alternative=True),
    )
    checks = (Check(target=1, name="cite_check", ok=True, detail="2 figures re-read and identical."),)
    return number_answer(*cells, question="Northwind shares outstanding, fiscal 2024", checks=checks)


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
        plan=plan("advertising"),
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
        "summary": table_summary(answer),
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


def judged(answer: Answer, relation: Relation = "positive") -> Answer:
    """An answer with a model's judgement over its first figure."""
    first, *others = answer.blocks
    assert first.table is not None
    reason = Reason(figure=term_of(first.table.asserted[0]), relation=relation)
    judgement = Judgement(target=first.target, verdict="yes", reasons=(reason,))
    return answer.model_copy(update={"blocks": (first.model_copy(update={"judgement": judgement}), *others)})
