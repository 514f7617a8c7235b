"""Asks goldens of the real pipeline, as every evaluation does: which of them, what came of each, and how long it took."""

import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar
from zlib import crc32

from agent.state import AgentState, Answer, Scope
from agent.steps import pipeline
from agent.steps.blocks import conclude
from agent.steps.deps import Deps
from evals.golden import TODAY

if TYPE_CHECKING:
    from agent.programs.calls import Call, Session


class Halved(Protocol):
    """A golden, of one half."""

    @property
    def id(self) -> str: ...

    @property
    def half(self) -> Literal["tune", "check"]: ...


Row = TypeVar("Row", bound=Halved)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which goldens are asked, and what is told of them. limit: so many of each kind and half; one_in: every so many."""

    halves: tuple[str, ...] = ("tune", "check")
    limit: int | None = None
    one_in: int = 1
    show: bool = False
    report: Path | None = None
    rows: Path | None = None

    @property
    def is_whole(self) -> bool:
        """Whether shares of the goldens asked are those of all."""
        return self.one_in == 1

    @property
    def is_all(self) -> bool:
        return self.is_whole and self.limit is None and len(self.halves) > 1

    def of(self, rows: Sequence[Row]) -> list[Row]:
        """The goldens of these halves that are asked, the same each time."""
        rows = [row for row in rows if crc32(row.id.encode()) % self.one_in == 0]
        return [row for half in self.halves for row in [one for one in rows if one.half == half][: self.limit]]


@dataclass(frozen=True)
class Used:
    """The model usage of one run. Milliseconds of the whole run; USD."""

    outcome: str
    mode: str
    iterations: int
    drafted: int
    dropped: int
    reviewed: bool
    why: str
    calls: "tuple[Call, ...]"
    ms: float

    @property
    def tokens_in(self) -> int:
        return sum(call.tokens_in for call in self.calls)

    @property
    def tokens_out(self) -> int:
        return sum(call.tokens_out for call in self.calls)

    @property
    def cost(self) -> Decimal:
        return sum((call.cost for call in self.calls), Decimal(0))

    @property
    def failures(self) -> Counter[str]:
        """Failed requests, by reason."""
        return Counter(call.outcome for call in self.calls if call.outcome != "ok")


@dataclass(frozen=True)
class Run:
    """A completed question. used: by the models, None without."""

    state: AgentState
    answer: Answer
    ms: float
    used: Used | None = None


def ask(question: str, *, models: bool = False, scope: Scope | None = None, offers: bool = False) -> Run:
    """One question on the goldens' date. offers: whether the alternatives of a refusal are tried, as for a user."""
    deps = Deps.current(TODAY, models=models)
    alone = deps.for_trials()
    started = time.perf_counter()
    state = pipeline.run(question, deps, scope=scope)
    answer = conclude(state, deps, lambda near: offers and pipeline.answers(near, alone, scope))
    ms = (time.perf_counter() - started) * 1000
    return Run(state, answer, ms, usage(state, answer, deps.session, ms) if deps.session else None)


def usage(state: AgentState, answer: Answer, session: "Session", ms: float) -> Used:
    return Used(
        outcome=answer.outcome,
        mode=state.mode.label if state.plan else "",
        iterations=len({one.iteration for one in state.draftings}),
        drafted=sum(one.made for one in state.draftings),
        dropped=len(state.dropped) if state.draftings else 0,
        reviewed=any(one.reviewed for one in state.draftings),
        why=next((one.why for one in reversed(state.decisions) if not one.again), ""),
        calls=tuple(session.calls),
        ms=ms,
    )


def spread(times: Sequence[float], digits: int = 0) -> str:
    """Median and 95th percentile of milliseconds."""
    if len(times) < 2:
        return "too few to say"
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"median {statistics.median(times):.{digits}f} ms, 95th percentile {p95:.{digits}f} ms"
