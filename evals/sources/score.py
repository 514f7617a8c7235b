"""Asks the questions on documents other than 10-Ks, and grades the answers by kind of document.

python -m evals.sources.score [--kind 10-Q] [--half tune] [--list] [--report evals/reports/sources.md]

The database must hold the documents (`python -m evals.sources.corpus`). Truths are those of questions.jsonl, and of
calls.jsonl and releases.jsonl of ../shared/questions/sources where they are there. It asks without a language model.
"""

import argparse
import json
import lzma
import os
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path, PurePath
from typing import Any

import django

from evals.sources.check import FORMS, Question, mirrored, questions, text_of

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()

from agent.numbers.cells.row_expressions import AS_COMPANIES_PRINT
from evals import markdown
from filings.models.report import imported_accession

SHARED = FORMS.parent / "questions/sources"
# A statement is given where so large a part of its words is.
OVERLAP = 0.6
# Questions are asked on the day by which every document of the mirror was filed.
TODAY = date(2026, 10, 1)
_WORD = re.compile(r"[a-z0-9][a-z0-9.,]*[a-z0-9]|[a-z0-9]", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
GRADES = ("right", "shown", "refused", "beside", "wrong figure")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its truth: figures as numbers, statements as texts; neither where it must be refused."""

    id: str
    kind: str
    half: str
    question: str
    figures: tuple[Decimal, ...] = ()
    statements: tuple[str, ...] = ()
    every: bool = False  # whether all statements are due, and not any of them
    accessions: tuple[str, ...] = ()

    @property
    def refused(self) -> bool:
        return not (self.figures or self.statements)


@dataclass(frozen=True, slots=True)
class Graded:
    """How one question was answered. first: whether the first document looked in is the right one; None where unknown."""

    asked: Asked
    grade: str
    first: bool | None
    text: str


def own() -> Iterator[Asked]:
    """The questions of this folder."""
    for row in questions():
        yield Asked(
            row.id,
            row.kind,
            row.half,
            row.question,
            tuple(one.value for one in row.truth.figures),
            tuple(said(row)),
            row.truth.need == "all",
            (*row.accessions, *imported(row)),
        )


def imported(row: Question) -> Iterator[str]:
    """The keys of a question's documents where these are imported, as those that no list of EDGAR has."""
    for key in zip(row.accessions, row.documents, strict=True):
        yield imported_accession(lzma.decompress(mirrored(FORMS)[key].read_bytes()))


def said(row: Question) -> Iterator[str]:
    documents = dict(zip(row.accessions, row.documents, strict=True))
    for one in row.truth.evidences:
        yield text_of(one.accession, documents[one.accession])[one.start : one.end]


def shared() -> Iterator[Asked]:
    """The questions of ../shared on calls and releases, where they are there."""
    for row in rows(SHARED / "calls.jsonl"):
        quotes = tuple(row["truth"]["quotes"])
        yield Asked(row["id"], "call", "", row["question"], statements=quotes, accessions=())
    for row in rows(SHARED / "releases.jsonl"):
        value = Decimal(str(row["value"]))
        if not is_printed(value, row["accession"], PurePath(row["document"]).name):
            continue
        measure = {"eps_diluted": "diluted EPS"}.get(row["measure"], row["measure"].replace("_", " "))
        end = date.fromisoformat(row["quarter_end"])
        question = (
            f"What was {row['ticker']}'s {measure} in the quarter ended {end:%B} {end.day}, {end.year}, "
            "according to its earnings release?"
        )
        yield Asked(row["id"], "release", "", question, figures=(value,))


@cache
def printed_in(accession: str, document: str) -> frozenset[Decimal]:
    return frozenset(printed(text_of(accession, document)))


def is_printed(value: Decimal, accession: str, document: str) -> bool:
    """Whether a release prints a value: what is a year less nine months may be of two measures, and stands nowhere."""
    return stands_in(value, printed_in(accession, document))


def rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def graded(asked: Asked, result: dict[str, Any], accessions: Sequence[str]) -> Graded:
    """The grade of one answer. result: a row of `agent.runs.answer_json`. accessions: the documents looked in, in order."""
    claims = [f"{one['quote']} {as_row(one)}" for one in result["claims"]]
    passages = [one["text"] for one in result["passages"]]
    values = [found for one in result["values"] if (found := number(one["value"])) is not None]
    # What a document prints beside a figure of another definition is said as well as quoted.
    claims += [str(one["value"]) for one in result["table"] if AS_COMPANIES_PRINT in one["measure"]]
    first = (accessions[0] in asked.accessions if accessions else False) if asked.accessions else None
    if asked.refused:
        grade = "right" if result["outcome"] in {"refused", "passages"} else "beside"
    elif asked.figures:
        grade = of_figures(asked.figures, values, claims, passages)
    else:
        grade = of_statements(asked, claims, passages)
    if grade == "refused" and claims:
        grade = "beside"
    return Graded(asked, grade, first, result["text"])


def as_row(claim: dict[str, Any]) -> str:
    row = claim["row"]
    return " ".join(cell for cells in row["rows"] for cell, _ in cells) if row else ""


def of_figures(
    due: Sequence[Decimal], values: Sequence[Decimal], claims: Sequence[str], passages: Sequence[str]
) -> str:
    stated = [one for text in claims for one in printed(text)]
    if all(any(equal(one, value) for value in values) or stands_in(one, stated) for one in due):
        return "right"
    if values and not any(equal(one, value) for one in due for value in values):
        return "wrong figure"
    shown = [one for text in (*claims, *passages) for one in printed(text)]
    return "shown" if all(stands_in(one, shown) for one in due) else "refused"


def of_statements(asked: Asked, claims: Sequence[str], passages: Sequence[str]) -> str:
    needed = all if asked.every else any
    if needed(any(is_given(one, text) for text in claims) for one in asked.statements):
        return "right"
    everything = (*claims, *passages)
    return (
        "shown" if needed(any(is_given(one, text) for text in everything) for one in asked.statements) else "refused"
    )


def is_given(statement: str, text: str) -> bool:
    """Whether a text has most of the words of a statement, or is most of it."""
    one, other = Counter(words(statement)), Counter(words(text))
    shared = sum((one & other).values())
    return shared >= OVERLAP * sum(one.values()) or (sum(other.values()) > 6 and shared >= 0.9 * sum(other.values()))


def words(text: str) -> list[str]:
    return [one.lower() for one in _WORD.findall(text)]


def printed(text: str) -> list[Decimal]:
    return [Decimal(one.replace(",", "").rstrip(".")) for one in _NUMBER.findall(text)]


def stands_in(value: Decimal, found: Collection[Decimal]) -> bool:
    """Whether a number is printed, in any power of a thousand, or as percent."""
    forms = {abs(value).scaleb(-scale) for scale in (0, 3, 6, 9)} | {abs(value).scaleb(2)}
    return any(one in forms for one in found)


def equal(one: Decimal, other: Decimal) -> bool:
    """Whether a figure is the truth, as far as that is printed: 10.4 billion is 10,447 million rounded."""
    printed = one.normalize().as_tuple()
    rounding = Decimal(5).scaleb(int(printed.exponent) - 1) if len(printed.digits) > 1 else Decimal(0)
    near = max(abs(one) * Decimal("0.001"), rounding)
    return abs(one - other) <= near or abs(one - other * 100) <= near


def number(text: str) -> Decimal | None:
    try:
        return Decimal(str(text))
    except InvalidOperation:
        return None


def ask(asked: Asked) -> Graded:
    """Ask one question of the database, without a model."""
    from agent.runs.answer_json import row
    from agent.steps.deps import Deps
    from agent.steps.pipeline import answer

    found = answer(asked.question, Deps.current(TODAY))
    # Figures are facts, of whichever filing has them.
    if any(block.table for block in found.blocks):
        asked = replace(asked, accessions=())
    looked_in = [filing.accession for block in found.blocks for filing in block.filings]
    looked_in += [one for block in found.blocks if block.refusal for one in block.refusal.accessions]
    return graded(asked, row(asked.id, found, 0.0), looked_in)


def table(found: Sequence[Graded]) -> Iterator[str]:
    """The counts by kind, in Markdown."""
    kinds = (*dict.fromkeys(one.asked.kind for one in found), "all")
    head = ("Kind", "Questions", *GRADES, "Right or shown", "Right document first")
    yield from markdown.table(head, (counted(kind, found) for kind in kinds), right=len(head) - 1)
    must = [one for one in found if one.asked.refused]
    yield ""
    yield f"Refused rightly: {sum(one.grade == 'right' for one in must)} of {len(must)}."


def counted(kind: str, found: Sequence[Graded]) -> Iterator[object]:
    """The row of a kind, or of all."""
    own = [one for one in found if kind in ("all", one.asked.kind)]
    counts = Counter(one.grade for one in own)
    firsts = [one.first for one in own if one.first is not None and not one.asked.refused]
    yield from (kind, len(own), *(counts[grade] for grade in GRADES))
    yield f"{100 * (counts['right'] + counts['shown']) / len(own):.1f} %"
    yield f"{sum(firsts)} of {len(firsts)}" if firsts else ""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", help="only questions of this kind: 10-Q, 8-K, DEF 14A, 20-F, call, release")
    parser.add_argument("--half", help="tune or check, by company")
    parser.add_argument("--list", action="store_true", help="print each question that is not right")
    parser.add_argument("--report", type=Path, help="write the table to this file")
    chosen = parser.parse_args(arguments)
    if not FORMS.is_dir():
        sys.stderr.write("../shared/forms is not there: nothing is asked.\n")
        return 0
    found = [
        ask(one) for one in (*own(), *shared()) if chosen.kind in (None, one.kind) and chosen.half in (None, one.half)
    ]
    for row in found if chosen.list else ():
        if row.grade != "right":
            print(f"--- {row.asked.id} {row.grade}: {row.asked.question}\n{row.text[:700]}\n")
    lines = list(table(found))
    print("\n".join(lines))
    if chosen.report:
        chosen.report.write_text("# Questions on other documents\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
