"""A program's version changes with whatever a model is told, and with nothing else."""

from pathlib import Path
from typing import Any

import dspy
import pytest

from tests.agent.programs.asked import Verdict, WeighProgram


def demo(question: str = "Is it so?") -> dspy.Example:
    return dspy.Example(question=question, verdict=Verdict(side="yes", echo="so")).with_inputs("question")


def test_a_version_is_the_same_for_the_same_program() -> None:
    assert WeighProgram().version == WeighProgram().version
    assert len(WeighProgram().version) == 12


def with_demo(program: WeighProgram) -> None:
    program.predict.demos = [demo()]


def with_instructions(program: WeighProgram) -> None:
    program.predict.signature = program.predict.signature.with_instructions("Weigh it well.")


def with_description(program: WeighProgram) -> None:
    program.predict.signature = program.predict.signature.with_updated_fields("question", desc="another")


def with_type(program: WeighProgram) -> None:
    program.predict.signature = program.predict.signature.with_updated_fields("verdict", type_=str)


def with_artefact(program: WeighProgram) -> None:
    program.artefact = "0123"


@pytest.mark.parametrize("change", [with_demo, with_instructions, with_description, with_type, with_artefact])
def test_a_version_changes_with_what_a_model_is_told(change: Any) -> None:
    changed = WeighProgram()
    change(changed)
    assert changed.version != WeighProgram().version
    again = WeighProgram()
    change(again)
    assert again.version == changed.version


def test_a_program_without_an_artefact_is_itself(tmp_path: Path) -> None:
    assert WeighProgram().load_compiled(tmp_path).version == WeighProgram().version
