"""What the rounds of a run with a model decide: how good a draft is, what is searched next, which draft ships."""

from typing import Literal

from pydantic import Field

from agent.planned import Record

# Parts of an evaluation that the overall score is made of; accuracy is measured, never asked.
WEIGHTS = {"completeness": 0.35, "specificity": 0.30, "accuracy": 0.25, "clarity": 0.10}

Why = Literal[
    "threshold",
    "sufficient",
    "iterations",
    "no_evaluation",
    "no_phrases",
    "no_passages",
    "deadline",
    "budget",
    "model",
    "",
]
# Why no further round is made, as a reader is told.
STOPPED: dict[str, str] = {
    "threshold": "It is good enough for its mode.",
    "sufficient": "It was judged sufficient.",
    "iterations": "The rounds of its mode are used up.",
    "no_evaluation": "It could not be judged, so what is verified stands as it is.",
    "no_phrases": "There was nothing new to search for.",
    "no_passages": "A further search brought no new passage.",
    "deadline": "The time of the run was used up.",
    "budget": "The budget of the run was used up.",
    "model": "The model did not answer.",
}


class Evaluation(Record):
    """How good one draft is, each part from 0 to 100."""

    target: int
    iteration: int = 0
    completeness: int = Field(ge=0, le=100)
    specificity: int = Field(ge=0, le=100)
    clarity: int = Field(ge=0, le=100)
    accuracy: float = Field(ge=0, le=100, description="100 x verified / drafted claims, before any was dropped.")
    issues: tuple[str, ...] = ()
    missing: tuple[str, ...] = Field(default=(), description="What the answer does not tell.")
    suggestions: tuple[str, ...] = ()
    sufficient: bool = False

    @property
    def overall(self) -> float:
        """From 0 to 1."""
        return sum(weight * float(getattr(self, name)) for name, weight in WEIGHTS.items()) / 100


class Phrase(Record):
    """Words to search for, not a question."""

    text: str
    entity: str = Field(default="", description="The company it concerns, in the question's words.")
    period: str = ""


class FollowUp(Record):
    """What is searched in the round that follows."""

    target: int
    iteration: int = Field(default=0, description="The round in which it is searched.")
    phrases: tuple[Phrase, ...]


class Decision(Record):
    """Whether a target gets another round."""

    target: int
    iteration: int = 0
    again: bool
    score: float | None = Field(default=None, description="Overall, 0 to 1; None without an evaluation.")
    why: Why = Field(default="", description="Why there is no other round.")
