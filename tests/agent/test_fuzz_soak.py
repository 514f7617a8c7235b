"""Large fuzz: content words put into every answered question of the tuning half, at every place."""

import random

import pytest
from rapidfuzz import fuzz

from agent.state import AgentState
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals import golden
from tests.agent.query.test_properties import CONTENT
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


# Words that alone change no figure where they are read at all: "give to me", "per AMD report", "buybacks in stock",
# "weighted diluted shares", which are an average in any case.
BINDING = {"by", "from", "per", "stock", "to", "weighted", "with"}


def is_said(content: str, question: str) -> bool:
    """Whether a question has a word already, be it misspelt, or a year by another name: FY2018 in "revenue fy18"."""
    year = content[-2:] if content[-4:].isdecimal() else content
    alike = any(fuzz.ratio(content.lower(), word.lower()) >= 80 for word in question.split())
    return alike or content.lower() in question.lower() or year in question


def figures(state: AgentState) -> list[tuple[str, str, str]]:
    """What a state would answer and what it says is not there, as measure and accession; and what else it tells of."""
    refused = {refusal.target for refusal in state.refusals}
    tables = [one.table for one in state.tables if one.target not in refused]
    cells = [(one.measure, one.accession, "") for table in tables for one in table.cells if one.asked]
    made = [(one.label, "", one.operation) for table in tables for one in table.results]
    told = [(target.topic.text, "", "") for target in (state.plan.targets if state.plan else ()) if target.topic]
    return cells + made + told if cells else []


@pytest.mark.parametrize("part", range(4))
def test_a_content_word_never_leaves_the_same_figure_in_silence(sample: Sample, part: int) -> None:
    deps = Deps.current(golden.TODAY)
    choose = random.Random(part)  # noqa: S311 - which words are tried, not a secret
    rows = [row for row in golden.read("tune") if row.outcome == "answered"][part::4]
    silent = []
    for row in rows:
        words = row.question.split()
        due = figures(pipeline.run(row.question, deps))
        for content in CONTENT:
            place = choose.randrange(len(words) + 1)
            changed = " ".join([*words[:place], content, *words[place:]])
            if content in BINDING or is_said(content, row.question):
                continue
            if due and figures(pipeline.run(changed, deps)) == due:
                silent.append(changed)
    assert silent == []
