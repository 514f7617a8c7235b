"""A run with a scripted model, end to end over the fictional sample: how many rounds it makes, and which of them ships."""

import time
from collections.abc import Sequence
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
from tests.support.model_behaviours import good, hang, says, wrong_quote
from tests.support.model_replies import Asked, Behaviour, Reply, claims, understood
from tests.support.model_runs import Made, run
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"
COMPARED = "How do Northwind and Larkfield describe cybersecurity risks in fiscal 2025?"
PHRASES = ("sole source castings", "tariffs on ceramics", "credit agreement covenants", "warranty claims")


def judged(score: int, *, missing: Sequence[str] = ("Names of suppliers.",), sufficient: bool = False) -> Behaviour:
    marks = dict.fromkeys(("completeness", "specificity", "clarity"), score)
    return says({**marks, "issues": [], "missing_info": list(missing), "is_sufficient": sufficient})


def searching(*words: str) -> Behaviour:
    return says({"phrases": [{"target": "T1", "words": one} for one in words]})


def drafting(count: int) -> Behaviour:
    """A good draft of so many claims."""
    return lambda asked: says({"claims": claims(asked, most=20)[:count], "not_found": []})(asked)


def judging(model: LocalModel, *scores: int) -> None:
    """Rounds with these scores, each followed by a new search."""
    model.behave(*map(judged, scores), program="evaluate")
    model.behave(*map(searching, PHRASES), program="follow_up")


def programs(made: Made) -> list[str]:
    return [name for name, _ in made.outcomes if name not in {"understand", "decompose"}]


def rounds(made: Made) -> list[int]:
    """The round of every claim that is shown."""
    return sorted({claim.iteration for block in made.answer.blocks for claim in block.claims})


# --- when it ends ---


def test_a_good_draft_ships_with_every_claim_verified(sample: Sample, scripted: LocalModel) -> None:
    made = run(SUPPLY)
    assert made.state.verified
    assert len(made.state.verified) == len(made.state.claims)
    assert (made.why, programs(made)) == ("threshold", ["draft", "evaluate"])


def test_below_the_threshold_it_searches_and_drafts_again_from_what_it_quoted_and_has_not_read(
    sample: Sample, scripted: LocalModel
) -> None:
    judging(scripted, 60, 95)
    made = run(SUPPLY)
    assert programs(made) == ["draft", "evaluate", "follow_up", "draft", "evaluate"]
    assert (made.why, rounds(made)) == ("threshold", [1])
    first, second = scripted.of("draft")
    given = [{one["text"] for one in asked.passages} for asked in (first, second)]
    quoted = {claim.chunk for claim in made.state.claims if not claim.iteration}
    read, again = made.state.draftings
    assert {*again.read} & {*read.read} == quoted
    assert given[1] - given[0]
    assert second.inputs["feedback"] == ["Names of suppliers."]
    found = [one for one in made.state.retrievals if one.iteration == 1]
    assert {passage.chunk for one in found for passage in one.passages}.isdisjoint(
        passage.chunk for one in made.state.retrievals if not one.iteration for passage in one.passages
    )


