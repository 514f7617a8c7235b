"""Which sentence answers best, and whether it answers at all: the two rules, and the curve they were set by."""

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

PATH = Path(__file__).with_name("calibration.yaml")


def worth(traits: Mapping[str, float]) -> float:
    """What orders sentences: the greater, the likelier it is the one that answers. See agent.prose.fit.traits."""
    return _sum("order", traits)


def likelihood(traits: Mapping[str, float]) -> float:
    """How likely it is, from 0 to 1, that the sentence answers."""
    total = float(_data()["bias"]) + _sum("decision", traits)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def answers(traits: Mapping[str, float]) -> bool:
    """Whether the sentence is given as an answer."""
    return likelihood(traits) >= float(_data()["threshold"])


def is_near(traits: Mapping[str, float]) -> bool:
    """Whether the passage of the worthiest sentence is near enough to the question to be shown at all."""
    return likelihood(traits) >= float(_data()["near"])


def _sum(weights: str, traits: Mapping[str, float]) -> float:
    return sum(float(weight) * traits.get(name, 0.0) for name, weight in _data()[weights].items())


@cache
def _data() -> dict[str, Any]:
    return dict(yaml.safe_load(PATH.read_bytes()))
