"""The report on models: measures without and with one, and model usage."""

import statistics
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from diligence.statistics import Share
from evals import columns, prose_report
from evals.columns import written
from evals.harness import Verdict, tally
from evals.model_harness import NumberPair, ProsePair, Used
from evals.prose_harness import ProseTally
from evals.witness import SecFile

REPORT = Path(__file__).parent / "reports" / "model.md"
TITLE = """# Goldens with a model

Every golden through the real pipeline twice in one run: without a model, as in prose.md, and with the models named here
(`manage.py evaluate --model`). Questions are named by their ids, never by their words. A claim that the filing does not
say, a wrong number, or an answer where a refusal was due, may not be more than 0 for a model to be used.
"""

# measure -> (goal, without a model, with one)
Rows = dict[str, tuple[str, str, str]]


def numbers(half: str, pairs: Sequence[NumberPair], sec: SecFile) -> tuple[str, Rows]:
    """One half of the figures: heading and rows."""
    sides = [tally(half, results, sec) for results in ([pair.without for pair in pairs], [pair.with_model for pair in pairs])]  # fmt: skip
    mine = [pair for pair in pairs if pair.with_model.golden.half == half]
    rows = beside(*map(columns.of_numbers, sides))
    rows["right without a model, kept"] = ("", "", kept(mine))
    return f"Numbers, {half} half: {len(mine)} questions", rows


def prose(title: str, half: str, pairs: Sequence[ProsePair], gates: Sequence[prose_report.Gate]) -> tuple[str, Rows]:
    """One half of a corpus of text: heading and rows."""
    mine = [pair for pair in pairs if pair.with_model.golden.half == half]
    sides = (
        ProseTally(half, tuple(pair.without for pair in mine)),
        ProseTally(half, tuple(pair.with_model for pair in mine)),
    )
    rows = beside(*(columns.of_prose(title, side, gates) for side in sides))
    rows["right without a model, kept"] = ("", "", kept(mine))
    return f"{title}, {half} half: {len(mine)} questions", rows


def kept(pairs: Sequence[NumberPair | ProsePair]) -> str:
    """Of the questions right without a model, those still right with one."""
    before = [pair.right[1] for pair in pairs if pair.right[0]]
    return written(Share(sum(before), len(before)))


def beside(without: columns.Measured, with_model: columns.Measured) -> Rows:
    """The rows of one heading, for both sides."""
    (before,), (after,) = without.values(), with_model.values()
    return {name: (goal, before[name][1], found) for name, (goal, found) in after.items()}


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
        "claims dropped": ("", "", written(Share(sum(run.dropped for run in drafted), sum(run.drafted for run in drafted)))),
        "stopped before the last round": ("", "", written(Share(sum(run.why in ("threshold", "sufficient") for run in drafted), len(drafted)))),
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
        lines += [f"## {heading}", "", "|  | goal | no model | with the model |", "|---|---|---|---|"]
        lines += [f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items()]
        lines.append("")
    return "\n".join(lines)


def failures(half: str, pairs: Sequence[NumberPair | ProsePair]) -> list[str]:
    """Forbidden effects of a model, by question number only."""
    numbers = [
        pair.with_model for pair in pairs if isinstance(pair, NumberPair) and pair.with_model.golden.half == half
    ]
    texts = [pair.with_model for pair in pairs if isinstance(pair, ProsePair) and pair.with_model.golden.half == half]
    counts = {
        "wrong numbers": sum(one.verdict is Verdict.WRONG for one in numbers),
        "figures where a refusal was due": sum(one.verdict is Verdict.ANSWERED_UNDUE for one in numbers),
        "claims that the filing does not say": sum(bool(one.unsupported) for one in texts),
    }
    return [f"{half} half, with the model: {count} {name}" for name, count in counts.items() if count]
