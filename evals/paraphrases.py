"""Single figures in many words: every name of every concept of the registry, in each frame, read by `agent.query`.

python -m evals.paraphrases             how many are read rightly, wrongly and refused, and each kind of refusal once
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()

from agent.numbers.concept import Concept
from agent.numbers.registry import load
from agent.query.explain import line
from agent.query.lexicon import key_of
from agent.query.question import read
from agent.registrants.companies import Companies
from agent.state.query import Query
from evals import golden

FRAMES = (
    "What was {c}'s {n} in {p}?", "{c} {n} {p}", "{n} of {c} for {p}", "How much {n} did {c} report in {p}?",
    "Could you tell me {c}'s {n} for {p}, please?", "{p} {n} {c}", "I need the {n} {c} reported for {p}.",
    "What {n} did {c} have in {p}?", "give me {n} for {c} {p} from the 10-K", "For {p}, what did {c} report as {n}?",
    "In {p}, {c}'s {n} came to how much?", "According to its annual report, what was {c}'s {n} in {p}?", "{c}: {n}, {p}",
)  # fmt: skip
ON_STATEMENT = {
    "balance": (
        "What was {c}'s {n} on the balance sheet at the end of {p}?", "{c} {n} per the balance sheet {p}",
        "How much {n} did {c} carry on its balance sheet at year end {p}?",
    ),
    "income": ("{c}'s {n} on the income statement {p}", "Looking at the income statement, what was {c}'s {n} in {p}?"),
    "cashflow": ("{c}'s {n} on the cash flow statement {p}", "per the statement of cash flows, {c}'s {n} in {p}"),
}  # fmt: skip


def questions(key: str, concept: Concept, company: str, period: str) -> Iterator[str]:
    """Each name of a concept in each frame."""
    for name in (concept.label.partition(" (")[0], *concept.aliases):
        for frame in (*FRAMES, *ON_STATEMENT.get(concept.statement, ())):
            yield frame.format(c=company, n=name, p=period)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--company", default="Apple")
    parser.add_argument("--period", default="FY2023")
    chosen = parser.parse_args(arguments)
    index, registry = Companies.current(), load()
    counts: Counter[str] = Counter()
    shown: set[tuple[str, str]] = set()
    for key, concept in registry.concepts.items():
        for question in questions(key, concept, chosen.company, chosen.period):
            found = read(question, index, registry, golden.TODAY)[0]
            figure = isinstance(found, Query) and not found.topics
            keys = {key_of(row.measure) for row in found.rows} if isinstance(found, Query) else set()
            kind = "refused" if not figure else "right" if key in keys else "wrong"
            counts[kind] += 1
            if kind != "right" and (key, line(found)) not in shown:
                shown.add((key, line(found)))
                sys.stdout.write(f"{kind} {key}: {question}\n    {line(found)}\n")
    sys.stdout.write(f"{dict(counts)} of {counts.total()}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
