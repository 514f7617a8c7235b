"""Nothing ships that the database does not say again."""

from decimal import Decimal
from typing import Any

import pytest

from agent.refusals.codes import Code
from agent.state import AgentState
from agent.steps import pipeline
from agent.steps.cite_check import cite_check, digits
from agent.steps.deps import Deps
from filings.models import Fact
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

FIGURE = "What was Apple's R&D spend in FY2024?"
DERIVED = "Amazon gross profit fiscal 2024"


def drafted(question: str, deps: Deps) -> AgentState:
    """The state just before the last node."""
    state = AgentState(question=question)
    for node in pipeline.NODES[:-1]:
        state = node(state, deps)
    assert state.drafts
    return state


def codes(state: AgentState) -> list[Code]:
    return [refusal.code for refusal in state.refusals]


@pytest.fixture
def deps(sample: Sample) -> Deps:
    return Deps.current()


@pytest.mark.parametrize("question", [FIGURE, DERIVED])
def test_a_figure_that_is_stored_passes(deps: Deps, question: str) -> None:
    state = cite_check(drafted(question, deps), deps)
    assert codes(state) == []
    assert all(check.ok for check in state.checks if check.name == "cite_check")


@pytest.mark.parametrize("question", [FIGURE, DERIVED])
@pytest.mark.parametrize("change", [{"value": Decimal(1), "raw": "1"}, {"raw": "31370000001"}, {"tag": "Other"}])
def test_a_fact_that_changed_in_the_database_refuses(deps: Deps, question: str, change: dict[str, Any]) -> None:
    state = drafted(question, deps)
    Fact.objects.filter(pk=state.facts[0].facts[-1].fact).update(**change)
    assert codes(cite_check(state, deps)) == [Code.CONFLICT]


def test_a_fact_that_is_gone_refuses(deps: Deps) -> None:
    state = drafted(FIGURE, deps)
    Fact.objects.filter(pk=state.facts[0].facts[0].fact).delete()
    assert codes(cite_check(state, deps)) == [Code.CONFLICT]


@pytest.mark.parametrize(
    "change",
    [{"headline": "$31,371"}, {"unit_word": "billion"}, {"exact": "31,370,000,001 US dollars"}],
)
def test_a_figure_rendered_otherwise_refuses(deps: Deps, change: dict[str, str]) -> None:
    state = drafted(FIGURE, deps)
    tampered = state.model_copy(update={"drafts": (state.drafts[0].model_copy(update=change),)})
    assert codes(cite_check(tampered, deps)) == [Code.CONFLICT]


def test_a_value_that_is_not_its_facts_value_refuses(deps: Deps) -> None:
    from agent.numbers.render import draft

    state = drafted(FIGURE, deps)
    found = state.drafts[0].found.model_copy(update={"value": Decimal(31371000000)})
    assert codes(cite_check(state.model_copy(update={"drafts": (draft(found, None),)}), deps)) == [Code.CONFLICT]


@pytest.mark.parametrize(
    ("exact", "value"),
    [("31,370,000,000 US dollars", "31370000000"), ("\u22121.25 US dollars per share", "-1.25"), ("0.241", "0.241")],
)
def test_it_reads_a_figure_as_a_reader_does(exact: str, value: str) -> None:
    assert digits(exact) == Decimal(value)
