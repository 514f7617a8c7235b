"""A quarter that ends with a year whose own report is not held, and whose figures a later report has."""

import pytest

from agent.steps import pipeline
from agent.steps.deps import Deps
from evals.golden import TODAY
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("question", "asserted"),
    [
        ("What was Apple's revenue in the quarter ended September 30, 2023?", []),
        ("What was Apple's revenue in the year ended September 30, 2023?", [383_285_000_000]),
    ],
)
def test_the_year_is_never_given_for_its_last_quarter(sample: Sample, question: str, asserted: list[int]) -> None:
    # Behind the years that are held: between two of them, the day is that of no year.
    sample["AAPL"].filings.annual().filter(fiscal_year__lte=2023).delete()
    answer = pipeline.answer(question, Deps.current(TODAY))
    values = [cell.value for block in answer.blocks if block.table for cell in block.table.asserted]
    assert [int(value) for value in values if value is not None] == asserted
