"""Small programs that tests ask, and what came of it."""

from typing import Any, Literal

import dspy
import pytest
from pydantic import BaseModel, ConfigDict

from agent.programs.calls import ModelFailed, Session, ask
from agent.programs.program import Program

QUESTION = "Is the confidential question answered?"


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    side: Literal["yes", "no"]
    echo: str


class Weigh(dspy.Signature):  # type: ignore[misc]
    """Weigh a question."""

    question: str = dspy.InputField(desc="what is asked")
    verdict: Verdict = dspy.OutputField(desc="the verdict")


class WeighProgram(Program):
    name = "weigh"
    role = "plan"
    signature = Weigh


class DraftingProgram(Program):
    name = "weigh_draft"
    role = "draft"
    signature = Weigh


class Faulty(WeighProgram):
    """A program with an error of ours in it."""

    def forward(self, **inputs: Any) -> dspy.Prediction:
        raise KeyError("a bug")


YES = {"side": "yes", "echo": "all is well"}


def failure(session: Session, program: Program | None = None) -> ModelFailed:
    """How a program fails that is asked in a session."""
    with pytest.raises(ModelFailed) as caught:
        ask(session, program or WeighProgram(), question=QUESTION)
    return caught.value


def outcomes(session: Session) -> list[str]:
    return [call.outcome for call in session.calls]
