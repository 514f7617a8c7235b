"""`python -m evals.calibrate`: fit how sentences are judged, on the tuning half of the prose goldens that are held.

Prints agent/prose/calibration.yaml anew: the weights that order sentences, then, with these, the decision and its curve.
Run it after a change of the traits, of what is embedded or of the goldens; give the result a reading before it is kept.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

import django
import numpy as np
import yaml
from numpy.typing import NDArray

Vector = NDArray[np.float64]
# Of weights that are no larger than their worth, in units of standard deviations.
ORDER_PENALTY, DECISION_PENALTY = 6.0, 4.0
ROUNDS, STEP = 300, 0.05
# The scale of a worth: the sum of its weights at usual traits is then about 1.
SCALE = 10.0
# An answer to a question that has none weighs as two missed answers.
UNDUE = 2.0
# Set by hand: a reason of the other direction, or of another year, is none.
BY_HAND = {"way": 0.1, "dated": 0.1}
DECIDED_BY = ("worth", "covered", "own", "cosine", "single")
THRESHOLDS = tuple(round(0.2 + 0.05 * step, 2) for step in range(11))


@dataclass(frozen=True)
class Judged:
    """The sentences judged for one part of a question, the best first.

    evidence: whether each is. usable: whether it may be given at all.
    """

    question: str
    outcome: str
    traits: Sequence[Mapping[str, float]]
    evidence: Sequence[bool]
    usable: Sequence[bool]


def parts(step: Any) -> Iterator[Judged]:
    """Every part of every question of the tuning half, as a step of the pipeline judges its sentences.

    step: the module that calls `judged`: agent.prose.narrowing, of all passages looked at, or agent.prose.extract.
    """
    from agent import pipeline
    from agent.deps import Deps
    from evals import prose_golden
    from evals.golden import TODAY
    from evals.prose_harness import places, touches

    for path in (prose_golden.EDGAR, prose_golden.SAMPLE):
        for golden in prose_golden.read(path, "tune"):
            truths = [place for truth in golden.truths for place in places(truth)]
            with seen(step) as calls:
                pipeline.run(golden.question, Deps.current(TODAY))
            for scores in calls:
                units = [one.unit for one in scores]
                evidence = [touches((unit.passage.section, unit.start, unit.end), truths) for unit in units]
                usable = [one.names and one.traits.get("gives", 1.0) > 0 for one in scores]
                yield Judged(golden.id, golden.outcome, [one.traits for one in scores], evidence, usable)


@contextmanager
def seen(module: Any) -> Iterator[list[Any]]:
    """What is judged while questions are asked."""
    calls: list[Any] = []
    original = module.judged

    def listening(*args: Any) -> Any:
        found = original(*args)
        calls.append(found)
        return found

    with mock.patch.object(module, "judged", listening):
        yield calls


def order(found: Sequence[Judged], names: Sequence[str]) -> dict[str, float]:
    """The weights under which evidence is likeliest to be the worthiest sentence: a softmax over each part."""
    known = [one for one in found if any(one.evidence)]
    tables = [np.array([[traits.get(name, 0.0) for name in names] for traits in one.traits]) for one in known]
    whole = np.concatenate(tables)
    spread = whole.std(0) + 1e-9
    tables = [(table - whole.mean(0)) / spread for table in tables]
    labels = [np.array(one.evidence, dtype=float) for one in known]
    weights = np.zeros(len(names))
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for turn in range(1, ROUNDS + 1):
        slope = ORDER_PENALTY * weights
        for table, label in zip(tables, labels, strict=True):
            share = softmax(table @ weights)
            right = share * label
            slope -= (right / (right.sum() + 1e-12) - share) @ table
        slope /= len(tables)
        # Adam, whose step does not depend on the scale of the slope.
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= STEP * (first / (1 - 0.9**turn)) / (np.sqrt(second / (1 - 0.99**turn)) + 1e-8)
    raw = weights / spread / SCALE
    return {name: BY_HAND.get(name, round(float(value), 3)) for name, value in zip(names, raw, strict=True)}


def softmax(values: Vector) -> Vector:
    powers = np.exp(values - values.max())
    share: Vector = powers / powers.sum()
    return share


def decision(
    found: Sequence[Judged], weights: Mapping[str, float]
) -> tuple[dict[str, float], float, list[dict[str, float]]]:
    """Weights and bias of the logistic rule for the worthiest sentence of each part, and its curve."""
    rows, right = [], []
    for one in found:
        worth = np.array(
            [sum(weight * traits.get(name, 0.0) for name, weight in weights.items()) for traits in one.traits]
        )
        best = int(np.argmax(np.where(one.usable, worth, -np.inf)))
        rows.append({**one.traits[best], "worth": float(worth[best])})
        right.append(float(one.evidence[best]))
    table = np.array([[row[name] for name in DECIDED_BY] for row in rows])
    undue = np.array([one.outcome == "refused" for one in found])
    answered = np.array([one.outcome == "answered" for one in found])
    label = np.array(right)
    spread = table.std(0) + 1e-9
    raw = logistic((table - table.mean(0)) / spread, label, np.where(undue, UNDUE, 1.0))
    scaled = raw[:-1] / spread
    bias = float(raw[-1] - (scaled * table.mean(0)).sum())
    sure = 1 / (1 + np.exp(-(table @ scaled + bias)))
    names = np.array([one.question for one in found])
    curve = [
        {
            "threshold": threshold,
            "given": int(((sure >= threshold) & (label == 1) & answered).sum()),
            "given_wrong": int(((sure >= threshold) & (label == 0) & answered).sum()),
            "undue": len(set(names[undue & (sure >= threshold)])),
        }
        for threshold in THRESHOLDS
    ]
    return (
        {name: round(float(value), 3) for name, value in zip(DECIDED_BY, scaled, strict=True)},
        round(bias, 3),
        curve,
    )


def logistic(table: Vector, label: Vector, importance: Vector) -> Vector:
    """Weights and, last, the bias, by Newton's method."""
    table = np.c_[table, np.ones(len(table))]
    penalty = DECISION_PENALTY * np.eye(table.shape[1])
    penalty[-1, -1] = 1e-9
    weights = np.zeros(table.shape[1])
    for _ in range(40):
        sure = 1 / (1 + np.exp(-table @ weights))
        curvature = (table * (importance * sure * (1 - sure))[:, None]).T @ table + penalty
        weights -= np.linalg.solve(curvature, table.T @ (importance * (sure - label)) + penalty @ weights)
    return weights


def main() -> None:
    from agent.prose import extract, narrowing
    from agent.prose.calibration import PATH

    held = yaml.safe_load(PATH.read_bytes())
    weights = order([one for one in parts(narrowing) if one.traits], list(held["order"]))
    decided, bias, curve = decision([one for one in parts(extract) if any(one.usable)], weights)
    new = {"order": weights, "decision": decided, "bias": bias, "threshold": held["threshold"], "curve": curve}
    yaml.safe_dump(new, sys.stdout, sort_keys=False, default_flow_style=None)


if __name__ == "__main__":
    django.setup()
    main()
