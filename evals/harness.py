"""Asks goldens through the real pipeline and compares the results with what is expected."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from agent.state import Answer, Cell, FactRef
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.precheck import problem_with
from diligence.statistics import Share
from evals.golden import TODAY, Golden


class Verdict(StrEnum):
    """How a result compares with its golden."""

    EXACT = "exact"
    WRONG = "wrong"
    WRONG_REFUSAL = "wrong refusal"
    RIGHT_REFUSAL = "right refusal"
    ANSWERED_UNDUE = "answered where a refusal was due"


@dataclass(frozen=True)
class Result:
    """One golden and its result."""

    golden: Golden
    outcome: str
    code: str
    found: tuple[Cell, ...]
    verdict: Verdict
    ms: float
    answer: Answer | None = None  # None for a question refused before it is asked

    @property
    def code_right(self) -> bool:
        return self.code in self.golden.codes

    @property
    def readings(self) -> int:
        """How many readings an answer has; parts of a company and their years are asked together and count once."""
        at = {(value.pointer.dimensions, value.pointer.end) for value in self.golden.values}
        return len(self.found) - (len(at) - 1 if any(dimensions for dimensions, _ in at) else 0)


def run(goldens: Iterable[Golden]) -> Iterator[Result]:
    """Ask every golden in turn."""
    for golden in goldens:
        started, answer = time.perf_counter(), None
        if code := problem_with(golden.question):
            outcome, given, found, beside = "error", str(code), (), ()
        else:
            answer = pipeline.answer(golden.question, Deps.current(TODAY))
            (outcome, given), found, beside = came_to(answer), asserted(answer), readings_beside(answer)
        ms = (time.perf_counter() - started) * 1000
        yield Result(golden, outcome, given, found, judge(golden, outcome, found, beside), ms, answer)


def asserted(answer: Answer) -> tuple[Cell, ...]:
    """Every number that an answer asserts."""
    return tuple(cell for block in answer.blocks if block.table for cell in block.table.asserted)


def readings_beside(answer: Answer) -> tuple[Cell, ...]:
    """Every number that an answer shows beside those it asserts, as another reading of the question."""
    return tuple(cell for block in answer.blocks if block.table for cell in block.table.cells if cell.alternative)


def came_to(answer: Answer) -> tuple[str, str]:
    """The outcome and refusal code, also where passages stand beside the refusal."""
    return ("refused" if answer.refusal_code else answer.outcome), answer.refusal_code


def judge(golden: Golden, outcome: str, found: tuple[Cell, ...], beside: tuple[Cell, ...] = ()) -> Verdict:
    """Exact only when every expected number is there, and no other is asserted but a subtotal that is the sum of some;
    other readings stand beside it.
    """
    if golden.outcome == "answered":
        if outcome != "answered":
            return Verdict.WRONG_REFUSAL
        due = [(value.value, value.unit) for value in golden.values if not value.beside]
        left, shown = Counter(due), {(one.value, one.unit) for one in beside}
        left.subtract((one.value, one.unit) for one in found if one.value is not None and not is_sum(one, due))
        also = all((value.value, value.unit) in shown for value in golden.values if value.beside)
        return Verdict.EXACT if also and not any(left.values()) else Verdict.WRONG
    if outcome == "answered":
        return Verdict.ANSWERED_UNDUE
    return Verdict.RIGHT_REFUSAL if outcome == golden.outcome else Verdict.WRONG_REFUSAL


def is_sum(cell: Cell, due: Sequence[tuple[Decimal, str]]) -> bool:
    """Whether a subtotal that is not due itself is the sum of values that are due one after another."""
    values = [value for value, _ in due]
    runs = (sum(values[first:last]) for first in range(len(due)) for last in range(first + 2, len(due) + 1))
    return cell.role == "subtotal" and (cell.value, cell.unit) not in due and cell.value in runs


@dataclass(frozen=True)
class Tally:
    """The counts of one half."""

    half: str
    results: tuple[Result, ...]
    broken: tuple[str, ...]

    def of(self, *verdicts: Verdict) -> list[Result]:
        return [result for result in self.results if result.verdict in verdicts]

    @property
    def numeric(self) -> list[Result]:
        return [result for result in self.results if result.golden.outcome == "answered"]

    @property
    def refusals(self) -> list[Result]:
        return [result for result in self.results if result.golden.outcome != "answered"]

    @property
    def answered(self) -> Share:
        """Answerable questions that were answered exactly."""
        return Share(len(self.of(Verdict.EXACT)), len(self.numeric))

    @property
    def right_codes(self) -> Share:
        return Share(sum(result.code_right for result in self.refusals), len(self.refusals))

    @property
    def two_readings(self) -> Share:
        answers = [result for result in self.results if result.outcome == "answered"]
        return Share(sum(result.readings > 1 for result in answers), len(answers))

    def failures(self, whole: bool = True) -> list[str]:
        """The gates that this half fails; for a subset, only those that no single question may break."""
        gates = {
            "a wrong number": not self.of(Verdict.WRONG),
            "a number that SEC's file does not hold": not self.broken,
            "an answer where a refusal was due": not self.of(Verdict.ANSWERED_UNDUE),
        }
        shares = {
            "under 97 % of answerable questions answered": self.answered.value >= 0.97,
            "under 95 % of refusal codes right": self.right_codes.value >= 0.95,
            "over 5 % of answers with two readings": self.two_readings.value <= 0.05,
        }
        return [name for name, met in (gates | (shares if whole else {})).items() if not met]


class Source(Protocol):
    """The SEC's own data: companyfacts files, or the filings."""

    def has(self, fact: FactRef) -> bool: ...


def tally(half: str, results: Iterable[Result], source: Source) -> Tally:
    """The counts of a half, with the tripwire: every asserted number must be in the SEC's own file."""
    results = tuple(result for result in results if result.golden.half == half)
    broken = tuple(
        f"{result.golden.id}: {fact.name} {fact.raw} of {fact.accession}"
        for result in results
        for found in result.found
        for fact in found.facts
        if not source.has(fact)
    )
    return Tally(half, results, broken)
