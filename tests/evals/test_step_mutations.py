"""Corruptions between the steps: of one question each, every class is tried, nothing false is shown, nothing true is lost."""

import random

import pytest

from evals import golden, prose_golden
from evals.mutations import figure_mutations, mutation_report, step_mutations, table_variations
from evals.mutations.step_mutations import Asked, Tally, Truth, ask, figure_mutants, text_mutants
from evals.truths.witness import Witness
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db
# Of a fact, of a formula, of an operation, and of a whole statement.
FIGURES = (
    "What was Apple's R&D spend in FY2024?",
    "What gross margin did Apple earn in fiscal 2023?",
    "Apple revenue growth fiscal 2022 to 2024",
    "Which company had the higher net income in 2023, Apple or Microsoft?",
    "cash flow statement visa fy2023",
)


def chosen() -> random.Random:
    return random.Random(1)  # noqa: S311 - a sample, not a secret


@pytest.fixture
def asked(sample: Sample) -> list[Asked]:
    return [ask(f"q{number}", question) for number, question in enumerate(FIGURES)]


def test_no_corrupted_figure_is_shown(asked: list[Asked]) -> None:
    strangers = [cell for one in asked if one.table for cell in one.table.asserted]
    seeded, tally, witness = chosen(), Tally(), Witness()
    for one in asked:
        truth = Truth(one, witness)
        for mutant in figure_mutants(one, strangers, seeded):
            tally.count(mutant.kind, not truth.false_of(one.answered(mutant.step, mutant.state)), one.id)
    assert tally.survivors == []
    assert set(tally.counted) == set(figure_mutations.CLASSES)


def test_no_corrupted_text_is_shown(sample: Sample) -> None:
    row = next(one for one in prose_golden.read(prose_golden.SAMPLE) if one.id == "st048")
    whole = ask(row.id, row.question, row.cik, row.accession)
    texts = [whole, *step_mutations.quoting(whole)]
    assert len(texts) == 2
    for one in texts:
        truth = Truth(one, Witness())
        for mutant in text_mutants(one, texts, chosen()):
            assert truth.false_of(one.answered(mutant.step, mutant.state)) == [], mutant.kind


def test_a_false_figure_that_is_shown_is_counted(asked: list[Asked]) -> None:
    one = asked[0]
    state = one.behind["cite_check"]  # behind the last check
    table = state.tables[0].table
    cell = table.cells[-1].model_copy(update={"value": (table.cells[-1].value or 0) + 1})
    changed = step_mutations.with_table(state, figure_mutations.of_cell(table, len(table.cells) - 1, cell))
    (false,) = Truth(one, Witness()).false_of(one.answered("cite_check", changed))
    assert false.value == cell.value
    tally = Tally()
    tally.count("value", False, "q0")
    failed = mutation_report.failures(tally, Tally(), whole=True)
    assert failed == ["false is shown, value: q0", "only 1 mutations", "only 0 benign variations"]


def test_a_table_in_another_order_is_the_same(asked: list[Asked]) -> None:
    for one in asked:
        state = one.behind["retrieve"]
        for kind, table in table_variations.benign(state.tables[0].table):
            answer = one.answered("retrieve", step_mutations.with_table(state, table))
            assert step_mutations.core(answer) == step_mutations.core(one.answer), kind


def test_a_golden_that_is_answered_is_used(sample: Sample) -> None:
    assert next(step_mutations.of_figures(len(golden.read()))).id == golden.read()[0].id
