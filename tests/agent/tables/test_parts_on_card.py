"""All parts of a company on the answer's card: rows of a table, and no readings of one question."""

import pytest

from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.cards.answer_card import tables
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("question", ["Calder revenue by segment 2025", "Calder revenue growth by segment 2025"])
def test_parts_of_a_company_are_no_readings_of_the_question(sample: Sample, question: str) -> None:
    answer = pipeline.answer(question, Deps.current())
    (card,) = tables(answer)
    assert len(card.asserted) == 3
    assert (card.readings, card.ambiguous) == ((), False)
    assert card.title.endswith(" by segment, fiscal 2025")


def test_two_measures_stand_side_by_side(sample: Sample) -> None:
    (card,) = tables(pipeline.answer("Apple revenue 2024 and net income 2024", Deps.current()))
    assert (len(card.readings), card.ambiguous) == (2, False)
