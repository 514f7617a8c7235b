"""The questions in the documents, asked of the sample, give what the documents say.

A block of a page, ```text question, has a question and lines `→ what comes back`. Each line is a whole one of the
answer: `refused: code`, or else, with company, measure and period, its results, then its figures, then its quotations, then
the sentences that are marked in the closest passages.
A question that needs more than the sample says what behind a colon: ```text question: search is down. A follow-up says
behind which question it is asked: ```text question: behind Apple revenue in fiscal 2024.
"""

import re
from collections.abc import Iterator
from datetime import date

import pytest
from pytest_django import Settings

from agent.numbers.facts.render import shown
from agent.numbers.tables import table_text
from agent.refusals import nearest_question
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first
from agent.runs import spending
from agent.runs.answer_json import asserted, place
from agent.runs.scope_checks import checked
from agent.state import AgentState, Answer
from agent.steps import pipeline
from agent.steps.deps import Deps, Grant, open_to_visitors
from agent.steps.precheck import problem_with
from filings.models import Section
from tests.support.documents import PAGES, ROOT
from tests.support.sample import Sample
from tests.support.searchable import search_down

TODAY = date(2026, 6, 1)
BLOCK = re.compile(r"^```text question(?:: (.*))?\n(.*)\n((?:→ .*\n)+)```$", re.MULTILINE)
ASKED = sorted({pair for page in PAGES for pair in BLOCK.findall(page.read_text(encoding="utf-8"))})
# Of more figures without a result, any may stand for all.
FEW = 3


def said(answer: Answer) -> Iterator[str]:
    """The answer in lines, the headline first."""
    scale = answer.plan.scale
    tables = [block.table for block in answer.blocks if block.table]
    yield from filter(None, [nearest_question.line(answer.plan)])
    yield from (f"refused: {block.refusal.code}" for block in answer.blocks if block.refusal)
    yield from (table_text.sentence(one, table, scale) for table in tables for one in table.results)
    for cell in asserted(answer):
        assert cell.value is not None
        what = f"{cell.company}, {lower_first(table_text.measure(cell))}, {cell.place.called}"
        yield f"{what}: {shown(cell.value, cell.unit, scale, reported=cell.fact is not None)}"
    yield from (f"{place(one)}: “{one.text}”" for block in answer.blocks for one in block.claims)
    yield from (
        f"Closest passage, {place(one)}: “{section_text(one.section)[start:end]}”"
        for block in answer.blocks
        for one in block.passages
        for start, end in one.marked
    )
    yield from (note for block in answer.blocks for note in block.notes)


def section_text(key: int) -> str:
    return Section.objects.values_list("text", flat=True).get(pk=key)


def test_there_are_questions_and_each_block_is_read() -> None:
    assert len(ASKED) > 20
    written = sum(page.read_text(encoding="utf-8").count("```text question") for page in PAGES)
    assert written == sum(len(BLOCK.findall(page.read_text(encoding="utf-8"))) for page in PAGES)


def visitor(settings: Settings, question: str) -> Answer:
    """Without an account, where ANON_TICKERS names Apple alone."""
    settings.ANON_TICKERS = ["AAPL"]
    return pipeline.answer(question, Deps.current(TODAY, grant=Grant(ciks=open_to_visitors())))


def two_answers_left(settings: Settings, question: str) -> Answer:
    grant = Grant(hold=lambda cells: "Too many." if spending.of_cells(cells).answers > 2 else "")
    return pipeline.answer(question, Deps.current(TODAY, grant=grant))


def search_is_down(settings: Settings, question: str) -> Answer:
    search_down(settings, "NWND", 2025)
    return pipeline.answer(question, Deps.current(TODAY))


def text_loaded_anew(settings: Settings, question: str) -> Answer:
    """The sections of the sentences found change before these are checked."""

    def change(node: str, before: AgentState, after: AgentState, ms: float) -> None:
        if node == "validate":
            Section.objects.filter(pk__in=[one.section for one in after.claims]).update(text="Loaded anew.")

    return pipeline.answer(question, Deps.current(TODAY), change)


def limited_to_a_10_q(settings: Settings, question: str) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY), scope=checked({"document": "9999999902-26-000007"}))


def as_it_is(settings: Settings, question: str) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY))


def behind(settings: Settings, question: str) -> Answer:
    """A follow-up, behind the question that its line names."""
    before, _, question = question.partition("\n")
    deps = Deps.current(TODAY)
    return pipeline.answer(question, deps, previous=pipeline.answer(before, deps).plan.query)


BEHIND = "behind "
STATES = {
    "": as_it_is,
    "a visitor": visitor,
    "two answers left": two_answers_left,
    "limited to a 10-Q": limited_to_a_10_q,
    "search is down": search_is_down,
    "text loaded anew": text_loaded_anew,
}


@pytest.mark.parametrize(("state", "question", "expected"), ASKED)
def test_a_documented_question_gives_what_is_documented(
    sample: Sample, settings: Settings, state: str, question: str, expected: str
) -> None:
    unread = problem_with(question)
    if state.startswith(BEHIND):
        answer = behind(settings, f"{state.removeprefix(BEHIND)}\n{question}")
    else:
        answer = STATES[state](settings, "" if unread else question)
    lines = [f"refused: {unread}"] if unread else [*said(answer)]
    written = [line.removeprefix("→ ") for line in expected.splitlines()]
    assert [line for line in written if line not in lines] == [], lines
    results = [one for block in answer.blocks if block.table for one in block.table.results]
    many = answer.outcome == "answered" and not results and len(asserted(answer)) > FEW
    assert written[0] == lines[0] or many, lines


@pytest.mark.parametrize(("state", "question"), [one[:2] for one in ASKED if one[0] and not one[0].startswith(BEHIND)])
def test_a_state_is_what_refuses(sample: Sample, state: str, question: str) -> None:
    assert pipeline.answer(question, Deps.current(TODAY)).outcome == "answered"


def test_every_refusal_has_its_paragraph_and_its_example() -> None:
    text = (ROOT / "docs" / "refusals.md").read_text(encoding="utf-8")
    described = re.split(r"^`(\w+)`: ", text, flags=re.MULTILINE)[1:]
    codes, paragraphs = described[::2], described[1::2]
    assert sorted(codes) == sorted(Code)
    examples = {
        code: [told for _, _, told in BLOCK.findall(each)] for code, each in zip(codes, paragraphs, strict=True)
    }
    assert examples == {code: [f"→ refused: {code}\n"] for code in codes}
