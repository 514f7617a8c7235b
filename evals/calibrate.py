"""`python -m evals.calibrate`: fit the weights that order sentences, on the tuning half of the prose goldens and on the
pairs of companies that are not held out, as far as either is held.

Prints the weights of agent/prose/calibration.yaml anew, and of questions that they were not fitted on: how well they order,
and for each worth how many best sentences are given, how many of them with evidence among the first three. Run it after a
change of the traits, of what is embedded or of the goldens; give the result a reading before it is kept. Which sentences
come to be judged depends on the weights that are held: run it again with the new ones.

What the ranker says (`likely`) is not fitted: it was trained on the pairs, and knows them better than other questions. For
the same reason the worths are told of goldens alone.
"""

import os
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
# For regularization, in units of standard deviations.
PENALTY = 3.0
ROUNDS, STEP = 300, 0.05
# The scale of a score: the sum of its weights at usual features is then about 1.
SCALE = 10.0
# Set by hand: a reason for the opposite direction, or another year, is none; the ranker by held-out companies.
BY_HAND = {"way": 0.1, "dated": 0.1, "gives": 0.1, "likely": 0.8}
# How many sentences of a part are judged, and how many an answer may show.
JUDGED, SHOWN = 40, 3
WORTHS = tuple(round(1.2 + 0.05 * step, 2) for step in range(20))
FOLDS = 5
PAIRS = 1_200


@dataclass(frozen=True)
class Judged:
    """The sentences that may answer one part of a question, best first, and whether each is evidence."""

    question: str
    outcome: str
    trained_on: bool
    traits: Sequence[Mapping[str, float]]
    evidence: Sequence[bool]


def parts() -> list[Judged]:
    """Every part of every question that can be fitted on."""
    from agent.prose.extract import Extraction
    from agent.steps import pipeline
    from agent.steps.deps import Deps
    from evals import pairs, prose_golden
    from evals.golden import TODAY
    from evals.prose_harness import places, touches

    found: list[Judged] = []
    with listening(Extraction) as read:

        def keep(
            question: str, outcome: str, truths: Sequence[tuple[int, int, int]], trained_on: bool = False
        ) -> None:
            for scores in filter(None, read):
                units = [one.unit for one in scores[:JUDGED]]
                evidence = [touches((unit.passage.section, unit.start, unit.end), truths) for unit in units]
                traits = [one.traits for one in scores[:JUDGED]]
                found.append(Judged(question, outcome, trained_on, traits, evidence))
            read.clear()

        for path in (prose_golden.EDGAR, prose_golden.SAMPLE):
            for golden in prose_golden.read(path, "tune"):
                pipeline.run(golden.question, Deps.current(TODAY))
                keep(golden.id, golden.outcome, [place for truth in golden.truths for place in places(truth)])
        for pair in pairs.sample(held_out=False, most=PAIRS) if pairs.PATH.is_file() else ():
            if shown := pairs.ask(pair):
                keep(
                    f"{pair.accession} {pair.question}", "answered" if shown.truths else "refused", shown.truths, True
                )
    return found


@contextmanager
def listening(extraction: Any) -> Iterator[list[Any]]:
    """The sentences of each part that extraction reads, best first."""
    calls: list[Any] = []
    original = extraction.part

    def part(self: Any, place: int) -> Any:
        calls.append(self.scores(place))
        return original(self, place)

    with mock.patch.object(extraction, "part", part):
        yield calls


def worth(traits: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(weight * traits.get(name, 0.0) for name, weight in weights.items())


def order(found: Sequence[Judged], names: Sequence[str]) -> dict[str, float]:
    """The weights that make evidence most likely the highest-scoring sentence: a softmax over each part."""
    known = [one for one in found if any(one.evidence)]
    fitted = [name for name in names if name not in BY_HAND]
    tables = [np.array([[traits.get(name, 0.0) for name in fitted] for traits in one.traits]) for one in known]
    whole = np.concatenate(tables)
    spread = whole.std(0) + 1e-9
    tables = [(table - whole.mean(0)) / spread for table in tables]
    labels = [np.array(one.evidence, dtype=float) for one in known]
    weights = np.zeros(len(fitted))
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for turn in range(1, ROUNDS + 1):
        slope = PENALTY * weights
        for table, label in zip(tables, labels, strict=True):
            share = softmax(table @ weights)
            right = share * label
            slope -= (right / (right.sum() + 1e-12) - share) @ table
        slope /= len(tables)
        # Adam, whose step does not depend on the gradient's scale.
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= STEP * (first / (1 - 0.9**turn)) / (np.sqrt(second / (1 - 0.99**turn)) + 1e-8)
    raw = weights / spread / SCALE
    return {name: round(float(value), 3) for name, value in zip(fitted, raw, strict=True)} | BY_HAND


def softmax(values: Vector) -> Vector:
    powers = np.exp(values - values.max())
    share: Vector = powers / powers.sum()
    return share


def unseen(found: Sequence[Judged], names: Sequence[str]) -> tuple[dict[str, int], list[dict[str, float]]]:
    """The effect of weights on questions they were not fitted on: the order, and what each threshold gives."""
    questions = list(dict.fromkeys(one.question for one in found))
    fold = {question: place % FOLDS for place, question in enumerate(questions)}
    told: list[tuple[Judged, list[bool], float]] = []
    for turn in range(FOLDS):
        weights = order([one for one in found if fold[one.question] != turn], names)
        for one in found:
            if fold[one.question] == turn and not one.trained_on:
                worths = [worth(traits, weights) for traits in one.traits]
                places = sorted(range(len(worths)), key=lambda place: -worths[place])
                told.append((one, [one.evidence[place] for place in places], max(worths)))
    known = [evidence for _, evidence, _ in told if any(evidence)]
    ranked = {
        "parts": len(known),
        "first": sum(evidence[0] for evidence in known),
        "first_three": sum(any(evidence[:SHOWN]) for evidence in known),
    }
    curve = []
    for least in WORTHS:
        given = [(one, any(evidence[:SHOWN])) for one, evidence, best in told if best >= least]
        curve.append(
            {
                "worth": least,
                "given": sum(right for one, right in given if one.outcome == "answered"),
                "given_wrong": sum(not right for one, right in given if one.outcome == "answered"),
                "undue": len({one.question for one, _ in given if one.outcome == "refused"}),
            }
        )
    return ranked, curve


def main() -> None:
    from agent.prose.calibration import PATH

    names = list(yaml.safe_load(PATH.read_bytes())["order"])
    found = parts()
    ranked, curve = unseen(found, names)
    new = {"order": order(found, names), "ranked": ranked, "curve": curve}
    yaml.safe_dump(new, sys.stdout, sort_keys=False, default_flow_style=None)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    main()
