"""The steps of a run as its page shows them: done, under way, and to come."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from django.utils.timezone import now

from agent.models import Run, Step
from agent.runs.stored_answer import read
from agent.state.modes import Mode

# From this many milliseconds on, seconds are shown; from the second number on, without a fraction.
IN_SECONDS, WHOLE = 1000, 100
FIRST = ("plan", "fetch", "locate")
# node -> (name, what it does)
NODES: dict[str, tuple[str, str]] = {
    "plan": (
        "Plan",
        "Read the question: companies, periods, measures, what is made of them, and what is asked of the text.",
    ),
    "fetch": ("Fetch", "Find the 10-K whose text is asked for."),
    "locate": ("Locate", "Find the Items in which the text should stand."),
    "retrieve": ("Retrieve", "Choose the tagged facts of every cell, or search the passages."),
    "validate": ("Validate", "Pick the sentences that answer."),
    "cite_check": ("Check citation", "Read every fact again, compute every formula again, compare every digit."),
}


# event -> its name on the page
EVENTS = {
    "reasoning": "In the model's words",
    "plan": "Plan",
    "fetch": "Fetch",
    "locate": "Locate",
    "iteration_start": "Round",
    "search": "Search",
    "iteration_search": "Search again",
    "draft": "Draft",
    "review": "Second look",
    "validate": "Validate",
    "cite_check": "Check citations",
    "agent_decision": "Judge",
    "judgement": "Judge the figures",
    "iteration_followup": "Next search",
    "iteration_complete": "Round complete",
    "rejected": "Rejected",
    "fallback": "Without the model",
    "result": "Summary",
    "recalled": "Answered before",
}
# The nodes of a round with a model: node -> (name, what it does)
ROUND: dict[str, tuple[str, str]] = {
    "retrieve": ("Search", "Search the filing for passages that could answer."),
    "validate": ("Draft", "Draft claims that each quote their passage."),
    "cite_check": ("Check citations", "Compare every claim with the stored filing. What does not match is dropped."),
    "reflect": ("Judge", "See what is missing, and whether another round can find it."),
}
READING = "Reading the question"


@dataclass(frozen=True)
class ShownStep:
    """One line of the trail. `ms` is None while the step runs, and where it is part of another step."""

    name: str
    state: Literal["done", "now", "wait", "refused", "note", "stop"]
    said: str
    ms: float | None = None

    @property
    def status(self) -> str:
        """The state in words, for screen readers."""
        return {
            "done": "done",
            "now": "in progress",
            "wait": "waiting",
            "refused": "refused here",
            "note": "note",
            "stop": "failed here",
        }[self.state]

    @property
    def time(self) -> str:
        """Its duration, such as 2.5 ms; empty where unknown."""
        return "" if self.ms is None else duration(self.ms)


@dataclass(frozen=True)
class Group:
    """Steps under one title; a single group has no title. is_round: whether they are a model's round."""

    title: str
    steps: tuple[ShownStep, ...]
    is_round: bool = False


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    groups: tuple[Group, ...]
    done: int
    seconds: float
    place: str = ""  # its position, for the line above the steps
    took: str = ""  # total working time, once known

    @property
    def steps(self) -> tuple[ShownStep, ...]:
        return tuple(step for group in self.groups for step in group.steps)

    @property
    def total(self) -> int:
        return len(self.steps)

    @property
    def rounds(self) -> int:
        return sum(group.is_round for group in self.groups)

    @property
    def current(self) -> ShownStep | None:
        """The step under way."""
        return next((step for step in self.steps if step.state == "now"), None)


def progress(run: Run) -> Progress:
    """The steps of the run's current attempt, and those to come while it is open."""
    stored = run.steps.filter(attempt=run.attempt).defer("inputs", "outputs", "calls")
    rows = [row for row in stored if row.event != Step.FAILED]
    with_model = any(row.event for row in rows)
    groups, place = rounds(run, rows) if with_model else nodes(run, rows)
    seconds = ((run.finished or now()) - run.created).total_seconds()
    return Progress(groups, len(rows), seconds, place, "" if run.ms is None else duration(run.ms))


