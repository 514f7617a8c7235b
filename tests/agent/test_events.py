"""The steps of a run with a model: an event for each thing that happened, with what it cost, round by round."""

import json
from decimal import Decimal

import pytest
from pytest_django import Settings

from agent import tasks
from agent.models import Run, Step
from agent.programs import calls
from agent.runs import answer_cache, lifecycle
from agent.runs.claim import claim
from agent.state import AgentState, Answer
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.pages.progress import EVENTS, offers_deeper, progress, status_line
from tests.support.model_behaviours import broken_json, other_text, says, server_error
from tests.support.model_server import KEY, LocalModel
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"
REVENUE = "What was Northwind's revenue in fiscal 2025?"
POOR = {
    "completeness": 40, "specificity": 40, "clarity": 60, "issues": ["It says nothing of prices."],
    "missing_info": ["What was done about it."], "is_sufficient": False,
}  # fmt: skip
READING = ["reasoning", "plan", "fetch", "locate"]
ROUND = ["iteration_start", "search", "draft", "cite_check", "agent_decision", "iteration_complete"]
AGAIN = ["iteration_start", "iteration_search", *ROUND[2:]]
GOES_ON = [*ROUND[:-1], "iteration_followup", ROUND[-1]]


def asked(question: str, **fields: str) -> Run:
    """A run that a worker has answered."""
    run = Run.objects.create(question=question, **fields)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert run.status == Run.Status.DONE
    return run


def events(run: Run) -> list[str]:
    return list(run.steps.values_list("event", flat=True))


def the(run: Run, event: str) -> Step:
    """The last step of a kind."""
    found = run.steps.filter(event=event).last()
    assert found is not None
    return found


def test_a_good_draft_is_told_from_the_reasoning_to_the_result(sample: Sample, scripted: LocalModel) -> None:
    run = asked(SUPPLY)
    assert events(run) == [*READING, *ROUND, "result"]
    assert set(run.steps.filter(event__in=ROUND).values_list("iteration", flat=True)) == {1}
    assert the(run, "iteration_start").said == "Round 1 of at most 3"
    assert "0.80 is enough. It is good enough for its mode." in the(run, "agent_decision").said
    assert the(run, "cite_check").said.endswith("claims verified against the filing.")


def test_every_kind_of_event_has_a_name(sample: Sample, scripted: LocalModel) -> None:
    assert set(events(asked(SUPPLY))) <= set(EVENTS)


