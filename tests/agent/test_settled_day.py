"""Whether "as of" and a day name the day of the figures or the day they were known, by the company's own calendar."""

from datetime import date
from decimal import Decimal

import pytest

from agent.refusals.codes import Code
from agent.state import Answer
from agent.steps import pipeline
from agent.steps.deps import Deps
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


def answered(question: str) -> Answer:
    return pipeline.answer(question, Deps.current())


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("Apple cash 2023 as of 30 Sep 2023", None),
        ("Apple cash 2023 as of September 2023", None),
        ("Apple revenue 2020 to 2023 as of March 2024", date(2024, 3, 31)),
        ("Apple revenue fiscal 2023 as of March 31, 2024", date(2024, 3, 31)),
        ("Apple cash fiscal 2023 as of December 31, 2023", date(2023, 12, 31)),
        ("Apple revenue over the last 3 years as of March 2024", date(2024, 3, 31)),
        # The fiscal year ended in January 2024 is called 2024.
        ("NVIDIA cash fiscal 2024 as of January 28, 2024", None),
        ("NVIDIA cash fiscal 2023 as of January 28, 2024", None),
        ("NVIDIA cash fiscal 2023 as of March 31, 2024", date(2024, 3, 31)),
    ],
)
def test_it_is_the_day_on_which_they_were_known_where_it_lies_behind_their_end(
    sample: Sample, question: str, day: date | None
) -> None:
    made = answered(question)
    assert not made.refusal_code
    assert made.plan.query is not None
    assert made.plan.query.as_of == day
    assert (made.plan.query.dated, made.plan.query.as_of_words) == (None, "")
    notes = [note for block in made.blocks if block.table for note in block.table.notes]
    assert any(note.startswith("As of") for note in notes) is (day is not None)


def test_the_day_of_the_figures_gives_them(sample: Sample) -> None:
    (block,) = answered("Apple cash 2023 as of 30 Sep 2023").blocks
    assert block.table is not None
    assert block.table.asserted[0].value == Decimal(29965000000)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Apple revenue 2020 to 2023 as of June 2023", "as of June 2023"),
        ("Apple cash over the last 3 years as of September 30, 2023", "as of September 30, 2023"),
    ],
)
def test_a_day_that_may_be_both_is_not_guessed(sample: Sample, question: str, words: str) -> None:
    made = answered(question)
    assert made.refusal_code == Code.NOT_UNDERSTOOD
    assert words in made.blocks[0].refusal.text  # type: ignore[union-attr]
