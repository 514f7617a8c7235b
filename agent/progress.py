"""The steps of a run as a reader sees them: those done, the one under way, those to come."""

from dataclasses import dataclass
from typing import Literal

from django.utils.timezone import now

from agent.models import Run

# node -> (name, what it is about to do)
NODES: dict[str, tuple[str, str]] = {
    "plan": ("Plan", "Read the question: every word must be a company, a measure, a period or a known phrase."),
    "fetch": ("Fetch", "Find the 10-K of the fiscal year asked for."),
    "locate": ("Locate", "Find the statement on which the measure should stand."),
    "retrieve": ("Retrieve", "Collect the tagged facts of that filing that could answer."),
    "validate": ("Validate", "Check scale, sign and the statement's own sums."),
    "cite_check": ("Check citation", "Read the fact again and compare every digit."),
}


@dataclass(frozen=True)
class ShownStep:
    """One line of the trail. `ms` is None while the step has not ended."""

    name: str
    state: Literal["done", "now", "wait", "refused", "stop"]
    said: str
    ms: float | None = None

    @property
    def status(self) -> str:
        """The state in words, for readers who do not see its mark."""
        return {
            "done": "done",
            "now": "in progress",
            "wait": "waiting",
            "refused": "refused here",
            "stop": "failed here",
        }[self.state]


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    steps: tuple[ShownStep, ...]
    done: int
    seconds: float

    @property
    def total(self) -> int:
        return len(self.steps)

    @property
    def ms(self) -> float:
        return sum(step.ms or 0 for step in self.steps)


def progress(run: Run) -> Progress:
    """The steps of the run's current attempt, followed by those to come while it is open."""
    rows = list(run.steps.filter(attempt=run.attempt))
    steps = [
        ShownStep(NODES.get(row.node, (row.node, ""))[0], "refused" if row.refused else "done", row.said, row.ms)
        for row in rows
    ]
    order = list(NODES)
    rest = order[order.index(rows[-1].node) + 1 :] if rows else order
    if run.status == Run.Status.FAILED and rest:
        steps.append(ShownStep(NODES[rest[0]][0], "stop", "This step did not end."))
    if run.is_open:
        started = run.status == Run.Status.RUNNING
        steps += [
            ShownStep(NODES[node][0], "now" if started and position == 0 else "wait", NODES[node][1])
            for position, node in enumerate(rest)
        ]
    return Progress(tuple(steps), len(rows), ((run.finished or now()) - run.created).total_seconds())


def status_line(run: Run, shown: Progress) -> str:
    """One sentence for the live region: where the run is, or what came of it."""
    match run.status:
        case Run.Status.QUEUED:
            return "Waiting for a worker."
        case Run.Status.RUNNING:
            current = next((step for step in shown.steps if step.state == "now"), None)
            return f"Step {shown.done + 1} of {shown.total}: {current.name}." if current else "Finishing."
        case Run.Status.FAILED:
            return "The question could not be worked through."
    match run.outcome:
        case Run.Outcome.ANSWERED:
            return f"Answered: {run.summary}." if run.summary else "Answered."
        case Run.Outcome.REFUSED:
            return "Not answered; the reason is shown."
    return "Here is what can be asked."


def stage_of(node: str) -> str:
    """Where a run was refused: Locate, step 3 of 6."""
    order = list(NODES)
    if node not in NODES:
        return node
    return f"{NODES[node][0]}, step {order.index(node) + 1} of {len(order)}"
