"""Compiling with a scripted server: each optimizer runs on the models of its roles and leaves a program."""

import json
from pathlib import Path

import dspy
import pytest

from agent.programs.compile import Endpoints, Measured, NotCompiled, Replies, compiled, gained, measured
from agent.programs.scores import Judged
from tests.agent.programs.asked import Verdict, WeighProgram
from tests.support.model_behaviours import broken_json, server_error
from tests.support.model_replies import Asked, Reply
from tests.support.model_server import LocalModel

FORM = '{"verdict": {"side": "%s", "echo": "so"}}'


def example(question: str, side: str = "", **more: object) -> dspy.Example:
    outputs = {"verdict": Verdict(side=side, echo="so")} if side else {}  # type: ignore[arg-type]
    return dspy.Example(id=question, due=side or "yes", question=question, **outputs, **more)


LABELLED = [example("Is it?", "yes", note="of ours"), example("Is it not?", "no")]
BARE = [example("Will it?"), example("Was it?"), example("Were they?")]


def judge(wanted: dspy.Example, said: dspy.Prediction) -> Judged:
    right = said.verdict.side == wanted.due
    return Judged(float(right), "Right." if right else "The other side.", "" if right else "the other side")


def endpoints(server: LocalModel) -> Endpoints:
    return Endpoints.of(WeighProgram(), server.session().models)


def test_labelled_examples_become_demonstrations_without_a_model() -> None:
    program = compiled(WeighProgram(), "LabeledFewShot", [*LABELLED, *BARE], [], judge)
    assert [dict(demo) for demo in program.predict.demos] == [
        {"question": one.question, "verdict": one.verdict} for one in LABELLED
    ]


def test_a_demonstration_can_be_shortened() -> None:
    program = compiled(
        WeighProgram(), "LabeledFewShot", LABELLED, [], judge, shorten=lambda demo: demo.copy(question="short")
    )
    assert {demo.question for demo in program.predict.demos} == {"short"}


def test_without_labels_there_are_no_demonstrations() -> None:
    with pytest.raises(NotCompiled, match="No example of weigh in the training set has its outputs"):
        compiled(WeighProgram(), "LabeledFewShot", BARE, [], judge)


@pytest.mark.parametrize("optimizer", ["BootstrapFewShot", "GEPA"])
def test_the_others_need_a_model(optimizer: str) -> None:
    with pytest.raises(NotCompiled, match=f"{optimizer} asks a model, and none is configured"):
        compiled(WeighProgram(), optimizer, LABELLED, BARE, judge)  # type: ignore[arg-type]


def test_replies_that_are_right_become_demonstrations(model: LocalModel) -> None:
    model.behave(lambda asked: Reply(content=FORM % "no"), lambda asked: Reply(content=FORM % "yes"))
    program = compiled(WeighProgram(), "BootstrapFewShot", BARE, BARE[:1], judge, endpoints(model))
    questions = [demo.question for demo in program.predict.demos]
    # The first reply was wrong.
    assert questions == ["Was it?", "Were they?"]
    assert set(program.predict.demos[0].keys()) == {"question", "verdict"}


def test_gepa_has_instructions_proposed_and_keeps_the_best(model: LocalModel) -> None:
    better = "Weigh it and say yes."

    def reply(asked: Asked) -> Reply:
        if "verdict" not in asked.outputs:
            return Reply(content=json.dumps(dict.fromkeys(asked.outputs, better)))
        told = asked.body["messages"][0]["content"]
        return Reply(content=FORM % ("yes" if better in told else "no"))

    model.choose = lambda asked: reply
    program = compiled(WeighProgram(), "GEPA", BARE, BARE, judge, endpoints(model), effort=20)
    assert program.predict.signature.instructions == better
    # What proposes is told what was wrong.
    assert any("The other side." in str(one.body) for one in model.asked if "verdict" not in one.outputs)


def test_a_program_is_measured_by_its_mean_and_its_tripwires(model: LocalModel) -> None:
    model.behave(*(lambda asked, side=side: Reply(content=FORM % side) for side in ("yes", "no")), broken_json)  # type: ignore[misc]
    asked = endpoints(model)
    found = measured(WeighProgram(), BARE, judge, asked)
    assert found.score == pytest.approx(1 / 3)
    assert found.scores == (1.0, 0.0, 0.0)
    assert found.tripwires == ("the other side",)
    assert found.tokens > 100
    assert asked.task.requests == 3
    assert asked.task.cost > 0


def test_an_endpoint_that_fails_for_a_while_is_asked_again(model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    model.behave(server_error, server_error)
    assert measured(WeighProgram(), BARE[:1], judge, endpoints(model)).score == 1


def test_an_endpoint_that_fails_for_good_ends_it(model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    model.always(server_error)
    with pytest.raises(NotCompiled, match="The plan model cannot be asked"):
        measured(WeighProgram(), BARE[:1], judge, endpoints(model))


def test_nothing_of_a_script_counts_as_a_score(model: LocalModel) -> None:
    assert endpoints(model).scripted
    assert not Endpoints.of(WeighProgram(), model.session(name="named").models).scripted


def test_replies_that_are_kept_are_not_asked_for_again(model: LocalModel, tmp_path: Path) -> None:
    model.behave(*(lambda asked, side=side: Reply(content=FORM % side) for side in ("yes", "no")))  # type: ignore[misc]
    kept, models = tmp_path / "replies.jsonl", model.session().models
    first = measured(WeighProgram(), BARE[:2], judge, Endpoints.of(WeighProgram(), models, Replies(kept)))
    again = Endpoints.of(WeighProgram(), models, Replies(kept))
    assert measured(WeighProgram(), BARE[:2], judge, again) == first
    assert (again.task.requests, len(kept.read_text().splitlines())) == (0, 2)
    measured(WeighProgram(), BARE[2:], judge, again)
    assert again.task.requests == 1


def test_many_are_asked_at_once_and_stay_in_order(model: LocalModel) -> None:
    model.choose = lambda asked: lambda one: Reply(content=FORM % ("no" if "Was it?" in str(one.body) else "yes"))
    assert measured(WeighProgram(), BARE, judge, endpoints(model), threads=3).scores == (1.0, 0.0, 1.0)


def test_a_gain_is_certain_where_most_examples_gain() -> None:
    def of(*scores: float) -> Measured:
        return Measured(scores, (), 100)

    low, high = gained(of(*[0.0] * 10, *[1.0] * 10), of(*[1.0] * 20))
    assert 0 < low < 0.5 < high
    low, high = gained(of(*[1.0] * 19, 0.0), of(*[1.0] * 20))
    assert low == 0 < high
