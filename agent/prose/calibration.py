"""How likely sentences answer: the weights that order them, and the worth from which on they are called an answer."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

PATH = Path(__file__).with_name("calibration.yaml")


def worth(traits: Mapping[str, float]) -> float:
    """What orders sentences: the greater, the likelier it is the one that answers. See agent.prose.fit.traits."""
    return sum(float(weight) * traits.get(name, 0.0) for name, weight in _data()["order"].items())


def answers(best: float) -> bool:
    """Whether sentences are called an answer, by the worth of the first."""
    return best >= float(_data()["answers"])


def is_near(best: float) -> bool:
    """Whether passages are near enough to a question to be shown at all, by the worth of their best sentence."""
    return best >= float(_data()["near"])


@cache
def _data() -> dict[str, Any]:
    return dict(yaml.safe_load(PATH.read_bytes()))