def test_what_is_judged_sufficient_ends_a_run_below_its_threshold(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(judged(60, sufficient=True), program="evaluate")
    made = run(SUPPLY)
    assert (made.why, programs(made)) == ("sufficient", ["draft", "evaluate"])


@pytest.mark.parametrize(("mode", "most"), [(Mode.DIRECT, 2), (Mode.STANDARD, 3), (Mode.DETAILED, 4)])
def test_a_mode_has_so_many_rounds(mode: Mode, most: int, sample: Sample, scripted: LocalModel) -> None:
    judging(scripted, 10, 20, 30, 40)
    made = run(SUPPLY, mode)
    assert (made.why, programs(made).count("draft")) == ("iterations", most)
    # The last one is judged best.
    assert rounds(made) == [most - 1]


def test_without_a_new_phrase_it_ends(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(judged(60), program="evaluate")
    scripted.always(searching("sole source castings"), program="follow_up")
    made = run(SUPPLY)
    assert (made.why, programs(made).count("draft"), programs(made).count("follow_up")) == ("no_phrases", 2, 2)


def test_without_a_new_passage_nothing_is_drafted_again(
    sample: Sample, scripted: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    judging(scripted, 60, 60)
    # Whatever is searched further, it is known.
    monkeypatch.setattr("agent.prose.further.MOST", 0)
    made = run(SUPPLY)
    assert (made.why, programs(made).count("draft")) == ("no_passages", 1)
    assert made.state.decisions[-1].threshold == 0.8
    assert made.shown


def test_where_nothing_stands_nothing_is_judged_and_the_next_draft_is_told_why(
    sample: Sample, scripted: LocalModel
) -> None:
    scripted.always(wrong_quote, program="draft")
    made = run(SUPPLY)
    assert programs(made) == ["draft", "draft"]
    assert made.why == "unverified"
    told = scripted.of("draft")[1].inputs["feedback"]
    assert told
    assert all(one.startswith("Not verified, \u201c") for one in told)
    assert all(one.endswith("Its quotation is in none of the passages found.") for one in told)


def test_a_draft_whose_claims_failed_may_be_mended(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(wrong_quote, good, program="draft")
    made = run(SUPPLY)
    assert programs(made) == ["draft", "draft", "evaluate"]
    assert (made.why, rounds(made)) == ("threshold", [1])


# --- what no passage answers ---

STANDS = {"refusal_stands": True, "direction": "not a yes/no question", "claims": [], "caveats": []}


@pytest.fixture
def silent(scripted: LocalModel, monkeypatch: pytest.MonkeyPatch) -> LocalModel:
    """A model whose draft finds nothing, in a part of the passages."""
    monkeypatch.setattr("agent.steps.drafting.READ", dict.fromkeys(Mode, 4_000))
    scripted.always(says({"claims": [], "not_found": ["supply risks"]}), program="draft")
    return scripted


def test_a_refusal_is_looked_at_once_with_what_the_draft_had_not_read(sample: Sample, silent: LocalModel) -> None:
    silent.always(says(STANDS), program="review_refusal")
    made = run(SUPPLY, Mode.DETAILED)
    assert programs(made) == ["draft", "follow_up", "review_refusal"]
    assert made.why == "refused"
    assert made.answer.refusal_code == "not_found_in_filing"
    first, second = made.state.draftings
    assert {*first.read}.isdisjoint(second.read)
    assert silent.of("follow_up")[0].inputs["missing"] == ["supply risks"]


def test_a_second_look_may_answer(sample: Sample, silent: LocalModel) -> None:
    made = run(SUPPLY)
    assert programs(made) == ["draft", "follow_up", "review_refusal", "evaluate"]
    assert (made.why, rounds(made)) == ("threshold", [1])


def test_where_all_was_read_and_nothing_new_is_found_a_refusal_ends(
    sample: Sample, scripted: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.steps.drafting.READ", dict.fromkeys(Mode, 400_000))
    monkeypatch.setattr("agent.prose.further.MOST", 0)
    scripted.always(says({"claims": [], "not_found": []}), program="draft")
    made = run(SUPPLY)
    assert programs(made) == ["draft", "follow_up"]
    assert made.answer.refusal_code == "not_found_in_filing"


# --- which round ships ---


def test_a_later_round_that_is_worse_changes_nothing(sample: Sample, scripted: LocalModel) -> None:
    judging(scripted, 70, 20, 10)
    made = run(SUPPLY)
    assert (made.why, rounds(made)) == ("iterations", [0])
    alone = [claim for claim in made.state.verified if not claim.iteration]
    assert [claim for block in made.answer.blocks for claim in block.claims] == alone


def test_a_later_round_of_which_nothing_stands_changes_nothing(sample: Sample, scripted: LocalModel) -> None:
    judging(scripted, 60, 99, 99)
    scripted.behave(good, program="draft")
    scripted.always(wrong_quote, program="draft")
    made = run(SUPPLY)
    assert rounds(made) == [0]
    assert made.answer.outcome == "answered"


def test_a_later_draft_that_fails_changes_nothing(sample: Sample, scripted: LocalModel) -> None:
    judging(scripted, 60)
    scripted.behave(good, says("No."), says("No."), program="draft")
    made = run(SUPPLY)
    assert (made.why, rounds(made)) == ("model", [0])
    assert not any("without a language model" in note for note in made.notes)


def test_what_a_second_company_has_lost_in_a_later_round_is_kept(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(comparing(), program="understand")
    judging(scripted, 60, 90)
    scripted.behave(good, only_of("Northwind"), program="draft")
    made = run(COMPARED)
    first, second = made.answer.blocks
    assert {claim.iteration for claim in first.claims} == {1}
    assert {claim.iteration for claim in second.claims} == {0}


def comparing() -> Behaviour:
    companies, periods = ["Northwind", "Larkfield"], ["fiscal 2025"]
    return says(understood(companies=companies, periods=periods, topics=["cybersecurity risks"]))


def only_of(company: str) -> Behaviour:
    """A draft from one company's passages alone."""

    def behaviour(asked: Asked) -> Reply:
        theirs = {one["id"] for one in asked.passages if company in one["item"]}
        told = [one for one in claims(asked, most=40) if one["passage"] in theirs]
        return says({"claims": told, "not_found": []})(asked)

    return behaviour


def test_a_round_that_could_not_be_judged_loses_to_one_that_was(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(judged(30), says("No."), says("No."), program="evaluate")
    scripted.behave(searching(PHRASES[0]), program="follow_up")
    scripted.behave(drafting(2), drafting(6), program="draft")
    made = run(SUPPLY)
    assert (made.why, rounds(made), len(made.shown)) == ("no_evaluation", [0], 2)


# --- deadline and budget ---


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


def test_a_second_look_that_the_budget_is_too_small_for_is_taken_in_a_cheaper_mode(
    sample: Sample, scripted: LocalModel, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.steps.drafting.READ", dict.fromkeys(Mode, 4_000))
    budgeted(settings, just_enough() + 50)
    scripted.asked.clear()
    scripted.behave(says({"claims": [], "not_found": []}), program="draft")
    made = run(SUPPLY, Mode.DETAILED)
    assert scripted.of("draft")[0].body["max_tokens"] == 16_000
    assert [one.body["max_tokens"] for one in scripted.of("review_refusal")] == [6_000]
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
    assert made.notes == [
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