def nodes(run: Run, rows: Sequence[Step]) -> tuple[tuple[Group, ...], str]:
    """The six steps of a run without a model."""
    steps = [
        ShownStep(NODES.get(row.node, (row.node, ""))[0], "refused" if row.refused else "done", row.said, row.ms)
        for row in rows
    ]
    steps += to_come(run, NODES, after(rows, NODES))
    at = len(rows) + 1
    place = f"Step {at} of {len(steps)}" if run.status == Run.Status.RUNNING and at <= len(steps) else ""
    return (Group("", tuple(steps)),), place


def rounds(run: Run, rows: Sequence[Step]) -> tuple[tuple[Group, ...], str]:
    """The events of a run with a model, round by round."""
    titles = {row.iteration: row.said for row in rows if row.event == "iteration_start"}
    parted = [
        (number, [shown(row) for row in group if row.event != "iteration_start"])
        for number, group in groupby(rows, key=lambda row: row.iteration)
    ]
    last = rows[-1]
    rest: list[str] = []
    if last.iteration:
        # A round's rows follow its own first event.
        rest = list(ROUND) if last.event == "iteration_start" else after([last], ROUND)
    elif last.node in FIRST:
        rest = after([last], dict.fromkeys(FIRST))
    parted[-1][1].extend(to_come(run, {**NODES, **ROUND} if last.iteration else NODES, rest))
    several = len(titles) > 0
    groups = [
        Group(
            (titles.get(number) or (READING if not place else "Result")) if several else "",
            tuple(steps),
            is_round=number in titles,
        )
        for place, (number, steps) in enumerate(parted)
        if steps
    ]
    return tuple(groups), titles.get(last.iteration) or READING


def shown(row: Step) -> ShownStep:
    """One event."""
    state: Literal["done", "refused", "note"] = "refused" if row.refused else "done"
    if row.event == "fallback":
        state = "note"
    return ShownStep(EVENTS.get(row.event, row.event), state, row.said, row.ms or None)


def after(rows: Sequence[Step], order: Mapping[str, object]) -> list[str]:
    """The nodes that follow the last row."""
    names = list(order)
    if not rows:
        return names
    return names[names.index(rows[-1].node) + 1 :] if rows[-1].node in names else []


def to_come(run: Run, named: Mapping[str, tuple[str, str]], rest: Sequence[str]) -> list[ShownStep]:
    """The remaining steps of a run: under way, waiting, or not reached where it failed."""
    if run.status == Run.Status.FAILED and rest:
        return [ShownStep(named[rest[0]][0], "stop", "This step did not finish.")]
    if not run.is_open:
        return []
    started = run.status == Run.Status.RUNNING
    return [
        ShownStep(named[node][0], "now" if started and position == 0 else "wait", named[node][1])
        for position, node in enumerate(rest)
    ]


def duration(ms: float) -> str:
    """A duration in words: 2.5 ms, 312 ms, 12.3 s."""
    if ms >= IN_SECONDS:
        return f"{ms / 1000:.1f} s"
    return f"{ms:.{0 if ms >= WHOLE else 1}f}".removesuffix(".0") + " ms"


def offers_deeper(run: Run) -> bool:
    """Whether a run ended below its mode's score and a more thorough mode exists."""
    answer = read(run.answer)
    judged = answer.judged if answer else None
    if judged is None or judged.score is None or run.mode == Mode.DEEP_SEARCH:
        return False
    return judged.score < judged.threshold


def status_line(run: Run, shown: Progress) -> str:
    """One sentence for the live region: the run's current step or its result."""
    match run.status:
        case Run.Status.QUEUED:
            return "Working…"
        case Run.Status.RUNNING:
            return f"{shown.place}: {shown.current.name}." if shown.current else "Finishing."
        case Run.Status.FAILED:
            return "This question could not be processed."
    match run.outcome:
        case Run.Outcome.ANSWERED:
            return f"Answered: {run.summary}." if run.summary else "Answered."
        case Run.Outcome.NEAREST:
            return f"The nearest question is answered: {run.summary}."
        case Run.Outcome.PASSAGES:
            return f"No direct answer found. {run.summary} shown."
        case Run.Outcome.REFUSED:
            return "Not answered; the reason is shown."
    return "Here is what you can ask."


def stage_of(node: str) -> str:
    """The step that refused a run: Locate, step 3 of 6."""
    order = list(NODES)
    if node not in NODES:
        return node
    return f"{NODES[node][0]}, step {order.index(node) + 1} of {len(order)}"
