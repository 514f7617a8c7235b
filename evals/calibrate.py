"""`python -m evals.calibrate`: fit the weights that order sentences, on the tuning half of the prose goldens and on the
pairs of companies that are not held out, as far as either is held.

Prints the weights of agent/prose/ranking/calibration.yaml anew, and how well they order questions that they were not
fitted on. Run it after a change of the traits, of what is embedded or of the goldens; give the result a reading before it
is kept. Which sentences come to be judged depends on the weights that are held: run it again with the new ones.

What the ranker says (`likely`) is not fitted: it was trained on the pairs, and knows them better than other questions.

`python -m evals.calibrate answers`: from which worth on a sentence is called an answer, by kind of question, from readers'
judgements of answers on companies that nothing was trained on (judged_answers.jsonl). Each company's answers are judged by
the worth that the others give. Writes evals/reports/answers.md, and prints what calibration.yaml should say.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import django
import numpy as np
import yaml
from numpy.typing import NDArray

from diligence.statistics import Share
from evals import markdown

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
FOLDS = 5
# Of answers given, so many must be on point on companies left out, and so many must have been given to know it.
ON_POINT, FEWEST = 0.9, 8
# What changed and why is called an answer whatever its worth.
CHANGE = "change"
JUDGED_ANSWERS = Path(__file__).with_name("judged_answers.jsonl")
REPORT = Path(__file__).with_name("reports") / "answers.md"
PAIRS = 1_200
TOLD = """# When a sentence is called an answer

Readers judged what would be quoted without a model, on companies that nothing was trained on; a sentence that only
touches the question counts as beside the point. A kind of question is answered where {least} are on point on
companies left out: each is judged by the worth that the others give. `python -m evals.calibrate answers`.

{table}

Lists are given by the filing's own headings (agent/prose/answers/listing.py), whatever the worth. So is why a measure
changed, by the sentence that states the change with its cause (agent/prose/answers/causes.py):
{changes} on point, of {companies} companies. Its rules were set on some of these filings, not by these readers.
"""


@dataclass(frozen=True)
class Judged:
    """The sentences that may answer one part of a question, best first, and whether each is evidence."""

    question: str
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

        def keep(question: str, truths: Sequence[tuple[int, int, int]], trained_on: bool = False) -> None:
            for scores in filter(None, read):
                units = [one.unit for one in scores[:JUDGED]]
                evidence = [touches((unit.passage.section, unit.start, unit.end), truths) for unit in units]
                traits = [one.traits for one in scores[:JUDGED]]
                found.append(Judged(question, trained_on, traits, evidence))
            read.clear()

        for path in (prose_golden.EDGAR, prose_golden.SAMPLE):
            for golden in prose_golden.read(path, "tune"):
                pipeline.run(golden.question, Deps.current(TODAY))
                keep(golden.id, [place for truth in golden.truths for place in places(truth)])
        for pair in pairs.sample(PAIRS) if pairs.PATH.is_file() else ():
            if (truths := pairs.ask(pair)) is not None:
                keep(f"{pair.accession} {pair.question}", truths, True)
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


def unseen(found: Sequence[Judged], names: Sequence[str]) -> dict[str, int]:
    """How well weights order questions they were not fitted on."""
    questions = list(dict.fromkeys(one.question for one in found))
    fold = {question: place % FOLDS for place, question in enumerate(questions)}
    known: list[list[bool]] = []
    for turn in range(FOLDS):
        weights = order([one for one in found if fold[one.question] != turn], names)
        for one in found:
            if fold[one.question] == turn and not one.trained_on and any(one.evidence):
                worths = [worth(traits, weights) for traits in one.traits]
                places = sorted(range(len(worths)), key=lambda place: -worths[place])
                known.append([one.evidence[place] for place in places])
    return {
        "parts": len(known),
        "first": sum(evidence[0] for evidence in known),
        "first_three": sum(any(evidence[:SHOWN]) for evidence in known),
    }


@dataclass(frozen=True)
class Answered:
    """A sentence that would be called an answer: its worth, 0 where that does not decide, and whether a reader found it on
    point.
    """

    company: str
    kind: str
    worth: float
    on_point: bool


def judgements(path: Path = JUDGED_ANSWERS) -> dict[str, list[Answered]]:
    """The judged answers by kind of question. "partly" counts as beside the point."""
    found: dict[str, list[Answered]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        one = Answered(row["company"], row["kind"], row.get("worth", 0.0), row["on_point"] == "yes")
        found[one.kind].append(one)
    return dict(sorted(found.items()))


def least_worth(judged: Sequence[Answered]) -> float | None:
    """The least worth from which on enough answers are on point; None where there is none."""
    for least in sorted({one.worth for one in judged}):
        above = [one.on_point for one in judged if one.worth >= least]
        if len(above) >= FEWEST and sum(above) >= ON_POINT * len(above):
            return least
    return None


def left_out(judged: Sequence[Answered]) -> Share:
    """How many answers of each company are on point from the worth on that the other companies give."""
    right = given = 0
    for company in sorted({one.company for one in judged}):
        least = least_worth([one for one in judged if one.company != company])
        above = [one.on_point for one in judged if one.company == company and least is not None and one.worth >= least]
        right, given = right + sum(above), given + len(above)
    return Share(right, given)


def answers() -> dict[str, float]:
    """The worths of the kinds that hold on companies left out, as calibration.yaml keeps them; writes the report."""
    kept: dict[str, float] = {}
    rows = []
    found = judgements()
    changes = found.pop(CHANGE)
    for kind, judged in found.items():
        share, least = left_out(judged), least_worth(judged)
        if least is not None and share.whole >= FEWEST and share.value >= ON_POINT:
            kept[kind] = round(least, 2)
        every = Share(sum(one.on_point for one in judged), len(judged))
        given = markdown.share(share) if share.whole else "none given"
        rows.append((kind, markdown.share(every), given, kept.get(kind, "never")))
    head = ("kind", "on point, of all judged", "on point, companies left out", "answered from worth")
    told = TOLD.format(
        least=f"{ON_POINT:.0%}",
        table="\n".join(markdown.table(head, rows)),
        changes=f"{sum(one.on_point for one in changes)} of {len(changes)}",
        companies=len({one.company for one in changes}),
    )
    REPORT.write_text(told, encoding="utf-8")
    return kept


def main() -> None:
    from agent.prose.text.english import CALIBRATION

    names = list(CALIBRATION.data["order"])
    found = parts()
    new = {"order": order(found, names), "ranked": unseen(found, names)}
    yaml.safe_dump(new, sys.stdout, sort_keys=False, default_flow_style=None)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    if sys.argv[1:] == ["answers"]:
        yaml.safe_dump({"answers": answers()}, sys.stdout, default_flow_style=None)
    else:
        main()