def test_rounds_tell_what_is_missing_and_what_is_searched_next(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(says(POOR), program="evaluate")
    run = asked(SUPPLY)
    assert events(run) == [*READING, *GOES_ON, *AGAIN, "result"]
    assert run.steps.filter(event="iteration_complete").count() == 2
    first = run.steps.filter(event="agent_decision").first()
    assert first is not None
    assert "It says nothing of prices. Another round follows." in first.said
    (decision,) = first.outputs["decisions"]
    assert (decision["again"], decision["threshold"], decision["score"] < 0.8) == (True, 0.8, True)
    (phrase,) = the(run, "iteration_followup").outputs["phrases"]
    assert "Northwind" in phrase
    assert the(run, "iteration_complete").outputs["best"] == 1
    assert offers_deeper(run)


def test_the_result_says_what_it_stands_on_and_how_long_each_part_took(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(says(POOR), program="evaluate")
    run = asked(SUPPLY)
    data = the(run, "result").outputs
    claims = [claim for block in run.answer["blocks"] for claim in block["claims"]]
    assert data["claims"] == len(claims) > 0
    assert data["chunks"] == data["sources"]["10-K text"] == len({claim["chunk"] for claim in claims})
    assert (data["iterations"], data["outcome"]) == (2, "answered")
    assert data["confidence"] == the(run, "agent_decision").outputs["decisions"][0]["score"]
    timing = data["timing"]
    assert set(timing) == {"reasoning", "retrieval", "generation", "verification", "total"}
    assert timing["total"] >= sum(timing[part] for part in timing if part != "total") - len(timing)


def test_the_confidence_is_that_of_the_round_that_ships(sample: Sample, scripted: LocalModel) -> None:
    worse = {**POOR, "completeness": 10}
    scripted.behave(says(POOR), says(worse), program="evaluate")
    run = asked(SUPPLY)
    scores = [
        step.outputs["decisions"][0]["score"]
        for step in run.steps.filter(event="agent_decision")
    ]  # fmt: skip
    assert scores[0] > scores[1]
    assert the(run, "iteration_complete").said.endswith("The best so far is round 1.")
    assert the(run, "result").outputs["confidence"] == pytest.approx(scores[0])


def test_an_answer_says_by_which_model_it_was_drafted(sample: Sample, scripted: LocalModel) -> None:
    assert asked(SUPPLY).answer["mode"] == "standard, drafted by scripted, checked by code"
    assert asked(REVENUE).answer["mode"] == "no language model"
    scripted.always(server_error, program="draft")
    assert asked(SUPPLY, mode="direct").answer["mode"] == "direct, read with scripted, no draft of a model"


def test_sentences_found_after_every_draft_was_rejected_are_no_models(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(other_text, program="draft")
    run = asked(SUPPLY)
    assert "drafted by" not in run.answer["mode"]
    assert any(block["claims"] for block in run.answer["blocks"])


def test_an_answer_that_was_made_before_says_so_in_one_step(
    sample: Sample, scripted: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.always(says(POOR), program="evaluate")
    first = asked(SUPPLY)
    kept = Answer.model_validate(first.answer)
    monkeypatch.setattr(answer_cache, "recall", lambda *told: kept)
    again = asked(SUPPLY)
    assert events(again) == ["recalled"]
    assert again.answer["blocks"] == first.answer["blocks"]
    assert [group.title for group in progress(again).groups] == [""]
    assert offers_deeper(again)


def test_a_run_without_a_model_has_its_nodes_and_nothing_else(sample: Sample) -> None:
    run = asked(SUPPLY)
    assert [step.node for step in run.steps.all()] == [node.__name__ for node in pipeline.NODES]
    assert set(run.steps.values_list("event", "requests", "cost", "iteration")) == {("", 0, 0, 0)}
    assert not offers_deeper(run)


def test_a_figure_that_no_model_is_asked_for_has_no_rounds(sample: Sample, scripted: LocalModel) -> None:
    run = asked(REVENUE)
    assert events(run) == ["plan", "fetch", "locate", "search", "validate", "cite_check", "result"]
    assert set(run.steps.values_list("iteration", flat=True)) == {0}


def test_a_refused_question_ends_with_why(sample: Sample, scripted: LocalModel) -> None:
    run = asked("What is Northwind's share price?")
    assert events(run) == ["rejected", "result"]
    assert the(run, "rejected").refused
    assert "depends on the market" in the(run, "rejected").said


def test_a_draft_that_fails_is_told_as_what_was_done_instead(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(server_error, program="draft")
    run = asked(SUPPLY)
    assert "draft" not in events(run)
    assert "found without a language model" in the(run, "fallback").said
    assert {call["outcome"] for call in the(run, "fallback").calls} == {"unavailable"}


def test_a_question_that_the_model_did_not_read_is_told_as_read_without_it(
    sample: Sample, scripted: LocalModel
) -> None:
    scripted.always(broken_json, program="understand")
    run = asked(SUPPLY)
    assert events(run)[:2] == ["fallback", "plan"]
    assert "model" in the(run, "fallback").said


def test_a_draft_that_could_not_be_judged_says_so_and_has_no_score(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(broken_json, program="evaluate")
    run = asked(SUPPLY)
    assert the(run, "agent_decision").outputs["decisions"][0]["score"] is None
    assert run.answer["judged"] is None
    assert "could not be judged" in the(run, "agent_decision").said
    assert the(run, "result").outputs["confidence"] is None
    assert not offers_deeper(run)


def test_the_text_of_what_could_not_be_verified_is_kept_nowhere(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(other_text, program="draft")
    run = asked(SUPPLY)
    assert any(step.outputs.get("dropped") for step in run.steps.filter(event="cite_check"))
    kept = json.dumps([run.answer, *run.steps.values_list("inputs", "outputs", "calls", "said")], default=str)
    assert "stopped selling" not in kept


def test_every_call_stands_on_one_step_with_what_it_cost(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(says(POOR), program="evaluate")
    run = asked(SUPPLY)
    made = [call for step in run.steps.all() for call in step.calls]
    assert [call["program"] for call in made] == [one.program for one in scripted.asked]
    for step in run.steps.all():
        assert step.requests == len(step.calls)
        assert step.tokens_in == sum(call["tokens_in"] for call in step.calls)
        assert step.tokens_out == sum(call["tokens_out"] for call in step.calls)
        assert step.cost == sum((Decimal(call["cost"]) for call in step.calls), Decimal(0))
    draft = the(run, "draft").calls[0]
    assert (draft["role"], draft["model"], draft["outcome"], draft["estimated"]) == ("draft", "scripted", "ok", False)
    assert Decimal(draft["cost"]) == Decimal(draft["tokens_in"] + 4 * draft["tokens_out"]) / 1_000_000
    assert draft["version"]


def test_no_prompt_reply_or_key_is_kept(sample: Sample, scripted: LocalModel) -> None:
    run = asked(SUPPLY)
    kept = json.dumps(list(run.steps.values_list("inputs", "outputs", "calls", "said")), default=str)
    assert KEY not in kept
    assert "Answer a question from passages" not in kept
    fields = {
        "program",
        "version",
        "model",
        "role",
        "tokens_in",
        "tokens_out",
        "estimated",
        "cost",
        "ms",
        "outcome",
        "sent",
    }
    assert {name for step in run.steps.all() for call in step.calls for name in call} == fields


@pytest.mark.parametrize(("mode", "most"), [("direct", 2), ("detailed", 4), ("deep_search", 10)])
def test_the_mode_that_was_chosen_is_the_mode_of_the_run(
    sample: Sample, scripted: LocalModel, mode: str, most: int
) -> None:
    run = asked(SUPPLY, mode=mode)
    assert run.answer["plan"]["mode"] == mode
    assert the(run, "iteration_start").outputs["of"] == most


def test_the_most_thorough_run_offers_nothing_deeper(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(says(POOR), program="evaluate")
    assert not offers_deeper(asked(SUPPLY, mode="deep_search"))


def test_what_a_node_spent_before_it_failed_is_counted(
    sample: Sample, scripted: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(state: AgentState, deps: Deps) -> AgentState:
        assert deps.session is not None
        deps.session.calls.append(
            calls.Call("draft", "v1", "scripted", "draft", 100, 10, False, Decimal("0.0014"), 5, "ok")
        )
        raise RuntimeError("secret detail")

    monkeypatch.setattr(pipeline, "NODES", (*pipeline.NODES[:3], broken))
    run = Run.objects.create(question=SUPPLY)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert (run.status, the(run, "failed").cost) == (Run.Status.FAILED, Decimal("0.0014"))
    shown = progress(run)
    assert [step.state for step in shown.steps].count("stop") == 1
    assert "secret" not in json.dumps(list(run.steps.values_list("said", "outputs")), default=str)


# --- as the page shows them ---


def test_steps_are_shown_by_round_with_the_one_under_way(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(says(POOR), program="evaluate")
    run = asked(SUPPLY)
    assert [group.title for group in progress(run).groups] == [
        "Reading the question", "Round 1 of at most 3", "Round 2 of at most 3", "Result",
    ]  # fmt: skip
    begun = run.steps.filter(event="iteration_start").last()
    assert begun is not None
    run.steps.filter(sequence__gt=begun.sequence + 1).delete()
    run.status = Run.Status.RUNNING
    shown = progress(run)
    assert [step.name for step in shown.groups[-1].steps] == ["Search again", "Draft", "Check citations", "Judge"]
    assert [step.state for step in shown.groups[-1].steps] == ["done", "now", "wait", "wait"]
    assert status_line(run, shown) == "Round 2 of at most 3: Draft."


def test_a_run_that_is_being_read_says_so(sample: Sample, scripted: LocalModel) -> None:
    run = asked(SUPPLY)
    run.steps.filter(sequence__gt=2).delete()
    run.status = Run.Status.RUNNING
    assert status_line(run, progress(run)) == "Reading the question: Fetch."


def test_a_worker_that_was_taken_for_dead_leaves_no_result(
    sample: Sample, scripted: LocalModel, settings: Settings
) -> None:
    run = Run.objects.create(question=SUPPLY)
    attempt = claim(run.pk)
    assert attempt is not None
    Run.objects.filter(pk=run.pk).update(attempt=attempt + 1)
    lifecycle.answer(run.pk, attempt)
    run.refresh_from_db()
    assert (run.status, run.answer, run.steps.count()) == (Run.Status.RUNNING, None, 0)
