"""A run with a scripted model, end to end over the fictional sample: drafts, checks, judgements, further searches."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from agent import pipeline
from agent.deps import Deps
from agent.programs import breaker, endpoint
from agent.state import AgentState, Answer
from evals.golden import TODAY
from tests.support.model_behaviours import says
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"


@pytest.fixture
def model(settings: Settings) -> Iterator[LocalModel]:
    breaker.forget()
    with LocalModel() as server:
        for name, value in server.settings().items():
            setattr(settings, name, value)
        yield server
    endpoint.close()
    breaker.forget()


def run(question: str) -> AgentState:
    return pipeline.run(question, Deps.current(TODAY, models=True))


def ask(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY, models=True))


def test_a_good_draft_ships_with_every_claim_verified(sample: Sample, model: LocalModel) -> None:
    state = run(SUPPLY)
    assert state.verified
    assert len(state.verified) == len(state.claims)
    assert state.decisions[-1].why in {"threshold", "sufficient"}
