"""The method: plan, fetch, locate, retrieve, validate, cite_check."""

import time
from collections.abc import Callable

from agent.blocks import conclude, is_answered
from agent.cite_check import cite_check
from agent.deps import Deps
from agent.fetch import fetch
from agent.locate import locate
from agent.plan import plan
from agent.retrieve import retrieve
from agent.state import AgentState, Answer
from agent.validate import validate

Node = Callable[[AgentState, Deps], AgentState]
Record = Callable[[str, AgentState, AgentState, float], None]

NODES: tuple[Node, ...] = (plan, fetch, locate, retrieve, validate, cite_check)


def run(question: str, deps: Deps, record: Record | None = None) -> AgentState:
    """The state after every node, or after the node at which no target was left open.

    `record(node, before, after, milliseconds)` is called once a node and writes the steps.
    """
    state = AgentState(question=question)
    for node in NODES:
        started = time.perf_counter()
        after = node(state, deps)
        if record is not None:
            record(node.__name__, state, after, (time.perf_counter() - started) * 1000)
        state = after
        if not state.open_targets():
            break
    return state


def answer(question: str, deps: Deps, record: Record | None = None) -> Answer:
    """The answer to a question: its blocks, the plan they follow, and the versions they were made with."""
    return conclude(run(question, deps, record), deps, lambda near: answers(near, deps))


def answers(question: str, deps: Deps) -> bool:
    """Whether every node lets a question pass: how an alternative is tried before it is offered."""
    state = run(question, deps)
    return any(is_answered(state, target) for target in state.open_targets())
