"""Whatever a model says, in any order: nothing ships that the filing does not say, nothing breaks, and every run ends."""

import time
from collections.abc import Sequence
from typing import Any

import pytest
from pytest_django import Settings

from agent.state.modes import Mode
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals.golden import TODAY
from tests.support.model_behaviours import hang
from tests.support.model_chance import by_chance
from tests.support.model_replies import understood
from tests.support.model_runs import run, untrue
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]

COMPARED = {"companies": ["Northwind", "Larkfield"], "topics": ["cybersecurity risks"]}
YEARS = {"companies": ["Northwind"], "topics": ["suppliers"]}
LARGEST = {"kind": "qualifier", "span": "largest", "axes": [{"label": "by revenue"}, {"label": "by orders received"}]}

# Each question, with readings that a model may give beside the one that changes nothing.
QUESTIONS: dict[str, Sequence[dict[str, Any]]] = {
    "What supply risks did Northwind disclose in fiscal 2025?": [{"mode": "direct"}, {"companies": ["Apple"]}],
    "How do Northwind and Larkfield describe cybersecurity risks in fiscal 2025?": [
        {**COMPARED, "periods": ["fiscal 2025"]},
        {**COMPARED, "periods": []},
    ],
    "What does Northwind say about its suppliers in fiscal 2024 and fiscal 2025?": [
        {**YEARS, "periods": ["fiscal 2024", "fiscal 2025"]},
        {**YEARS, "periods": ["fiscal 2025"]},
    ],
    "Who are the largest customers of Northwind in fiscal 2025?": [{"ambiguities": [LARGEST], "mode": "detailed"}],
    "What was Northwind's gross profit in fiscal 2025 and why did service revenue fall?": [{"type": "A+B"}],
    "Does Northwind depend on a single supplier?": [{"type": "A"}, {"mode": "direct"}],
    "What does Northwind say about cybersecurity and competition?": [{"mode": "detailed"}],
    "What does Northwind say on its earnings call about tariffs?": [
        {"source": "earnings call", "source_span": "earnings call"},
        {"source": "8-K", "source_span": "Northwind"},
    ],
    "What were Northwind's greenbacks from customers in fiscal 2025?": [
        {"type": "A", "companies": ["Northwind"], "rows": [{"span": "greenbacks", "form": "value", "ids": ["m1"]}]}
    ],
}
UNDERSTOOD = {
    question: [understood(), *(understood(**one) for one in readings)] for question, readings in QUESTIONS.items()
}
# Far more than a run needs, far less than the server would take.
DEADLINE, SHORT = 20.0, 3.0


def warmed() -> Deps:
    """What runs need, in a process that has answered: what it does once is no part of a run's time."""
    known = Deps.current(TODAY)
    for question in QUESTIONS:
        pipeline.run(question, known)
    return known


def check(seeds: range, model: LocalModel, settings: Settings) -> int:
    """Run each seed; how many claims were shown."""
    settings.PLAN_MODEL_TIMEOUT = settings.DRAFT_MODEL_TIMEOUT = 0.25
    settings.MODEL_RUN_DEADLINE = dict.fromkeys(Mode, DEADLINE)
    questions, modes = list(QUESTIONS), [None, None, *Mode]
    shown, known = 0, warmed()
    for seed in seeds:
        model.choose = by_chance(seed, UNDERSTOOD)
        began = time.monotonic()
        made = run(questions[seed % len(questions)], modes[seed // len(questions) % len(modes)], known)
        assert time.monotonic() < began + DEADLINE, seed
        assert untrue(made) == [], seed
        assert made.answer.outcome in {"answered", "refused"}
        shown += len(made.shown)
    return shown


def test_runs_by_chance(sample: Sample, scripted: LocalModel, settings: Settings) -> None:
    assert check(range(12), scripted, settings) > 12


@pytest.mark.soak
def test_more_runs_by_chance(sample: Sample, scripted: LocalModel, settings: Settings) -> None:
    assert check(range(12, 60), scripted, settings) > 48


@pytest.mark.parametrize("program", [pytest.param("understand", marks=pytest.mark.soak), "draft"])
def test_a_run_whose_model_hangs_ends_before_its_deadline(
    program: str, sample: Sample, scripted: LocalModel, settings: Settings
) -> None:
    """What is done without the model is done within the time of the run, not beyond it."""
    question = next(iter(QUESTIONS))
    known = warmed()
    settings.PLAN_MODEL_TIMEOUT = settings.DRAFT_MODEL_TIMEOUT = 60.0
    settings.MODEL_RUN_DEADLINE = dict.fromkeys(Mode, SHORT)
    scripted.always(hang(60.0), program=program)
    began = time.monotonic()
    made = run(question, None, known)
    assert time.monotonic() < began + SHORT
    assert (program, "deadline") in made.outcomes
    assert made.shown


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_a_thousand_runs_by_chance(part: int, sample: Sample, scripted: LocalModel, settings: Settings) -> None:
    assert check(range(1_000 + 100 * part, 1_100 + 100 * part), scripted, settings) > 100
