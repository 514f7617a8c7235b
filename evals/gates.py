"""The shares of a half of the goldens, the goals that they must reach, and how both are told in a terminal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from diligence.statistics import Share
from evals.runner import Halved, spread


class Result(Protocol):
    """A golden and what came of it. missed: the result in words where it is not the due one, else empty."""

    @property
    def golden(self) -> Halved: ...

    @property
    def ms(self) -> float: ...

    @property
    def missed(self) -> str: ...


Of = TypeVar("Of", bound=Result)


@dataclass(frozen=True)
class Tally(Generic[Of]):
    """The results of one half."""

    half: str
    results: tuple[Of, ...]

    @property
    def named(self) -> Mapping[str, Sequence[Of]]:
        """Results that are told by their ids, by what is wrong with them."""
        return {}


@dataclass(frozen=True)
class Gate:
    """A share that is told, and, with a goal, must be at least that. held: the value it is held at while short of the goal.

    is_most: whether the goal is the most that it may be.
    """

    name: str
    measure: Callable[[Any], Share]
    goal: float | None = None
    held: float | None = None
    is_most: bool = False

    @property
    def due(self) -> float | None:
        return self.goal if self.held is None else self.held

    @property
    def is_strict(self) -> bool:
        """Whether no single question may break it: then it holds for a subset too."""
        return self.due == (0 if self.is_most else 1)

    @property
    def goal_text(self) -> str:
        if self.goal is None:
            return ""
        return ("none" if not self.goal else f"at most {self.goal:.0%}") if self.is_most else f"{self.goal:.0%}"

    def line(self, tally: Tally[Any], whole: bool = True) -> str:
        share = self.measure(tally)
        told = f"  {self.name:44} {share}"
        if self.goal is None:
            return told
        if self._meets(share, self.goal):
            word = "met"
        elif tally.half == "tune" or not (whole or self.is_strict):
            word = "short of its goal"
        else:
            word = "FAILS" if self.fails(tally) else f"short of its goal, held at {self.due:.1%}"
        return f"{told}  goal {self.goal_text}  {word}"

    def fails(self, tally: Tally[Any]) -> bool:
        return self.due is not None and not self._meets(self.measure(tally), self.due)

    def _meets(self, share: Share, due: float) -> bool:
        return not share.whole or (share.value <= due if self.is_most else share.value >= due)


def report(title: str, tally: Tally[Any], gates: Sequence[Gate], whole: bool = True) -> str:
    """One half as a table."""
    lines = [f"{title}, {tally.half} half: {len(tally.results)} questions"]
    lines += [gate.line(tally, whole) for gate in gates]
    lines += [
        f"  {name}: {' '.join(one.golden.id for one in results)}" for name, results in tally.named.items() if results
    ]
    lines.append(f"  time a question: {spread([one.ms for one in tally.results], 1)}")
    return "\n".join(lines)


def failures(title: str, tally: Tally[Any], gates: Sequence[Gate], whole: bool = True) -> list[str]:
    """The gates a half fails; for a subset, only those that no single question may break."""
    return [f"{title}: {gate.name}" for gate in gates if gate.fails(tally) and (whole or gate.is_strict)]


def missed(results: Sequence[Result]) -> Iterator[str]:
    """The misses of the tuning half. The check half stays unseen, or it would be tuned to."""
    return (f"{one.golden.id} {words}" for one in results if one.golden.half == "tune" and (words := one.missed))
