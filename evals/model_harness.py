"""Asks goldens with and without models: results and usage."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from agent.state import AgentState, Answer, Scope
from agent.steps import pipeline
from agent.steps.blocks import conclude
from agent.steps.deps import Deps
from agent.steps.precheck import problem_with
from evals import prose_harness
from evals.golden import TODAY, Golden
from evals.harness import Result, Verdict, asserted, came_to, judge
from evals.prose_golden import ProseGolden
from evals.prose_harness import ProseResult
from evals.witness import Witness

if TYPE_CHECKING:
    from agent.programs.calls import Call, Session


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
    """A completed question."""

    state: AgentState
    answer: Answer
    ms: float
    used: Used | None = None


@dataclass(frozen=True)
class NumberPair:
    """A golden of figures without and with a model."""

    without: Result
    with_model: Result
    used: Used | None

    @property
    def right(self) -> tuple[bool, bool]:
        """Whether the expected result came, without and with a model."""
        due = (Verdict.EXACT, Verdict.RIGHT_REFUSAL)
        return self.without.verdict in due, self.with_model.verdict in due


@dataclass(frozen=True)
class ProsePair:
    """A golden of text without and with a model."""

    without: ProseResult
    with_model: ProseResult
    used: Used | None

    @property
    def right(self) -> tuple[bool, bool]:
        """Whether the expected result came, without and with a model."""
        return self.without.right, self.with_model.right


def ask(question: str, *, models: bool, scope: Scope | None = None) -> Run:
    """One question through the pipeline, on the goldens' date."""
    deps = Deps.current(TODAY, models=models)
    started = time.perf_counter()
    state = pipeline.run(question, deps, scope=scope)
    ms = (time.perf_counter() - started) * 1000
    answer = conclude(state, deps, lambda near: False)
    return Run(state, answer, ms, used(state, answer, deps.session, ms) if deps.session else None)


def used(state: AgentState, answer: Answer, session: "Session", ms: float) -> Used:
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


def numbers(goldens: Iterable[Golden]) -> Iterator[NumberPair]:
    """The goldens of figures and of refusals."""
    for golden in goldens:
        if code := problem_with(golden.question):
            result = Result(golden, "error", str(code), (), judge(golden, "error", ()), 0.0)
            yield NumberPair(result, result, None)
            continue
        alone, helped = ask(golden.question, models=False), ask(golden.question, models=True)
        yield NumberPair(result_of(golden, alone), result_of(golden, helped), helped.used)


def result_of(golden: Golden, run: Run) -> Result:
    (outcome, code), found = came_to(run.answer), asserted(run.answer)
    return Result(golden, outcome, code, found, judge(golden, outcome, found), run.ms)


def prose(goldens: Iterable[ProseGolden], witness: Witness) -> Iterator[ProsePair]:
    """The goldens of text."""
    for golden in goldens:
        alone, helped = ask(golden.question, models=False), ask(golden.question, models=True)
        judged = [prose_harness.judge(golden, one.state, one.answer, witness, one.ms) for one in (alone, helped)]
        yield ProsePair(judged[0], judged[1], helped.used)
