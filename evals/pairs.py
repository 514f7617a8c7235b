"""Questions on sentences of real filings, which weights are fitted on: each with the sentences that answer it.

They stand beside the project (pairs/pairs.jsonl.xz), on filings that the database must hold. A question is asked as one that
goes on from another about the filing it was written on. Nothing is fitted on the companies that are held out.
"""

import json
import lzma
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.state import CompanyRef, Period, PeriodForm, Query
from agent.state.query import Years
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals.golden import TODAY
from evals.prose_harness import Range, texts
from evals.truths.prose_truth import fingerprint, locate_all
from filings.models import Filing

PATH = Path(__file__).resolve().parents[1] / "../shared/pairs/pairs.jsonl.xz"
HELD_OUT = frozenset({"ABBV", "AMZN", "AVGO", "BRK-B", "GM", "KO", "META", "TMO"})
SEED = 7


@dataclass(frozen=True, slots=True)
class Pair:
    """A question on a window of sentences. answers: those that answer it, none for a near miss; others: the rest."""

    ticker: str
    accession: str
    fiscal_year: int
    question: str
    answers: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def pairs(path: Path = PATH) -> Iterator[Pair]:
    """Every question, followed by the near miss of its window."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row: dict[str, Any] = json.loads(line)
            of = row["ticker"], row["accession"], row["fiscal_year"]
            for one in row["questions"]:
                answers = tuple(row["sentences"][place - 1] for place in one["answers"])
                others = tuple(said for said in row["sentences"] if said not in answers)
                yield Pair(*of, one["question"], answers, others)
            yield Pair(*of, row["near"], (), tuple(row["sentences"]))


def ask(pair: Pair) -> list[Range] | None:
    """Ask a question as a follow-up to one about its filing, so that it need not name the company: every position of the
    sentences that answer it. None where the filing is not held.
    """
    filing = Filing.objects.select_related("company").filter(accession=pair.accession).exclude(indexed="").first()
    if filing is None:
        return None
    company = CompanyRef(
        cik=filing.company.cik, name=filing.company.name, short=filing.company.called, symbol=pair.ticker, covered=True
    )
    period = Period(form=PeriodForm.FISCAL, year=filing.fiscal_year, text=f"fiscal {filing.fiscal_year}")
    before = Query(companies=(company,), periods=Years(periods=(period,)))
    pipeline.run(pair.question, Deps.current(TODAY), previous=before)
    marks = [fingerprint(one) for one in pair.answers]
    return [
        (section, start, end)
        for section, _, text in texts(pair.accession)
        for mark in marks
        for start, end in locate_all(text, *mark)
    ]


def sample(most: int) -> list[Pair]:
    """So many questions of companies that are not held out, the same each time."""
    found = [one for one in pairs() if one.ticker not in HELD_OUT]
    random.Random(SEED).shuffle(found)  # noqa: S311 - a draw that can be repeated
    return found[:most]
