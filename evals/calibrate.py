"""`python -m evals.calibrate`: fit how sentences are judged, on the tuning half of the prose goldens that are held.

Prints agent/prose/calibration.yaml anew: the weights that order sentences, then, with these, the decision, and what both
do to questions that they were not fitted on. Run it after a change of the traits, of what is embedded or of the goldens;
give the result a reading before it is kept. Which sentences come to be judged depends on the weights that are held: run
it again with the new ones.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
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
# Set by hand: a reason of the other direction, or of another year, is none. Only sentences with a reason come to be
# judged last where one is asked for, but passages are chosen by all.
BY_HAND = {"way": 0.1, "dated": 0.1, "gives": 0.2}
DECIDED_BY = ("worth", "single", "gives")
THRESHOLDS = tuple(round(0.3 + 0.025 * step, 3) for step in range(15))
FOLDS = 5


@dataclass(frozen=True)
class Judged:
    """The sentences that may answer one part of a question, the best first, and whether each is evidence."""

    question: str
    outcome: str
    traits: Sequence[Mapping[str, float]]
    evidence: Sequence[bool]


@dataclass(frozen=True)
class Rule:
    """What is fitted: the weights of worth, and those of the decision with their bias."""

    order: Mapping[str, float]
    decision: Mapping[str, float]
    bias: float

    def best(self, part: Judged) -> tuple[list[int], float]:
        """The places of a part's sentences, the worthiest first, and how likely that one answers."""
        found = [worth(traits, self.order) for traits in part.traits]
        places = sorted(range(len(found)), key=lambda place: -found[place])
        told = {**part.traits[places[0]], "worth": found[places[0]]}
        return places, float(1 / (1 + np.exp(-(self.bias + worth(told, self.decision)))))


def parts() -> tuple[list[Judged], list[Judged]]:
    """Every part of every question of the tuning half: by which sentences its passages are chosen, and which answer."""
    from agent.prose import narrowing
    from agent.prose.extract import Extraction
    from agent.steps import pipeline
    from agent.steps.deps import Deps
    from evals import prose_golden
    from evals.golden import TODAY
    from evals.prose_harness import places, touches

    chosen: list[Judged] = []
    answering: list[Judged] = []
    for path in (prose_golden.EDGAR, prose_golden.SAMPLE):
        for golden in prose_golden.read(path, "tune"):
            truths = [place for truth in golden.truths for place in places(truth)]
            with ExitStack() as stack:
                first = stack.enter_context(results(narrowing, "judged"))
                last = [stack.enter_context(arguments(Extraction, name)) for name in ("explained", "risks")]
                pipeline.run(golden.question, Deps.current(TODAY))
            for kept, calls in ((chosen, first), (answering, [call for taken in last for call in taken])):
                for scores in filter(None, calls):
                    units = [one.unit for one in scores]
                    evidence = [touches((unit.passage.section, unit.start, unit.end), truths) for unit in units]
                    kept.append(Judged(golden.id, golden.outcome, [one.traits for one in scores], evidence))
    return chosen, answering


@contextmanager
def results(owner: Any, name: str) -> Iterator[list[Any]]:
    """What a function gives while a question is asked."""
    calls: list[Any] = []
    original = getattr(owner, name)

    def listening(*args: Any) -> Any:
        calls.append(original(*args))
        return calls[-1]

    with mock.patch.object(owner, name, listening):
        yield calls


@contextmanager
def arguments(owner: Any, name: str) -> Iterator[list[Any]]:
    """The sentences that a method of an extraction is given; a correction is no answer to be judged."""
    calls: list[Any] = []
    original = getattr(owner, name)

    def listening(self: Any, scores: Any, told: Any, place: int, remark: str = "") -> Any:
        if not remark:
            calls.append(scores)
        return original(self, scores, told, place, *([remark] if remark else []))

    with mock.patch.object(owner, name, listening):
        yield calls


def worth(traits: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(weight * traits.get(name, 0.0) for name, weight in weights.items())


def fitted(chosen: Sequence[Judged], answering: Sequence[Judged], names: Sequence[str]) -> Rule:
    weights = order(chosen, names)
    return Rule(weights, *decision(answering, weights))


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


def decision(found: Sequence[Judged], weights: Mapping[str, float]) -> tuple[dict[str, float], float]:
    """Weights and bias of the logistic rule for the worthiest sentence of each part."""
    rows, right = [], []
    for one in found:
        worths = [worth(traits, weights) for traits in one.traits]
        best = int(np.argmax(worths))
        rows.append([{**one.traits[best], "worth": worths[best]}.get(name, 0.0) for name in DECIDED_BY])
        right.append(float(one.evidence[best]))
    table = np.array(rows)
    importance = np.array([UNDUE if one.outcome == "refused" else 1.0 for one in found])
    spread = table.std(0) + 1e-9
    raw = logistic((table - table.mean(0)) / spread, np.array(right), importance)
    scaled = raw[:-1] / spread
    bias = float(raw[-1] - (scaled * table.mean(0)).sum())
    return {name: round(float(value), 3) for name, value in zip(DECIDED_BY, scaled, strict=True)}, round(bias, 3)


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


def unseen(
    chosen: Sequence[Judged], answering: Sequence[Judged], names: Sequence[str]
) -> tuple[dict[str, int], list[dict[str, float]]]:
    """What rules do to the questions that they were not fitted on: how well they order, and the decision's curve."""
    questions = list(dict.fromkeys(one.question for one in chosen))
    fold = {question: place % FOLDS for place, question in enumerate(questions)}
    told: list[tuple[Judged, list[int], float]] = []
    for turn in range(FOLDS):
        rule = fitted(
            *([one for one in found if fold.get(one.question) != turn] for found in (chosen, answering)), names
        )
        told += [(one, *rule.best(one)) for one in answering if fold.get(one.question, 0) == turn]
    known = [[one.evidence[place] for place in places] for one, places, _ in told if any(one.evidence)]
    ranked = {
        "parts": len(known),
        "first": sum(row[0] for row in known),
        "first_three": sum(any(row[:3]) for row in known),
    }
    curve = []
    for threshold in THRESHOLDS:
        given = [(one, one.evidence[places[0]]) for one, places, sure in told if sure >= threshold]
        curve.append(
            {
                "threshold": threshold,
                "given": sum(right for one, right in given if one.outcome == "answered"),
                "given_wrong": sum(not right for one, right in given if one.outcome == "answered"),
                "undue": len({one.question for one, _ in given if one.outcome == "refused"}),
            }
        )
    return ranked, curve


def main() -> None:
    from agent.prose.calibration import PATH

    held = yaml.safe_load(PATH.read_bytes())
    names = list(held["order"])
    chosen, answering = parts()
    rule = fitted(chosen, answering, names)
    ranked, curve = unseen(chosen, answering, names)
    new = {
        "order": dict(rule.order),
        "decision": dict(rule.decision),
        "bias": rule.bias,
        "threshold": held["threshold"],
        "ranked": ranked,
        "curve": curve,
    }
    yaml.safe_dump(new, sys.stdout, sort_keys=False, default_flow_style=None)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    main()
