"""Examples of a program in two sets that share none: which golden is in which is decided by its id alone."""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import dspy

from agent.programs.compiled_programs import ExampleSet, example_set
from agent.programs.program import Program
from agent.programs.scores import Judge
from evals.golden import FOLDER

LABELS = FOLDER / "labels.jsonl"


@dataclass(frozen=True)
class Task:
    """A program with its examples, of which each has an `id`, and the judge of its replies.

    shorten: what of the inputs of an example a demonstration keeps, so that prompts stay small.
    """

    program: Callable[[], Program]
    examples: tuple[dspy.Example, ...]
    judge: Judge
    shorten: Callable[[dspy.Example], dspy.Example]

    @property
    def training(self) -> list[dspy.Example]:
        """Those with a label first, in the order of the labels."""
        found = [one for one in self.examples if is_training(one.golden)]
        return sorted(found, key=lambda one: one.get("place", math.inf))

    @property
    def development(self) -> list[dspy.Example]:
        return [one for one in self.examples if not is_training(one.golden)]


def is_training(golden: str) -> bool:
    """Whether the examples of a golden are trained on: half of them are, by the hash of the id."""
    return int(hashlib.sha256(golden.encode()).hexdigest(), 16) % 2 == 0


def set_of(examples: Sequence[dspy.Example]) -> ExampleSet:
    return example_set([example.id for example in examples])


@cache
def labels() -> tuple[dict[str, Any], ...]:
    """What a program should reply to some goldens, written by hand; each with its place."""
    lines = LABELS.read_text(encoding="utf-8").splitlines()
    return tuple({**json.loads(line), "place": place} for place, line in enumerate(lines))


def labels_of(program: str) -> dict[str, dict[str, Any]]:
    """The labels of a program by their goldens. Raises ValueError for one that is not trained on."""
    found = {label["golden"]: label for label in labels() if label["program"] == program}
    if strays := [golden for golden in found if not is_training(golden)]:
        raise ValueError(f"{LABELS.name}: {', '.join(strays)} are in the development set.")
    return found
