"""The questions in the documents, asked of the sample, give what the documents say.

A block of a page, ```text question, has a question and lines `→ what comes back`. Each line is a whole one of the
answer: `refused: code`, or else, with company, measure and period, its results, then its figures, then its quotations.
"""

import re
from collections.abc import Iterator
from datetime import date

import pytest

from agent.numbers import table_text
from agent.numbers.render import shown
from agent.refusals.grammar import lower_first
from agent.runs.answer_json import asserted, place
from agent.state import Answer
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.precheck import problem_with
from tests.support.documents import PAGES
from tests.support.sample import Sample

BLOCK = re.compile(r"^```text question\n(.*)\n((?:→ .*\n)+)```$", re.MULTILINE)
ASKED = sorted({pair for page in PAGES for pair in BLOCK.findall(page.read_text(encoding="utf-8"))})
# Of more figures without a result, any may stand for all.
FEW = 3


def said(answer: Answer) -> Iterator[str]:
    """The answer in lines, the headline first."""
    scale = answer.plan.scale
    tables = [block.table for block in answer.blocks if block.table]
    yield from (f"refused: {block.refusal.code}" for block in answer.blocks if block.refusal)
    yield from (table_text.sentence(one, table, scale) for table in tables for one in table.results)
    for cell in asserted(answer):
        assert cell.value is not None
        what = f"{cell.company}, {lower_first(table_text.measure(cell))}, {cell.place.called}"
        yield f"{what}: {shown(cell.value, cell.unit, scale, reported=cell.fact is not None)}"
    yield from (f"{place(one)}: “{one.text}”" for block in answer.blocks for one in block.claims)
    yield from (note for block in answer.blocks for note in block.notes)


def test_there_are_questions_and_each_block_is_read() -> None:
    assert len(ASKED) > 20
    written = sum(page.read_text(encoding="utf-8").count("```text question") for page in PAGES)
    assert written == sum(len(BLOCK.findall(page.read_text(encoding="utf-8"))) for page in PAGES)


@pytest.mark.parametrize(("question", "expected"), ASKED)
def test_a_documented_question_gives_what_is_documented(sample: Sample, question: str, expected: str) -> None:
    if unread := problem_with(question):
        assert expected == f"→ refused: {unread}\n"
        return
    answer = pipeline.answer(question, Deps.current(date(2026, 6, 1)))
    lines = [*said(answer)]
    written = [line.removeprefix("→ ") for line in expected.splitlines()]
    assert [line for line in written if line not in lines] == [], lines
    results = [one for block in answer.blocks if block.table for one in block.table.results]
    many = answer.outcome == "answered" and not results and len(asserted(answer)) > FEW
    assert written[0] == lines[0] or many, lines
