"""How likely sentences answer: the weights that order them, and the worth from which on they are called an answer."""

from collections.abc import Mapping
from functools import cache

from agent.prose.text.english import CALIBRATION


def worth(traits: Mapping[str, float]) -> float:
    """What orders sentences: the greater, the likelier it answers. See agent.prose.ranking.scoring.traits."""
    return sum(weight * traits.get(name, 0.0) for name, weight in _order())


@cache
def _order() -> tuple[tuple[str, float], ...]:
    return tuple((name, float(weight)) for name, weight in CALIBRATION.data["order"].items())


def answers(best: float, kind: str) -> bool:
    """Whether sentences are called an answer to a kind of question (agent.prose.search.topics.kind_of), by the first's worth.

    Never where nothing was measured that holds on companies not seen.
    """
    least = CALIBRATION.data["answers"].get(kind)
    return least is not None and best >= float(least)


def is_likely(best: float) -> bool:
    """Whether a sentence answers so probably that no other document is searched, by its worth."""
    return best >= float(CALIBRATION.data["likely"])


def is_near(best: float) -> bool:
    """Whether passages are near enough to a question to be shown at all, by the worth of their best sentence."""
    return best >= float(CALIBRATION.data["near"])
