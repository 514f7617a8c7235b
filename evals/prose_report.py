"""The results of the prose goldens, and their gates."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from diligence.statistics import Share
from evals.prose_harness import ProseResult, ProseTally


@dataclass(frozen=True)
class Gate:
    """A share that a half must reach: its goal, and the value it is held at while below the goal."""

    name: str
    measure: Callable[[ProseTally], Share]
    goal: float
    held: float | None = None

    @property
    def due(self) -> float:
        return self.goal if self.held is None else self.held

    def line(self, tally: ProseTally, whole: bool = True) -> str:
        share = self.measure(tally)
        if not share.whole or share.value >= self.goal:
            word = "met"
        elif tally.half == "tune" or not whole:
            word = "short of its goal"
        else:
            word = "FAILS" if self.fails(tally) else f"short of its goal, held at {self.due:.1%}"
        return f"  {self.name:44} {share}  goal {self.goal:.0%}  {word}"

    def fails(self, tally: ProseTally) -> bool:
        share = self.measure(tally)
        return bool(share.whole) and share.value < self.due


def gates(held: Sequence[float | None]) -> tuple[Gate, ...]:
    """The gates of a corpus. held: for each, the value measured on the check half, rounded down; None: the goal."""
    goals: tuple[tuple[str, Callable[[ProseTally], Share], float], ...] = (
        ("claims that the filing says", lambda tally: tally.claims, 1.0),
        ("unanswerable questions with nothing asserted", lambda tally: tally.unasserted, 0.97),
        ("false premises corrected, or nothing asserted", lambda tally: tally.corrected, 0.97),
        ("answers on point, of those called answers", lambda tally: tally.on_point, 0.90),
        ("evidence quoted or in a passage shown", lambda tally: tally.evidence, 0.88),
        ("a right sentence quoted or marked", lambda tally: tally.pointed_at, 0.72),
        ("evidence among the first 8 passages", lambda tally: tally.recall(8), 0.92),
    )
    return tuple(Gate(*goal, held=value) for goal, value in zip(goals, held, strict=True))


# About two in five questions share no content word with their evidence. Gates below their goal are held at the check
# half's value less two standard errors.
SAMPLE_GATES = gates((None, None, 0.75, 0.50, 0.78, None, 0.86))
# Of twenty questions sixteen have an answer.
SOURCE_GATES = gates((None, None, None, 0.12, 0.61, 0.45, 0.83))
EDGAR_GATES = gates((None, None, 0.89, 0.75, 0.73, 0.67, 0.79))


def report(title: str, tally: ProseTally, gates: Sequence[Gate] = SAMPLE_GATES, whole: bool = True) -> str:
    """One half as a table."""
    lines = [f"{title}, {tally.half} half: {len(tally.results)} questions"]
    lines += [gate.line(tally, whole or gate.due == 1) for gate in gates]
    lines += [
        f"  {'called answers':44} {tally.said_answered}",
        f"  {'every half of the question shown':44} {tally.whole}",
        f"  {'refusal code right, of refusals':44} {tally.codes}",
        f"  lost by: {', '.join(f'{node} {count}' for node, count in tally.lost.items()) or 'none'}",
    ]
    times = sorted(result.ms for result in tally.results)
    if len(times) > 1:
        p95 = statistics.quantiles(times, n=20)[-1]
        lines.append(f"  time a question: median {statistics.median(times):.0f} ms, 95th percentile {p95:.0f} ms")
    return "\n".join(lines)


def failures(title: str, tally: ProseTally, gates: Sequence[Gate] = SAMPLE_GATES, whole: bool = True) -> list[str]:
    """The gates a half fails; for a subset, only those that no single question may break."""
    return [f"{title}: {gate.name}" for gate in gates if gate.fails(tally) and (whole or gate.due == 1)]


def missed(results: Sequence[ProseResult]) -> list[str]:
    """The misses of the tuning half. The check half stays unseen, or it would be tuned to."""
    return [
        f"{result.golden.id} {result.lost_by}: {result.golden.question!r} -> {result.answer.outcome} "
        f"{result.answer.refusal_code} {[claim.text[:80] for claim in result.claims]}"
        for result in results
        if result.golden.half == "tune" and (result.lost_by or result.unsupported)
    ]
