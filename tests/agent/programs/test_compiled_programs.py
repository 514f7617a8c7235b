"""What was compiled is loaded where it fits its program; what does not fit is told and left."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dspy
import pytest
from pydantic import ValidationError

from agent.programs import catalogue, compiled_programs
from agent.programs.calls import ask
from agent.programs.compiled_programs import Artefact
from tests.agent.programs.asked import Verdict, WeighProgram
from tests.support.model_server import LocalModel


SCORES = {"before": 0.5, "after": 0.9, "gain": (0.2, 0.6), "tokens": (900, 1200), "models": ("one",)}


def compiled(question: str = "What was compiled?") -> WeighProgram:
    program = WeighProgram()
    program.predict.demos = [dspy.Example(question=question, verdict=Verdict(side="yes", echo="so"))]
    return program


def artefact(program: WeighProgram, **changes: Any) -> Artefact:
    told = {
        "program": program.name,
        "signature": compiled_programs.of_signature(program.signature),
        "optimizer": "LabeledFewShot",
        "packages": compiled_programs.packages(),
        "training": compiled_programs.example_set(["a", "b"]),
        "development": compiled_programs.example_set([]),
        "scores": SCORES,
        "state": compiled_programs.state_of(program.predict),
    }
    return Artefact(**told | changes)


def test_what_was_compiled_is_told_and_changes_no_model(tmp_path: Path, model: LocalModel) -> None:
    made = compiled()
    made.predict.lm = dspy.LM("openai/elsewhere", api_base="http://127.0.0.1:9")
    compiled_programs.write(artefact(made), tmp_path)
    program = WeighProgram().load_compiled(tmp_path)
    assert program.artefact
    assert program.version not in {made.version, WeighProgram().version}
    assert ask(model.session(), program, question="And now?").verdict.side == "yes"
    contents = [message["content"] for message in model.requests[0][1]["messages"]]
    assert any("What was compiled?" in content for content in contents)
    assert "elsewhere" not in (tmp_path / "weigh.json").read_text()


def test_other_instructions_are_told(tmp_path: Path, model: LocalModel) -> None:
    made = WeighProgram()
    made.predict.signature = made.predict.signature.with_instructions("Weigh it twice.")
    compiled_programs.write(artefact(made), tmp_path)
    ask(model.session(), WeighProgram().load_compiled(tmp_path), question="And now?")
    assert "Weigh it twice." in model.requests[0][1]["messages"][0]["content"]


def test_a_version_names_what_was_loaded(tmp_path: Path) -> None:
    versions = set()
    for question in ("One?", "Another?"):
        compiled_programs.write(artefact(compiled(question)), tmp_path)
        versions.add(WeighProgram().load_compiled(tmp_path).version)
    assert len(versions) == 2


def with_state(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda told: told["state"].update(changes)


MISFITS: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "another program": (lambda told: told.update(program="draft"), "is compiled for draft, not for weigh"),
    "another signature": (lambda told: told.update(signature="0" * 12), "other instructions or fields of weigh"),
    "another major version": (
        lambda told: told["packages"].update(dspy="2.6.0"),
        "compiled with dspy 2.6.0; installed is 3.",
    ),
    "an unknown version": (lambda told: told.update(packages={}), "compiled with dspy none"),
    "a field more": (lambda told: told.update(note="x"), "is no artefact"),
    "no state": (lambda told: told.pop("state"), "is no artefact"),
    "a model in its state": (with_state(lm={"model": "openai/elsewhere"}), "its state holds"),
    "scores without a model": (
        lambda told: told.update(scores=SCORES | {"models": ()}),
        "is no artefact",
    ),
    "a demonstration of another form": (
        with_state(demos=[{"question": "q", "verdict": {"side": "maybe", "echo": "x"}}]),
        "a demonstration that weigh could not give",
    ),
    "a demonstration with a field of none": (
        with_state(demos=[{"question": "q", "verdict": {"side": "yes", "echo": "x"}, "case": "y"}]),
        "no field is called case",
    ),
}


@pytest.mark.parametrize("name", MISFITS)
def test_what_does_not_fit_is_told_and_left(name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    change, said = MISFITS[name]
    told = json.loads(artefact(compiled()).text)
    change(told)
    (tmp_path / "weigh.json").write_text(json.dumps(told))
    program = WeighProgram().load_compiled(tmp_path)
    assert program.version == WeighProgram().version
    assert program.predict.demos == []
    assert said in caplog.text
    assert "weigh runs without what was compiled for it" in caplog.text


def test_what_is_not_json_is_told_and_left(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "weigh.json").write_text("{")
    assert WeighProgram().load_compiled(tmp_path).version == WeighProgram().version
    assert "weigh.json is no artefact" in caplog.text


def test_an_artefact_has_scores_and_demonstrations_that_pay() -> None:
    program = compiled()
    with pytest.raises(ValidationError, match="scores"):
        artefact(program, scores=None)
    lost = SCORES | {"gain": (-0.1, 0.4)}
    with pytest.raises(ValidationError, match="do not pay for their tokens"):
        artefact(program, scores=lost)
    assert artefact(WeighProgram(), scores=lost).scores.pays is False


def test_the_digest_of_a_set_is_of_its_members() -> None:
    assert compiled_programs.example_set(["a", "b"]) == compiled_programs.example_set(["b", "a"])
    assert compiled_programs.example_set(["a", "b"]) != compiled_programs.example_set(["a", "c"])


def test_what_is_kept_here_fits_its_program() -> None:
    """After a change of a signature: manage.py compile_programs."""
    assert catalogue.misfits() == []
    for path in compiled_programs.COMPILED.glob("*.json"):
        assert catalogue.programs()[path.stem].artefact
        assert compiled_programs.read(path).text == path.read_text(encoding="utf-8")


def test_every_program_is_in_the_catalogue() -> None:
    from agent.programs.program import Program

    named = {one.name for one in Program.__subclasses__() if one.__module__.startswith("agent.")} - {"ready"}
    assert set(catalogue.versions()) == named
