"""Whether the best sentence found answers: the one rule, and the curve it was set by."""

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

PATH = Path(__file__).with_name("calibration.yaml")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of the best sentence for one part of a question.

    covered, own, missing: as agent.prose.scoring.Score. cosine: of its passage, 0 where meaning was not searched.
    lexical, dense: 1/rank of its passage in these lists, 0 where it is in none. heading: how much of the nearest heading
    the question names. terms: how many words the question is looked for by. fit: the adjustment of the form.
    """

    covered: float
    own: float
    missing: float
    cosine: float
    lexical: float
    dense: float
    heading: float
    terms: int
    fit: float

    def features(self) -> dict[str, float]:
        return {
            "covered": self.covered,
            "own": self.own,
            "missing": self.missing,
            "cosine": self.cosine,
            "lexical": self.lexical,
            "dense": self.dense,
            "heading": self.heading,
            "single": float(self.terms <= 1),
            "fit": self.fit,
        }


def likelihood(evidence: Evidence) -> float:
    """How likely it is, from 0 to 1, that the sentence answers."""
    data = _data()
    weights = data["weights"]
    total = float(data["bias"]) + sum(weights[name] * value for name, value in evidence.features().items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def answers(evidence: Evidence) -> bool:
    """Whether the sentence is given as an answer."""
    return likelihood(evidence) >= float(_data()["threshold"])


@cache
def _data() -> dict[str, Any]:
    return dict(yaml.safe_load(PATH.read_bytes()))
