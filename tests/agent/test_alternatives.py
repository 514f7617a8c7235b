"""A refusal offers only what answers, and shows no source."""

import pytest

from agent import pipeline
from agent.deps import Deps
from evals import golden
from evals.golden import Golden
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

REFUSED = [row for row in golden.read() if row.outcome == "refused"]
# Refusals of a question that names a covered company, a measure or a year can nearly always offer something.
OFFERING = {"year_not_ingested", "year_before_2015", "ambiguous_concept", "ratio", "year_over_year", "cross_company"}


@pytest.fixture(scope="module")
def offered() -> dict[str, str]:
    """Alternatives met so far, so that each is asked once."""
    return {}


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.id)
def test_every_alternative_of_every_refusal_answers(sample: Sample, row: Golden, offered: dict[str, str]) -> None:
    deps = Deps.current(golden.TODAY)
    answer = pipeline.answer(row.question, deps)
    blocks = [block for block in answer.blocks if block.refusal]
    for alternative in (one for block in blocks for one in block.alternatives):
        if alternative.question not in offered:
            offered[alternative.question] = pipeline.answer(alternative.question, deps).outcome
        assert offered[alternative.question] == "answered", alternative.question
    assert all(len(block.alternatives) <= 3 for block in blocks)
    assert all(not block.drafts for block in blocks)
    if answer.refusal_code in OFFERING:
        assert any(block.alternatives for block in blocks)
