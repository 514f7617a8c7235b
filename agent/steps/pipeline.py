"""Runs the steps: plan, fetch, locate; then retrieve, validate and cite_check, with a model in several rounds; judge."""

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext

from agent.state import AgentState, Answer, Query, Scope
from agent.state.modes import Mode
from agent.steps.blocks import conclude, is_answered
from agent.steps.cite_check import cite_check
from agent.steps.deps import Deps
from agent.steps.fetch import fetch
from agent.steps.locate import locate
from agent.steps.plan import plan
from agent.steps.retrieve import retrieve
from agent.steps.validate import validate
from diligence import tracing

Node = Callable[[AgentState, Deps], AgentState]
Record = Callable[[str, AgentState, AgentState, float], None]

NODES: tuple[Node, ...] = (plan, fetch, locate, retrieve, validate, cite_check)
# The nodes before it run once, the others in every round.
FIRST_OF_ROUND = 3


def run(
    question: str,
    deps: Deps,
    record: Record | None = None,
    mode: Mode | None = None,
    previous: Query | None = None,
    given: Query | None = None,
    scope: Scope | None = None,
) -> AgentState:
    """Runs the nodes in order until no target is open, and returns the final state.

    `record(node, before, after, milliseconds)` is called once a node and writes the steps. mode: chosen by the asker.
    previous: the query of the question that this one follows up on. given: a query to run in place of a read question.
    scope: the document, or the kind and period, that the question is limited to.
    """
    begun = AgentState(question=question, wanted=mode, previous=previous, given=given, scope=scope)
    state = advanced(begun, NODES[:FIRST_OF_ROUND], deps, record)
    while state.open_targets():
        made = state.iteration
        state = advanced(state, NODES[FIRST_OF_ROUND:], deps, record)
        if deps.session is not None:
            from agent.steps.reflect import reflect

            state = advanced(state, (reflect,), deps, record)
        if state.iteration == made:
            break
    state = elsewhere(state, deps)
    if state.plan and state.plan.asks_judgement and deps.session is not None:
        from agent.steps.judge import judge

        state = advanced(state, (judge,), deps, record)
    return state


def elsewhere(state: AgentState, deps: Deps) -> AgentState:
    """The state with what other documents answer, for each target that the first one searched does not."""
    from agent.steps.other_documents import next_targets, telling

    for target in next_targets(state, deps):
        alone = state.apart(target)
        told = telling(advanced(alone, NODES[1:], deps, None), target)
        state = state.joined(told) if told else state
    return state


def advanced(state: AgentState, nodes: Sequence[Node], deps: Deps, record: Record | None) -> AgentState:
    """Runs these nodes until no target is open, and returns the state."""
    for node in nodes:
        started = time.perf_counter()
        # Trying alternative questions must not record steps of this run.
        with tracing.span(f"node {node.__name__}") if record is not None else nullcontext():
            after = node(state, deps)
        if record is not None:
            record(node.__name__, state, after, (time.perf_counter() - started) * 1000)
        state = after
        if not state.open_targets():
            break
    return state


def answer(
    question: str,
    deps: Deps,
    record: Record | None = None,
    mode: Mode | None = None,
    previous: Query | None = None,
    given: Query | None = None,
    scope: Scope | None = None,
) -> Answer:
    """The answer to a question: its blocks, plan and versions."""
    alone = deps.for_trials()
    state = run(question, deps, record, mode, previous, given, scope)
    return conclude(state, deps, lambda near: answers(near, alone, scope))


def answers(question: str, deps: Deps, scope: Scope | None = None) -> bool:
    """Whether every node lets a question pass: alternatives are tried so, within the scope, before they are offered."""
    state = run(question, deps, scope=scope)
    return any(is_answered(state, target) for target in state.open_targets())
