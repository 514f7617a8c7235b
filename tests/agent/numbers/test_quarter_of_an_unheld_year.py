"""A quarter that ends with a year whose own report is not held, and whose figures a later report has."""

import pytest

from agent.steps import pipeline
from agent.steps.deps import Deps
from evals.golden import TODAY
from filings.models import Filing
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
    listed = sample.filing("AAPL", 2023)
    listed.facts.all().delete()
    Filing.objects.filter(pk=listed.pk).update(facts_stored=0, chunks_stored=0)
    answer = pipeline.answer(question, Deps.current(TODAY))
    values = [cell.value for block in answer.blocks if block.table for cell in block.table.asserted]
    assert [int(value) for value in values if value is not None] == asserted
