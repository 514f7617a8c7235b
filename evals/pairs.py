"""`python -m evals.pairs`: questions on sentences of real filings, asked without a model; what is said, shown and marked.

The questions stand beside the project (pairs/pairs.jsonl.xz), on filings that the database must hold. A question is asked
as one that goes on from another about the filing it was written on. Nothing is fitted on the companies that are held out.
Only sentences of one window are known to answer: what else of the filing answers counts as wrong.
"""

import argparse
import json
import lzma
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()

from agent.prose import passages
from agent.prose.narrowing import narrowed
from agent.prose.topics import kind_of
from agent.state import AgentState, Answer, CompanyRef, NearPassage, Passage, Period, PeriodForm, Query
from agent.state.query import Years
from agent.steps import pipeline
from agent.steps.blocks import conclude
from agent.steps.deps import Deps
from diligence.statistics import Share
from evals.golden import TODAY
from evals.prose_harness import Range, texts, touches
from evals.prose_truth import fingerprint, locate_all
from filings.models import Filing

PATH = Path(__file__).resolve().parents[1] / "../shared/pairs/pairs.jsonl.xz"
HELD_OUT = frozenset({"ABBV", "AMZN", "AVGO", "BRK-B", "GM", "KO", "META", "TMO"})
SEED = 7
# Passages of the candidates whose order is measured.
DEEPEST = 20


@dataclass(frozen=True)
class Pair:
    """A question on a window of sentences. answers: those that answer it, none for a near miss; others: the rest."""

    ticker: str
    accession: str
    fiscal_year: int
    style: str
    question: str
    answers: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def held_out(self) -> bool:
        return self.ticker in HELD_OUT


@dataclass
class Shown:
    """The result of one question. truths: the positions of the sentences that answer it."""

    pair: Pair
    outcome: str
    truths: list[Range]
    claims: list[Range] = field(default_factory=list)
    passages: list[Range] = field(default_factory=list)
    marked: list[Range] = field(default_factory=list)
    found: list[list[Range]] = field(default_factory=list)  # of each passage found, best first
    ranked: list[list[Range]] = field(default_factory=list)  # of the best of the candidates, before few are chosen
    candidates: list[list[Range]] = field(default_factory=list)  # of each passage that the search gave to choose from
    kind: str = ""  # agent.prose.topics.kind_of
    ms: float = 0.0

    @property
    def quotes(self) -> bool:
        """Whether sentences or rows are asserted, rather than figures of the statements."""
        return bool(self.claims)

    @property
    def on_point(self) -> bool:
        return any(touches(one, self.truths) for one in self.claims)

    @property
    def evidence(self) -> bool:
        """Whether an answering sentence is on the page: quoted, or in a passage."""
        return any(touches(one, self.truths) for one in (*self.claims, *self.passages))

    @property
    def pointed_at(self) -> bool:
        """Whether an answering sentence is quoted or marked."""
        return any(touches(one, self.truths) for one in (*self.claims, *self.marked))

    @property
    def first(self) -> bool:
        """Whether the first passage shown holds an answering sentence."""
        return bool(self.passages) and touches(self.passages[0], self.truths)

    @property
    def is_candidate(self) -> bool:
        return holds(self.candidates, self.truths)

    def recall(self, depth: int) -> bool:
        return holds(self.found[:depth], self.truths)

    def recall_before(self, depth: int) -> bool:
        """Of the candidates in their order, whether or not so many are read."""
        return holds(self.ranked[:depth], self.truths)


def holds(found: Sequence[list[Range]], truths: list[Range]) -> bool:
    return any(touches(span, truths) for spans in found for span in spans)


def pairs(path: Path = PATH) -> Iterator[Pair]:
    """Every question, followed by the near miss of its window."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row: dict[str, Any] = json.loads(line)
            of = row["ticker"], row["accession"], row["fiscal_year"]
            for one in row["questions"]:
                answers = tuple(row["sentences"][place - 1] for place in one["answers"])
                others = tuple(said for said in row["sentences"] if said not in answers)
                yield Pair(*of, one["style"], one["question"], answers, others)
            yield Pair(*of, "near", row["near"], (), tuple(row["sentences"]))


def ask(pair: Pair) -> Shown | None:
    """Ask a question as a follow-up to one about its filing, so that it need not name the company; None where that is
    not available.
    """
    filing = Filing.objects.select_related("company").filter(accession=pair.accession).exclude(indexed="").first()
    if filing is None:
        return None
    company = CompanyRef(
        cik=filing.company.cik, name=filing.company.name, short=filing.company.called, symbol=pair.ticker, covered=True
    )
    period = Period(form=PeriodForm.FISCAL, year=filing.fiscal_year, text=f"fiscal {filing.fiscal_year}")
    before = Query(companies=(company,), periods=Years(periods=(period,)))
    deps = Deps.current(TODAY)
    candidates: list[Passage] = []
    ranked: list[Passage] = []

    def listening(*given: Any) -> list[Passage]:
        candidates.extend(given[4])
        ranked.extend(narrowed(*given[:-1], DEEPEST))
        return narrowed(*given)

    started = time.perf_counter()
    with mock.patch.object(passages, "narrowed", listening):
        state = pipeline.run(pair.question, deps, previous=before)
        ms = (time.perf_counter() - started) * 1000
        answer = conclude(state, deps, lambda question: False)
    shown = judged(pair, state, answer, ms)
    topics = [target.topic for target in state.plan.targets if target.topic] if state.plan else []
    return replace(
        shown, candidates=ranges(candidates), ranked=ranges(ranked), kind=kind_of(topics[0]) if topics else "no text"
    )


def judged(pair: Pair, state: AgentState, answer: Answer, ms: float) -> Shown:
    """The result of a question, with the positions of its answers."""
    claims = [(one.section, one.start, one.end) for block in answer.blocks for one in block.claims]
    near = [one for block in answer.blocks for one in block.passages]
    return Shown(
        pair=pair,
        outcome=answer.outcome,
        truths=truths(pair),
        claims=claims,
        passages=[span for one in near for span in spans(one)],
        marked=[(one.section, start, end) for one in near for start, end in one.marked],
        found=[
            [(one.section, start, end) for start, end in one.ranges]
            for retrieval in (*state.retrievals, *(block.retrieval for block in answer.blocks if block.refusal))
            for one in (retrieval.passages if retrieval else ())
        ],
        ms=ms,
    )


def ranges(found: Sequence[Passage]) -> list[list[Range]]:
    return [[(one.section, start, end) for start, end in one.ranges] for one in found]


def spans(one: NearPassage) -> list[Range]:
    return [(one.section, start, end) for start, end in one.ranges]


def truths(pair: Pair) -> list[Range]:
    """Every position of the answering sentences, in the filing's sections."""
    marks = [fingerprint(one) for one in pair.answers]
    return [
        (section, start, end)
        for section, _, text in texts(pair.accession)
        for mark in marks
        for start, end in locate_all(text, *mark)
    ]


