"""What says in what form, or from which statement, an answer is wanted is passed over, and never narrows a figure."""

import pytest

from agent.state.query import Query
from agent.state.question_words import Role
from agent.state.references import Scale
from tests.agent.query.conftest import Line, Read


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("What was Apple's revenue in 2023? Answer in USD millions, rounded to one decimal place.", "revenue"),
        (
            "Apple's revenue in 2023? Give a response by relying on the details shown in the income statement.",
            "revenue",
        ),
        ("Using only the balance sheet, what was Apple's inventory in 2023?", "inventory"),
        ("Assume that you are an equity analyst. What was Apple's goodwill in 2023?", "goodwill"),
    ],
)
def test_a_sentence_about_the_form_or_the_source_is_passed_over(question: str, line: str, told: Line) -> None:
    assert told(question) == f"AAPL | 2023 | {line}"


@pytest.mark.parametrize(
    "more",
    [
        "Use only the Americas.",
        "Answer for the parent only.",
        "Base your answer on the adjusted income statement.",
        "Round your answer to the nearest quarter.",
        "Please use the segment information.",
        "Answer for 2022.",
        "Answer in euros.",
    ],
)
def test_a_sentence_that_could_narrow_the_figure_is_not_passed_over(more: str, told: Line) -> None:
    assert told(f"What was Apple's revenue in 2023? {more}") != "AAPL | 2023 | revenue"


def test_a_percentage_beside_a_change_is_not_passed_over(told: Line) -> None:
    plain = told("What was the change in Apple's revenue from 2022 to 2023?")
    assert told("What was the change in Apple's revenue from 2022 to 2023? Answer in percent.") != plain


def test_a_statement_that_is_asked_for_is_no_source(told: Line) -> None:
    assert "income" in told("Apple, 2023. Give the income statement.")


def test_what_is_passed_over_stands_among_the_words_and_its_scale_is_used(query: Read) -> None:
    found = query("What was Apple's revenue in 2023? Use the income statement. Answer in USD millions.")
    assert isinstance(found, Query)
    assert found.scale == Scale.MILLIONS
    assert [(one.text, one.role) for one in found.words][-2:] == [
        ("Use the income statement", Role.UNUSED),
        ("Answer in USD millions", Role.SCALE),
    ]
