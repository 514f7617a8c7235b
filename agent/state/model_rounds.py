"""Decisions between the rounds of a run with a model: how good the draft is, and what to search for next."""

from typing import Literal

from pydantic import Field

from agent.state.modes import Mode
from agent.state.references import Record

# Parts of the overall score; accuracy is measured, never asked of the model.
WEIGHTS = {"completeness": 0.35, "specificity": 0.30, "accuracy": 0.25, "clarity": 0.10}

Why = Literal[
    "threshold",
    "sufficient",
    "iterations",
    "no_evaluation",
    "no_phrases",
    "no_passages",
    "refused",
    "judged",
    "unverified",
    "deadline",
    "budget",
    "model",
    "",
]
# Why no further round is made, in sentences for the reader.
STOPPED: dict[str, str] = {
    "threshold": "It is good enough for its mode.",
    "sufficient": "It was judged sufficient.",
    "iterations": "All rounds of its mode are used.",
    "no_evaluation": "It could not be judged, so the verified claims are kept as they are.",
    "no_phrases": "There was nothing new to search for.",
    "no_passages": "A further search found no new passage.",
    "refused": "Neither the passages first found nor further ones answer it.",
    "judged": "The figures are judged beside what was found.",
    "unverified": "What was drafted again could not be verified either.",
    "deadline": "The run ran out of time.",
    "budget": "The run used up its budget.",
    "model": "The model did not answer.",
}


class Evaluation(Record):
    """How well the verified claims of a round answer the question; each part from 0 to 100."""

    iteration: int = 0
    completeness: int = Field(ge=0, le=100)
    specificity: int = Field(ge=0, le=100)
    clarity: int = Field(ge=0, le=100)
    accuracy: float = Field(ge=0, le=100, description="Percentage of the drafted claims that were verified.")
    issues: tuple[str, ...] = ()
    missing_info: tuple[str, ...] = ()
    is_sufficient: bool = False

    @property
    def overall(self) -> float:
        """The score from 0 to 1 that thresholds are compared with."""
        return sum(weight * float(getattr(self, name)) for name, weight in WEIGHTS.items()) / 100


class Phrase(Record):
    """One search: keywords, with the entity and period of the target."""

    target: int
    words: str
    company: str
    period: str
    axis: str = Field(default="", description="Which reading of an ambiguous question it follows.")

    @property
    def text(self) -> str:
        """The search as shown and recorded."""
        return " ".join(filter(None, (self.company, self.words, self.period)))


class Again(Record):
    """A further round of a target with its searches; without phrases only its draft is written again."""

    target: int
    iteration: int = 0
    phrases: tuple[Phrase, ...] = ()
    extract: bool = Field(
        default=False, description="Whether to answer without a model, because none of its claims could be verified."
    )


class Decision(Record):
    """The decision whether to make another round."""

    iteration: int = 0
    again: bool
    score: float | None = Field(default=None, description="Overall score, 0 to 1; None without an evaluation.")
    threshold: float
    why: Why = Field(default="", description="Why there is no further round; empty if there is one.")


class Drafting(Record):
    """A model's draft of one round, before verification."""

    iteration: int = 0
    made: int = Field(description="Number of claims drafted.")
    not_found: tuple[str, ...] = Field(default=(), description="Words of the question for which no passage was found.")
    reviewed: bool = Field(
        default=False, description="Whether the model looked at the passages again after a draft without claims."
    )
    direction: Literal["", "yes", "no", "mixed"] = ""
    passages: int = 0
    read: tuple[int, ...] = Field(default=(), description="Chunks of the passages given to the model.")
    mode: Mode | None = Field(default=None, description="Mode that the budget allowed; None: the planned mode.")
