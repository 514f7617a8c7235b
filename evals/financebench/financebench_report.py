"""The report of `manage.py financebench`: figures, and each lost question with its cause, without its words."""

import statistics
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from diligence.statistics import Share
from evals import markdown
from evals.financebench.financebench import Bench
from evals.financebench.financebench_rows import DEPTHS, Asked, Failure

REPORT = Path(__file__).parents[1] / "reports" / "financebench.md"
TITLE = """# Questions in FinanceBench's form

`manage.py financebench --questions FILE --documents FOLDER`: every question of a file in the form of the public
FinanceBench, through the real pipeline. A truth that is a bare number is compared with the figures of the answer, rounded
to the truth's digits or within 2 %; all other answers are graded 0, 0.5 or 1 by the configured model, and without one they
are not judged. An answer that asserts nothing is 0; strictly right is 1 alone. The page is right where the answer cites or
shows something on a page of the evidence; hit@k tells how well a search of the document for the question's words alone
finds it.
"""


def rendered(name: str, results: Sequence[Asked], bench: Bench) -> str:
    """The whole report. name: of the file."""
    asked = [one for one in results if one.outcome]
    kinds = dict.fromkeys(one.row.question_type or "no type" for one in results)
    scope = "its document is chosen" if bench.limit == "document" else "nothing but its words names the document"
    lines = [
        TITLE,
        f"File: {name}. Questions: {len(results)}; asked: {len(asked)}, of each {scope}. "
        f"Answered {'with' if bench.answering else 'without'} a model; words judged by {'one' if bench.judging else 'nobody'}.",
        "",
    ]
    head = ("", "questions", "answered", "strictly right", "partly", "wrong figure", "not judged", "page right")
    by_kind = (_row(kind, [one for one in results if (one.row.question_type or "no type") == kind]) for kind in kinds)
    lines += markdown.table(head, (*by_kind, _row("all", results)), right=7)
    lines += ["", "|  |  |", "|---|---|"]
    lines.append(
        f"| strictly right | {markdown.share(Share(sum(one.grade.score == 1 for one in results), len(results)))} |"
    )
    placed = [one for one in asked if one.pages]
    for depth in DEPTHS:
        found = sum(one.rank is not None and one.rank <= depth for one in placed)
        lines.append(f"| evidence page, hit@{depth} | {markdown.share(Share(found, len(placed)))} |")
    causes = Counter(one.failure for one in results if one.failure)
    lines += [f"| lost by: {failure} | {causes[failure]} |" for failure in Failure if causes[failure]]
    if asked:
        lines.append(f"| seconds a question, median | {statistics.median(one.seconds for one in asked):.2f} |")
        lines.append(f"| tokens a question, median | {statistics.median(one.tokens for one in asked):,.0f} |")
        lines.append(f"| cost | ${sum((one.cost for one in asked), Decimal(0)):.2f} |")
    lines += ["", "| Lost | Document | Score | Cause | Refusal |", "|---|---|---:|---|---|"]
    lines += [
        f"| {one.row.financebench_id} | {one.row.doc_name} | {_score(one)} | {one.failure} | {one.code} |"
        for one in results
        if one.failure
    ]
    return "\n".join([*lines, ""])


def line(one: Asked) -> str:
    """One result in a line."""
    said = (one.row.financebench_id, _score(one), one.grade.how, one.failure, one.code, "page" if one.shown else "")
    return " ".join(filter(None, map(str, (part or "" for part in said))))


def is_wrong_figure(one: Asked) -> bool:
    """Whether an answer asserts figures of which none is the truth's."""
    return one.grade.score == 0 and one.grade.how in ("to the digit", "within 2 %")


def _score(one: Asked) -> str:
    return "" if one.grade.score is None else str(one.grade.score)


def _row(name: str, results: Sequence[Asked]) -> tuple[object, ...]:
    scores = Counter(_score(one) for one in results)
    placed = [one for one in results if one.pages]
    return (
        name,
        len(results),
        sum(one.outcome == "answered" for one in results),
        scores["1"],
        scores["0.5"],
        sum(map(is_wrong_figure, results)),
        scores[""],
        f"{sum(one.shown for one in placed)} of {len(placed)}",
    )
