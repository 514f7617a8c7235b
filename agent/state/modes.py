"""Answer modes of runs with a model: rounds, length of a draft, and the score that ends a run."""

from dataclasses import dataclass
from enum import StrEnum


class Mode(StrEnum):
    """How much work a language model may do for a question. Without a model, the mode has no effect."""

    DIRECT = "direct"
    STANDARD = "standard"
    DETAILED = "detailed"
    DEEP_SEARCH = "deep_search"

    @property
    def label(self) -> str:
        """The mode's name to show, such as "Deep search"."""
        return self.value.replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one mode. draft_tokens: most tokens of a draft. threshold: overall score (0 to 1) that ends a run."""

    iterations: int
    draft_tokens: int
    threshold: float


LIMITS = {
    Mode.DIRECT: Limits(2, 2_000, 0.70),
    Mode.STANDARD: Limits(3, 6_000, 0.80),
    Mode.DETAILED: Limits(4, 16_000, 0.90),
    Mode.DEEP_SEARCH: Limits(10, 20_000, 0.95),
}
# The modes that a plan chooses from; the asker may choose others.
PLANNED = (Mode.DIRECT, Mode.STANDARD, Mode.DETAILED)
_DOWN = {Mode.DEEP_SEARCH: Mode.DETAILED, Mode.DETAILED: Mode.STANDARD, Mode.STANDARD: Mode.DIRECT}


def below(mode: Mode) -> Mode | None:
    """The next cheaper mode; None below `direct`, where no model is asked."""
    return _DOWN.get(mode)