def report(shown: Sequence[Shown]) -> str:
    """The measures of questions without a model, on answerable questions and on near misses."""
    due = [one for one in shown if one.truths]
    near = [one for one in shown if not one.pair.answers]
    answered = [one for one in due if one.quotes]
    lines = [
        f"{len(due)} answerable questions, {len(near)} near misses",
        f"  answered by quotations                   {share(due, lambda one: one.quotes)}",
        f"  of these on point                        {share(answered, lambda one: one.on_point)}",
        f"  shown as passages                        {share(due, lambda one: one.outcome == 'passages')}",
        f"  answered by figures or data              {share(due, lambda one: one.outcome == 'answered' and not one.quotes)}",
        f"  refused                                  {share(due, lambda one: one.outcome == 'refused')}",
        f"  evidence among the first 8 passages      {share(due, lambda one: one.recall(8))}",
        f"  evidence among the first 5 passages      {share(due, lambda one: one.recall(5))}",
        f"  evidence quoted or in a passage shown    {share(due, lambda one: one.evidence)}",
        f"  a right sentence quoted or marked        {share(due, lambda one: one.pointed_at)}",
        f"  near misses answered by quotations       {share(near, lambda one: one.quotes)}",
        f"  near misses refused                      {share(near, lambda one: one.outcome == 'refused')}",
    ]
    for style in sorted({one.pair.style for one in due}):
        of = [one for one in due if one.pair.style == style]
        said = [one for one in of if one.quotes]
        lines.append(
            f"  {style:12} {len(of):4}: on point {share(said, lambda one: one.on_point)}, "
            f"found {share(of, lambda one: one.recall(8))}, shown {share(of, lambda one: one.evidence)}, "
            f"marked {share(of, lambda one: one.pointed_at)}"
        )
    lines += by_kind(due)
    times = sorted(one.ms for one in shown)
    lines.append(f"  median {times[len(times) // 2]:.0f} ms, 95th percentile {times[int(len(times) * 0.95)]:.0f} ms")
    return "\n".join(lines)


def by_kind(due: Sequence[Shown]) -> Iterator[str]:
    """Where the evidence is lost, by what is asked for: not among the candidates, not on top of them, or not shown."""
    columns: dict[str, Callable[[Shown], bool]] = {
        "candidate": lambda one: one.is_candidate,
        "in 20": lambda one: one.recall_before(20),
        "in 8": lambda one: one.recall(8),
        "in 5": lambda one: one.recall(5),
        "in 1": lambda one: one.recall(1),
        "shown": lambda one: one.evidence,
        "first shown": lambda one: one.first,
    }
    yield ""
    yield f"| kind | questions | {' | '.join(columns)} |"
    yield f"|---|{'---:|' * (len(columns) + 1)}"
    kinds = Counter(one.kind for one in due)
    for kind in (*(kind for kind, _ in kinds.most_common()), ""):
        of = [one for one in due if kind in {one.kind, ""}]
        counts = (sum(map(right, of)) for right in columns.values())
        yield f"| {kind or 'all'} | {len(of)} | {' | '.join(map(str, counts))} |"


def share(among: Sequence[Shown], right: Callable[[Shown], bool]) -> Share:
    return Share(sum(map(right, among)), len(among))


def sample(held_out: bool, most: int) -> list[Pair]:
    """So many questions of held-out companies, or of the others, the same each time."""
    found = [one for one in pairs() if one.held_out is held_out]
    random.Random(SEED).shuffle(found)  # noqa: S311 - a draw that can be repeated
    return found[:most]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--others", action="store_true", help="the companies that are not held out")
    parser.add_argument("--most", type=int, default=1_000_000)
    asked = parser.parse_args()
    if not PATH.is_file():
        sys.exit(f"There are no questions at {PATH}.")
    shown = [one for pair in sample(not asked.others, asked.most) if (one := ask(pair))]
    print(report(shown))


if __name__ == "__main__":
    main()
