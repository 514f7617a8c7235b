"""Rounds end at a run's deadline and budget, and step down to a cheaper mode."""

import time
from dataclasses import replace

import pytest
from pytest_django import Settings

from agent.programs import calls, draft
from agent.runs.events import Event, events
from agent.state import AgentState
from agent.state.modes import LIMITS, Mode
from agent.steps import pipeline
from agent.steps.deps import Deps, begun
from evals.golden import TODAY
from tests.agent.scripted_rounds import PHRASES, SUPPLY, judged, judging, rounds, searching
from tests.support.model_behaviours import hang, says
from tests.support.model_replies import understood
from tests.support.model_runs import Made, run
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]


def test_at_the_deadline_what_is_verified_ships(sample: Sample, scripted: LocalModel, settings: Settings) -> None:
    settings.PLAN_MODEL_TIMEOUT = 60.0
    scripted.behave(hang(60.0), program="evaluate")
    started = time.monotonic()
    made = run_within(1.5)
    assert (made.why, rounds(made)) == ("deadline", [0])
    assert made.outcomes[-1] == ("evaluate", "deadline")
    # It would have been a minute.
    assert time.monotonic() - started < 30


def test_after_the_deadline_no_draft_is_begun(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(hang(60.0), program="understand")
    made = run_within(0.3)
    assert made.outcomes == [("understand", "deadline")]
    assert any("This answer ran out of time" in note for note in made.notes)
    assert made.shown


def run_within(seconds: float) -> Made:
    """A run with so much time for its models."""
    from agent.programs.models import configured
    from agent.steps.blocks import conclude

    models = configured()
    assert models
    deps = Deps.current(TODAY)
    session = calls.begin(models, Mode.STANDARD, seconds)
    deps = Deps(deps.companies, deps.registry, deps.today, deps.versions, session=session)
    state: AgentState = pipeline.run(SUPPLY, deps)
    return Made(state, conclude(state, deps, lambda near: False), session)


def budgeted(settings: Settings, tokens: int) -> None:
    settings.MODEL_RUN_TOKENS = dict.fromkeys(Mode, tokens)


def just_enough() -> int:
    """Tokens with which a detailed run has its first draft and nothing beyond it."""
    calls = run(SUPPLY, Mode.DETAILED).session.calls
    place = next(place for place, call in enumerate(calls) if call.program == "draft")
    spent = sum(call.tokens_in + call.tokens_out for call in calls[:place])
    return spent + calls[place].tokens_in + LIMITS[Mode.DETAILED].draft_tokens


@pytest.mark.parametrize(
    ("tokens", "drafted_as"),
    [(40_000, None), (20_000, "Standard"), (10_800, "Direct")],
    ids=["enough", "less", "least"],
)
def test_a_budget_that_does_not_last_steps_down_and_says_so(
    tokens: int, drafted_as: str | None, sample: Sample, scripted: LocalModel, settings: Settings
) -> None:
    budgeted(settings, tokens)
    made = run(SUPPLY, Mode.DETAILED)
    most = {None: 16_000, "Standard": 6_000, "Direct": 2_000}[drafted_as]
    assert scripted.of("draft")[0].body["max_tokens"] == most
    said = [note for note in made.notes if "budget" in note]
    assert made.answer.mode.startswith(f"{(drafted_as or 'Detailed').lower()}, drafted by ")
    assert said == (
        [f"The budget of this answer was too small for the mode “Detailed”, so it was drafted as “{drafted_as}”."]
        if drafted_as
        else []
    )
    assert made.shown


def test_after_a_step_down_rounds_and_threshold_are_those_of_the_cheaper_mode(
    sample: Sample, scripted: LocalModel, settings: Settings
) -> None:
    budgeted(settings, 20_000)
    scripted.always(judged(82), program="evaluate")
    made = run(SUPPLY, Mode.DETAILED)
    assert (made.why, made.state.decisions[-1].threshold) == ("threshold", 0.8)
    assert (made.state.mode, made.session.degraded) == (Mode.STANDARD, True)
    assert made.state.plan
    assert made.state.plan.mode == Mode.DETAILED


def test_the_events_of_later_rounds_name_the_mode_that_is_left(
    sample: Sample, scripted: LocalModel, settings: Settings
) -> None:
    budgeted(settings, just_enough() + 4_000)
    judging(scripted, 50, 60, 70)
    told: list[Event] = []

    def record(node: str, before: AgentState, after: AgentState, ms: float) -> None:
        told.extend(events(node, before, after, []))

    session = begun(Mode.DETAILED)
    assert session
    pipeline.run(SUPPLY, replace(Deps.current(TODAY), session=session), record, Mode.DETAILED)
    begins = [one.data for one in told if one.name == "iteration_start"]
    detailed, standard = ("detailed", 4, 0.9), ("standard", 3, 0.8)
    # That the second draft steps down is known when it is made.
    assert [(one["mode"], one["of"], one["threshold"]) for one in begins] == [detailed, detailed, standard]
    assert any("so it was drafted as" in one.said for one in told if one.name == "fallback")


def test_a_draft_that_cannot_be_tried_again_is_tried_in_a_cheaper_mode(
    sample: Sample, scripted: LocalModel, settings: Settings
) -> None:
    # What the first try has spent is missing for the second.
    budgeted(settings, just_enough() + 50)
    scripted.asked.clear()
    scripted.behave(says("x" * 12_000), program="draft")
    made = run(SUPPLY, Mode.DETAILED)
    asked = [one.body["max_tokens"] for one in scripted.of("draft")]
    assert asked[0] == 16_000
    assert asked[1:] == [6_000]
    assert ("draft", "budget") in made.outcomes
    assert made.answer.mode.startswith("standard, drafted by ")
    assert made.shown


def test_a_prompt_of_many_figures_is_counted_as_it_is(
    sample: Sample, scripted: LocalModel, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A longer instruction is a longer prompt, whatever the passages.
    program = draft.DraftProgram()
    longer = program.predict.signature.instructions + " Mind the passages." * 2_000
    program.predict.signature = program.predict.signature.with_instructions(longer)
    monkeypatch.setattr(draft, "program", lambda: program)
    budgeted(settings, 30_000)
    made = run(SUPPLY, Mode.DETAILED)
    assert [one.body["max_tokens"] for one in scripted.of("draft")] == [6_000]
    # It was known before it was asked.
    assert ("draft", "budget") not in made.outcomes


def test_below_the_cheapest_mode_no_model_drafts_and_it_is_said(
    sample: Sample, scripted: LocalModel, settings: Settings
) -> None:
    budgeted(settings, 8_000)
    made = run(SUPPLY)
    assert scripted.of("draft") == []
    assert made.notes[1:] == [
        "This answer has used up its model budget. The passages shown were found without a language model."
    ]
    assert made.shown


def test_a_run_never_spends_more_than_its_budget(sample: Sample, scripted: LocalModel, settings: Settings) -> None:
    scripted.always(judged(20), program="evaluate")
    scripted.behave(*map(searching, PHRASES), program="follow_up")
    for tokens in (3_000, 9_000, 16_000, 22_000, 28_000, 34_000):
        budgeted(settings, tokens)
        spent = (made := run(SUPPLY)).session.budget.spent
        assert spent.tokens_in + spent.tokens_out <= tokens
        assert made.shown
        assert made.why in {"budget", "iterations", "no_phrases", ""}


def test_a_mode_that_was_asked_for_is_paid_for_as_that_mode(
    sample: Sample, scripted: LocalModel, settings: Settings
) -> None:
    settings.MODEL_RUN_TOKENS = {**settings.MODEL_RUN_TOKENS, "deep_search": 777_777}
    made = run(SUPPLY, Mode.DEEP_SEARCH)
    assert made.state.plan
    assert (made.state.plan.mode, made.session.budget.tokens) == (Mode.DEEP_SEARCH, 777_777)


def test_a_mode_that_the_plan_chose_has_its_own_time_and_money(
    sample: Sample, scripted: LocalModel, settings: Settings
) -> None:
    settings.MODEL_RUN_DEADLINE = {**settings.MODEL_RUN_DEADLINE, "detailed": 1_234.0}
    settings.MODEL_RUN_COST = {**settings.MODEL_RUN_COST, "detailed": 5.0}
    scripted.always(says(understood(mode="detailed")), program="understand")
    budget = run(SUPPLY).session.budget
    # Without the seconds that are kept for its end.
    assert (budget.cost, round(budget.deadline - budget.begun)) == (5, 1_229)
