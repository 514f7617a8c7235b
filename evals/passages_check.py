"""`python -m evals.passages_check`: how many of the passages that are shown are worth reading, as readers judged them.

Readers who saw a question and a passage alone said whether it answers, is worth reading, or is useless
(evals/judged_passages.jsonl: natural questions about 10-Ks of companies that nothing was trained on, many of which their
filing does not answer). The questions are asked again of a database that holds the filings. A passage is known by the
sentence that is marked in it first.
"""

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()

from agent.state import NearPassage, Scope
from diligence.statistics import Share
from evals.runner import ask
from filings.models import Filing

FILE = Path(__file__).with_name("judged_passages.jsonl")
ANSWERS, USELESS, UNKNOWN = "answers", "useless", "not judged"


@dataclass(frozen=True)
class Shown:
    """One question: how the passages shown are judged, in their order, and whether any passage judged of it answers."""

    judged: tuple[str, ...]
    answerable: bool


def asked(rows: Sequence[dict[str, Any]]) -> Iterator[Shown]:
    """What is shown for each question of a filing that the database holds."""
    for row in rows:
        filing = (
            Filing.objects.select_related("company").filter(accession=row["accession"]).exclude(indexed="").first()
        )
        if filing is None:
            continue
        scope = Scope(document=filing.accession, cik=filing.company.cik)
        answer = ask(row["question"], scope=scope).answer
        known = {(one["item"], one["start"]): one["judged"] for one in row["passages"]}
        near = [one for block in answer.blocks for one in block.passages]
        yield Shown(tuple(known.get((one.item, first(one)), UNKNOWN) for one in near), ANSWERS in {*known.values()})


def first(passage: NearPassage) -> int:
    """Where the sentence begins that is marked first."""
    return passage.marked[0][0] if passage.marked else passage.start


def report(shown: Sequence[Shown]) -> str:
    """The shares of passages and of questions."""
    columns = zip_longest(*(one.judged for one in shown))
    places = [Counter(judged for judged in column if judged) for column in columns]
    every = sum(places, Counter[str]())
    of = sum(every.values()) - every[UNKNOWN]
    due = [one for one in shown if one.answerable]
    lines = [
        f"{len(shown)} questions, {sum(every.values())} passages shown, {every[UNKNOWN]} of them not judged",
        f"  useless, of those judged                  {Share(every[USELESS], of)}",
        f"  answering, of those judged                {Share(every[ANSWERS], of)}",
        f"  one that answers shown, of those with one {Share(sum(ANSWERS in one.judged for one in due), len(due))}",
        f"  it is the first, of those with one        {Share(sum(one.judged[:1] == (ANSWERS,) for one in due), len(due))}",
    ]
    for place, counts in enumerate(places, 1):
        told = sum(counts.values()) - counts[UNKNOWN]
        lines.append(
            f"  passage {place}: useless {Share(counts[USELESS], told)}, answering {Share(counts[ANSWERS], told)}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=1_000_000, help="so many questions, evenly drawn")
    most = parser.parse_args().most
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    print(report(list(asked(rows[:: -(-len(rows) // max(1, most))]))))


if __name__ == "__main__":
    main()
