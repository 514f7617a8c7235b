"""Agent time for numeric questions, warm: each golden's question once to warm up, then again, timed."""

import time

from agent.steps import pipeline
from agent.steps.deps import Deps
from evals import golden
from evals.runner import spread

GOAL_P50, GOAL_P95 = 25.0, 100.0


def measure() -> str:
    """Median and 95th percentile in milliseconds of the goldens that are answered, and questions a second."""
    questions = [row.question for row in golden.read() if row.outcome == "answered"]
    for question in questions:
        pipeline.answer(question, Deps.current(golden.TODAY))
    times = []
    for question in questions:
        started = time.perf_counter()
        pipeline.answer(question, Deps.current(golden.TODAY))
        times.append((time.perf_counter() - started) * 1000)
    return (
        f"{len(times)} numeric questions, warm: {spread(times, 1)} (goals {GOAL_P50:.0f} and "
        f"{GOAL_P95:.0f}), {1000 * len(times) / sum(times):.0f} a second"
    )
