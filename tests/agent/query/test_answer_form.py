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
        ("Base it on the details clearly outlined within the balance sheet: what was Apple's inventory in 2023?", "inventory"),
        ("Assume that you are an equity analyst. What was Apple's goodwill in 2023?", "goodwill"),
        ("You are a trader, and your only resource is (are): the income statement. What was Apple's R&D in 2023?", "rnd"),
        ("Taking the standpoint of an auditor who lost all his tools: what was Apple's goodwill in 2023?", "goodwill"),
        ("We want to compute a financial metric by using the data shown in the balance sheet. Here's the question: what was Apple's inventory in 2023?", "inventory"),
        ("In line with the information outlined in the income statement, what was Apple's R&D in 2023, to the best of your abilities?", "rnd"),
        ("Without access to the internet, what was Apple's goodwill in 2023?", "goodwill"),
        ("What was Apple's gross margin in 2023? If gross margin is not a useful metric for such a company, then say so and explain why.", "gross_margin"),
        ("What was Apple's (formerly known as Pear Tree Computing) goodwill in 2023?", "goodwill"),
        ("Apple's depreciation and amortization (D&A from the cash flow statement) % margin in 2023", "da_to_revenue"),
    ],
)  # fmt: skip
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
        "Assume the standpoint of an analyst who covers the iPhone.",
        "Assume that revenue excludes services.",
        "Use the figures of 2022.",
        "Respond without the segment data.",
        "If it is not useful, give the operating income.",
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


@pytest.mark.parametrize(
    ("more", "decimals"),
    [
        ("Round your answer to two decimal places.", 2),
        ("Answer in units of percents and round to one decimal place.", 1),
        ("Please round to the nearest hundredth.", 2),
        ("Round to a whole number.", 0),
        ("Use the income statement.", None),
    ],
)
def test_a_rounding_is_of_the_figure(more: str, decimals: int | None, query: Read) -> None:
    found = query(f"What was Apple's gross margin in 2023? {more}")
    assert isinstance(found, Query)
    assert not found.is_nearest
    assert found.decimals == decimals


def test_a_statement_chooses_among_readings_and_refuses_none(told: Line) -> None:
    assert (
        told("What were Apple's dividends in 2023? Use only the cash flow statement.")
        == "AAPL | 2023 | dividends_paid"
    )
    assert told("What was Apple's goodwill in 2023? Use only the income statement.") == "AAPL | 2023 | goodwill"
