"""Asks goldens through the real pipeline and compares the results with what is expected."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from agent.state import Answer, Cell, FactRef
from agent.steps.precheck import problem_with
from diligence.statistics import Share
from evals.gates import Gate, Tally
from evals.golden import Golden
from evals.runner import Used, ask


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
    used: Used | None = None

    @property
    def right(self) -> bool:
        return self.verdict in (Verdict.EXACT, Verdict.RIGHT_REFUSAL)

    @property
    def missed(self) -> str:
        due = self.golden.outcome
        if self.right and (due == "answered" or self.code_right):
            return ""
        values = [str(one.value) for one in self.found]
        said = f"{self.outcome} {self.code} {values}, due {due} {self.golden.codes}"
        return f"{self.verdict}: {self.golden.question!r} -> {said}"

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
    return (asked(golden, offers=True) for golden in goldens)


def asked(golden: Golden, *, models: bool = False, offers: bool = False) -> Result:
    """Ask one golden."""
    if code := problem_with(golden.question):
        return Result(golden, "error", str(code), (), judge(golden, "error", ()), 0.0)
    one = ask(golden.question, models=models, offers=offers)
    (outcome, given), found, beside = came_to(one.answer), asserted(one.answer), readings_beside(one.answer)
    return Result(golden, outcome, given, found, judge(golden, outcome, found, beside), one.ms, one.answer, one.used)


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


class Source(Protocol):
    """The SEC's own data: companyfacts files, or the filings."""

    def has(self, fact: FactRef) -> bool: ...


def is_sum(cell: Cell, due: Sequence[tuple[Decimal, str]]) -> bool:
    """Whether a subtotal that is not due itself is the sum of values that are due one after another."""
    values = [value for value, _ in due]
    runs = (sum(values[first:last]) for first in range(len(due)) for last in range(first + 2, len(due) + 1))
    return cell.role == "subtotal" and (cell.value, cell.unit) not in due and cell.value in runs


@dataclass(frozen=True)
class NumberTally(Tally[Result]):
    """The results of one half, and the source of the tripwire: every asserted number must be in the SEC's own file."""

    source: Source

    def of(self, verdict: Verdict) -> int:
        return sum(result.verdict is verdict for result in self.results)

    @property
    def numeric(self) -> int:
        return sum(result.golden.outcome == "answered" for result in self.results)

    @property
    def refusals(self) -> list[Result]:
        return [result for result in self.results if result.golden.outcome != "answered"]

    @property
    def exact(self) -> Share:
        """Answerable questions that were answered exactly."""
        return Share(self.of(Verdict.EXACT), self.numeric)

    @property
    def wrong(self) -> Share:
        return Share(self.of(Verdict.WRONG), self.numeric)

    @property
    def right_codes(self) -> Share:
        return Share(sum(result.code_right for result in self.refusals), len(self.refusals))

    @property
    def two_readings(self) -> Share:
        answers = [result for result in self.results if result.outcome == "answered"]
        return Share(sum(result.readings > 1 for result in answers), len(answers))

    @property
    def not_held(self) -> Share:
        """Facts of asserted numbers that the SEC's file does not hold."""
        facts = [fact for result in self.results for found in result.found for fact in found.facts]
        return Share(sum(not self.source.has(fact) for fact in facts), len(facts))


GATES = (
    Gate("exact", lambda tally: tally.exact, 0.97),
    Gate("wrong numbers", lambda tally: tally.wrong, 0, is_most=True),
    Gate("numbers that SEC's file does not hold", lambda tally: tally.not_held, 0, is_most=True),
    Gate(
        "answered where a refusal was due",
        lambda tally: Share(tally.of(Verdict.ANSWERED_UNDUE), len(tally.refusals)),
        0,
        is_most=True,
    ),
    Gate("refusal code right", lambda tally: tally.right_codes, 0.95),
    Gate("answers with two readings", lambda tally: tally.two_readings, 0.05, is_most=True),
    Gate("right refusals", lambda tally: Share(tally.of(Verdict.RIGHT_REFUSAL), len(tally.refusals))),
    Gate("wrong refusals", lambda tally: Share(tally.of(Verdict.WRONG_REFUSAL), len(tally.results))),
)
