"""The report on models: measures without and with one, and model usage."""

import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from diligence.statistics import Share
from evals import columns, markdown
from evals.gates import Gate, Tally
from evals.harness import Result, Verdict
from evals.prose_harness import ProseResult
from evals.runner import Used

REPORT = Path(__file__).parent / "reports" / "model.md"
TITLE = """# Goldens with a model

Every golden through the real pipeline twice in one run: without a model, as in prose.md, and with the models named here
(`manage.py evaluate --model`). Questions are named by their ids, never by their words. A claim that the filing does not
say, a wrong number, or an answer where a refusal was due, may not be more than 0 for a model to be used.
"""

# measure -> (goal, without a model, with one)
Rows = dict[str, tuple[str, str, str]]
Judged = Result | ProseResult


@dataclass(frozen=True, slots=True)
class Pair:
    """The results of a golden without and with a model."""

    without: Judged
    with_model: Judged

    @property
    def used(self) -> Used | None:
        return self.with_model.used


def half(
    title: str, half: str, pairs: Sequence[Pair], tally: Callable[..., Tally[Any]], gates: Sequence[Gate]
) -> tuple[str, Rows]:
    """One half of a kind of goldens: heading and rows."""
    mine = [pair for pair in pairs if pair.with_model.golden.half == half]
    sides = ([pair.without for pair in mine], [pair.with_model for pair in mine])
    (before,), (after,) = (columns.measured(title, tally(half, tuple(side)), gates).values() for side in sides)
    rows = {name: (goal, before[name][1], found) for name, (goal, found) in after.items()}
    kept = [pair.with_model.right for pair in mine if pair.without.right]
    rows["right without a model, kept"] = ("", "", markdown.share(Share(sum(kept), len(kept))))
    return f"{title}, {half} half: {len(mine)} questions", rows


def used(runs: Sequence[Used]) -> Rows:
    """Model usage: answers, drafts, rounds, tokens, cost, time."""
    asked = [run for run in runs if run.calls]
    drafted = [run for run in asked if run.iterations]
    rows: Rows = {
        "questions": ("", "", str(len(runs))),
        "that asked a model": ("", "", str(len(asked))),
        "answered": ("", "", str(sum(run.outcome == "answered" for run in runs))),
        "passages": ("", "", str(sum(run.outcome == "passages" for run in runs))),
        "refused": ("", "", str(sum(run.outcome == "refused" for run in runs))),
        "with a draft": ("", "", str(len(drafted))),
        "drafts that were reviewed": ("", "", str(sum(run.reviewed for run in drafted))),
        "claims dropped": ("", "", markdown.share(Share(sum(run.dropped for run in drafted), sum(run.drafted for run in drafted)))),
        "stopped before the last round": ("", "", markdown.share(Share(sum(run.why in ("threshold", "sufficient") for run in drafted), len(drafted)))),
        "why rounds ended": ("", "", counted(Counter(run.why for run in drafted if run.why))),
        "requests that gave nothing": ("", "", counted(sum((run.failures for run in asked), Counter()))),
    }  # fmt: skip
    for mode in dict.fromkeys(run.mode for run in drafted):
        rounds = [run.iterations for run in drafted if run.mode == mode]
        rows[f"rounds, {mode.lower()}"] = ("", "", f"{statistics.mean(rounds):.2f} in {len(rounds)} runs")
    for name, values in (
        ("tokens in, a question", [run.tokens_in for run in asked]),
        ("tokens out, a question", [run.tokens_out for run in asked]),
        ("time, a question, ms", [run.ms for run in asked]),
    ):
        rows[name] = ("", "", spread(values))
    cost = sum((run.cost for run in asked), Decimal(0))
    rows["cost, all, USD"] = ("", "", f"{cost:.4f}")
    rows["cost, a question, USD"] = ("", "", f"{cost / len(asked):.5f}" if asked else "0")
    return rows


def spread(values: Sequence[float]) -> str:
    """Median and 95th percentile."""
    if len(values) < 2:
        return f"{values[0]:.0f}" if values else ""
    return f"p50 {statistics.median(values):.0f}, p95 {statistics.quantiles(values, n=20, method='inclusive')[-1]:.0f}"


def counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "0"


def rendered(names: str, parts: Sequence[tuple[str, Rows]]) -> str:
    """The whole report. names: of the models."""
    lines = [TITLE, f"Models: {names}.", ""]
    for heading, rows in parts:
        table = markdown.table(
            ["", "goal", "no model", "with the model"], ([name, *cells] for name, cells in rows.items())
        )
        lines += [f"## {heading}", "", *table, ""]
    return "\n".join(lines)


def failures(half: str, pairs: Sequence[Pair]) -> list[str]:
    """Forbidden effects of a model, by question number only."""
    found = [pair.with_model for pair in pairs if pair.with_model.golden.half == half]
    verdicts = Counter(one.verdict for one in found if isinstance(one, Result))
    counts = {
        "wrong numbers": verdicts[Verdict.WRONG],
        "figures where a refusal was due": verdicts[Verdict.ANSWERED_UNDUE],
        "claims that the filing does not say": sum(
            isinstance(one, ProseResult) and bool(one.unsupported) for one in found
        ),
    }
    return [f"{half} half, with the model: {count} {name}" for name, count in counts.items() if count]
