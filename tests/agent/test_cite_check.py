"""Nothing ships that the database does not say again."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from agent.refusals.codes import Code
from agent.state import AgentState
from agent.steps import pipeline
from agent.steps.cite_check import cite_check
from agent.steps.deps import Deps
from agent.steps.fetch import reference
from agent.steps.plan import plan
from filings.models import Fact, Filing
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

FIGURE = "What was Apple's R&D spend in FY2024?"
DERIVED = "Amazon gross profit fiscal 2024"
GROWTH = "Apple revenue growth in fiscal 2024"
SPAN = "Microsoft CAGR of revenue from fiscal 2019 to fiscal 2024"
RANK = "Which of Apple and Microsoft had the highest net income in fiscal 2024?"
FILED = "When was Apple's 10-K for fiscal 2024 filed?"
NOT_STORED = "A filing of this answer does not match the stored one."
QUESTIONS = [FIGURE, DERIVED, GROWTH, SPAN, RANK]


def tabled(question: str, deps: Deps) -> AgentState:
    """The state just before the last node."""
    state = AgentState(question=question)
    for node in pipeline.NODES[:-1]:
        state = node(state, deps)
    assert state.tables
    return state


def last_fact(state: AgentState) -> int:
    """Of the newest asserted cell."""
    return state.tables[0].table.asserted[-1].facts[-1].fact


def with_cell(state: AgentState, **change: Any) -> AgentState:
    """The state whose newest asked cell says something else."""
    (tabled,) = state.tables
    cells = list(tabled.table.cells)
    place = max(number for number, cell in enumerate(cells) if cell.asserted)
    cells[place] = cells[place].model_copy(update=change)
    table = tabled.table.model_copy(update={"cells": tuple(cells)})
    return state.model_copy(update={"tables": (tabled.model_copy(update={"table": table}),)})


def codes(state: AgentState) -> list[Code]:
    return [refusal.code for refusal in state.refusals]


@pytest.fixture
def deps(sample: Sample) -> Deps:
    return Deps.current()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (FIGURE, "1 figure re-read and identical."),
        (DERIVED, "1 figure re-read and identical."),
        (SPAN, "7 figures re-read and identical."),
    ],
)
def test_a_table_that_is_stored_passes_with_one_check(deps: Deps, question: str, said: str) -> None:
    state = cite_check(tabled(question, deps), deps)
    assert codes(state) == []
    assert [(check.ok, check.detail) for check in state.checks] == [(True, said)]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("change", [{"value": Decimal(1), "raw": "1"}, {"raw": "31370000001"}, {"tag": "Other"}])
def test_a_table_in_which_one_stored_fact_was_changed_is_refused(
    deps: Deps, question: str, change: dict[str, Any]
) -> None:
    state = tabled(question, deps)
    Fact.objects.filter(pk=last_fact(state)).update(**change)
    after = cite_check(state, deps)
    assert codes(after) == [Code.CONFLICT]
    assert not any(check.ok for check in after.checks)


def test_a_fact_that_is_gone_refuses(deps: Deps) -> None:
    state = tabled(FIGURE, deps)
    Fact.objects.filter(pk=last_fact(state)).delete()
    (refusal,) = cite_check(state, deps).refusals
    assert (refusal.code, refusal.stage) == (Code.CONFLICT, "cite_check")
    assert refusal.text == "A figure of this answer does not match the stored filing."
    assert "is no longer stored" in refusal.detail


@pytest.mark.parametrize(
    ("question", "change"),
    [
        (FIGURE, {"value": Decimal(31371000000)}),
        (DERIVED, {"value": Decimal(1)}),
        (DERIVED, {"formula": "cost_of_revenue - revenue"}),
        (GROWTH, {"formula": "100 * (revenue / revenue[FY-2] - 1)"}),
        (GROWTH, {"operands": ()}),
        (GROWTH, {"accession": "0000320193-23-000106"}),
    ],
)
def test_a_cell_whose_formula_or_fact_no_longer_gives_its_value_is_refused(
    deps: Deps, question: str, change: dict[str, Any]
) -> None:
    assert codes(cite_check(with_cell(tabled(question, deps), **change), deps)) == [Code.CONFLICT]


def test_a_result_that_does_not_follow_from_its_facts_is_refused(deps: Deps) -> None:
    state = tabled(SPAN, deps)
    (tabled_,) = state.tables
    (result,) = tabled_.table.results
    assert result.value is not None
    forged = result.model_copy(update={"value": result.value + Decimal("0.1")})
    table = tabled_.table.model_copy(update={"results": (forged,)})
    after = state.model_copy(update={"tables": (tabled_.model_copy(update={"table": table}),)})
    assert codes(cite_check(after, deps)) == [Code.CONFLICT]


def test_a_refused_table_is_not_in_the_answer(deps: Deps) -> None:
    state = with_cell(tabled(FIGURE, deps), value=Decimal(31371000000))
    made = pipeline.conclude(cite_check(state, deps), deps, lambda near: False)
    assert (made.outcome, made.refusal_code) == ("refused", "conflict")
    assert [block.table for block in made.blocks] == [None]


@pytest.mark.parametrize("question", [FIGURE, "What risks does Northwind face from its suppliers?"])
def test_what_answers_another_query_than_was_read_is_refused(question: str, deps: Deps) -> None:
    read = plan(AgentState(question=question), deps)
    other = plan(AgentState(question="What was Microsoft's net income in FY2023?"), deps)
    state = read.model_copy(update={"plan": other.plan})
    for node in pipeline.NODES[1:]:
        state = node(state, deps)
    assert codes(state) == [Code.CONFLICT]
    assert state.refusals[0].text == "What was looked up is not what the question was read as."


def of_filing(deps: Deps) -> AgentState:
    """The state just before the last node, of a question on the data of a filing."""
    state = AgentState(question=FILED)
    for node in pipeline.NODES[:-1]:
        state = node(state, deps)
    assert [one.value for one in state.particulars] == ["1 November 2024"]
    return state


def test_the_data_of_a_filing_that_is_stored_stands(deps: Deps) -> None:
    assert codes(cite_check(of_filing(deps), deps)) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"filed": date(2024, 11, 2)}, "The fiscal 2024 10-K differs from the stored filing."),
        ({"accession": "0000320193-24-000124"}, "The fiscal 2024 10-K differs from the stored filing."),
        ({"form": "10-K/A"}, "The fiscal 2024 10-K differs from the stored filing."),
        ({"period_end": date(2024, 9, 27)}, "The fiscal 2024 10-K differs from the stored filing."),
        ({"fiscal_year": 2023}, "The fiscal 2024 10-K differs from the stored filing."),
    ],
)
def test_a_filing_that_is_stored_otherwise_by_now_is_refused(deps: Deps, change: dict[str, Any], said: str) -> None:
    state = of_filing(deps)
    Filing.objects.filter(pk=state.filings[0].filing).update(**change)
    (refusal,) = cite_check(state, deps).refusals
    assert (refusal.code, refusal.text, refusal.detail) == (Code.CONFLICT, NOT_STORED, said)


@pytest.mark.parametrize(
    ("name", "year", "said"),
    [
        ("Microsoft", 2024, "The fiscal 2024 10-K is not a filing of Apple that is stored."),
        ("Apple", 2023, "The fiscal 2023 10-K is not of the period asked for."),
    ],
)
def test_a_filing_of_another_company_or_year_than_asked_is_refused(
    deps: Deps, name: str, year: int, said: str
) -> None:
    state = of_filing(deps)
    other = Filing.objects.annual().get(company__name__startswith=name, fiscal_year=year)
    filing = reference(state.open_targets()[0], other)
    forged = state.model_copy(update={"filings": (filing,), "particulars": ()})
    (refusal,) = cite_check(forged, deps).refusals
    assert (refusal.code, refusal.text, refusal.detail) == (Code.CONFLICT, NOT_STORED, said)


def test_data_that_the_filing_does_not_give_are_refused(deps: Deps) -> None:
    state = of_filing(deps)
    (datum,) = state.particulars
    forged = state.model_copy(update={"particulars": (datum.model_copy(update={"value": "2 November 2024"}),)})
    (refusal,) = cite_check(forged, deps).refusals
    assert (refusal.code, refusal.text) == (Code.CONFLICT, NOT_STORED)
    assert refusal.detail == "Filing date: 2 November 2024 differs from the stored filing."
