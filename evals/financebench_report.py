"""The report of `manage.py evaluate --financebench`: figures and the ids of lost questions, without their words."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from evals.columns import written
from evals.financebench_rows import DEPTHS, Asked, Failure
from evals.statistics import Share

REPORT = Path(__file__).parent / "reports" / "financebench.md"
TITLE = """# Questions in FinanceBench's form

`manage.py evaluate --financebench PATH`: every question of a file in the form of the public FinanceBench, through the
real pipeline. A truth that is a bare number is compared with the figures of the answer, rounded to the truth's digits or
within 2 %; all other answers are graded 0, 0.5 or 1 by the configured model, and without one they are not judged. An
answer that asserts nothing is 0. Pages are those of the evidence, looked for among the passages that a search of the
filing finds for the words of the question, whichever way the question was answered.
"""


def rendered(name: str, results: Sequence[Asked], judge: str) -> str:
    """The whole report. name: of the file; judge: the model's name; empty for none."""
    asked = [one for one in results if one.outcome]
    unheld = sorted({one.row.doc_name for one in results if one.failure is Failure.INGESTED and not one.outcome})
    lines = [
        TITLE,
        f"File: {name}. Questions: {len(results)}; asked: {len(asked)}. Judge: {judge or 'none configured'}.",
        "",
        f"Filings that could not be had: {len(unheld)}{': ' if unheld else ''}{', '.join(unheld)}.",
        "",
        "|  | asked | answered | 1 | 0.5 | 0 | not judged | mean of those judged |",
        "|---|---|---|---|---|---|---|---|",
    ]
    kinds = dict.fromkeys(one.row.question_type or "no type" for one in asked)
    lines += [_row(kind, [one for one in asked if (one.row.question_type or "no type") == kind]) for kind in kinds]
    lines += [_row("all", asked), "", "|  |  |", "|---|---|"]
    judged = Counter(one.grade.how for one in asked)
    lines += [f"| judged: {how} | {count} |" for how, count in sorted(judged.items())]
    placed = [one for one in asked if one.pages]
    for depth in DEPTHS:
        found = sum(one.rank is not None and one.rank <= depth for one in placed)
        lines.append(f"| evidence page, hit@{depth} | {written(Share(found, len(placed)))} |")
    lines.append(f"| evidence on no page that is known | {len(asked) - len(placed)} |")
    lines += [f"| lost: {failure} | {_named(results, failure)} |" for failure in Failure]
    return "\n".join([*lines, ""])


def _row(name: str, results: Sequence[Asked]) -> str:
    scores = [one.grade.score for one in results if one.grade.score is not None]
    counts = Counter(map(str, scores))
    cells = [
        name,
        len(results),
        sum(one.outcome == "answered" for one in results),
        *(counts[score] for score in ("1", "0.5", "0")),
        len(results) - len(scores),
        f"{sum(scores) / len(scores):.2f}" if scores else "",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def _named(results: Sequence[Asked], failure: Failure) -> str:
    ids = [one.row.financebench_id for one in results if one.failure is failure]
    return f"{len(ids)}: {' '.join(ids)}" if ids else "0"
