"""A digit stands in a verified quotation or a rendered fact, or the sentence is dropped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.prose.verification.digits import digit_problem

QUOTES = [
    "We sold 3M products during COVID-19 and paid $5M to three suppliers in fiscal 2024, or 12 % of sales.",
    "It was sold in Q3, and not in FY2023.",
]
EXEMPT = ["Northwind 7 Inc.", "fiscal 2024", "FY2024", "2024", "$31,370"]


@pytest.mark.parametrize(
    "text",
    [
        "Sales rose 12 %.",
        "It paid $5M.",
        "The 12M products sold well.",
        "It has three suppliers.",
        "It has Three suppliers.",
        "Twelve percent of sales came from it.",
        "Two-thirds of its sales are abroad.",
        "Half of our revenue is abroad.",
        "It has twenty-five stores.",
        "A million dollars was paid.",
        "Dozens of stores closed.",
        "A two-year agreement ended.",
        "Four or five customers left.",
        "\u00bd of it was lost.",
        "\uff12 suppliers left.",
        "It made 10\u00b2 wafers.",
        "COVID-20 hit sales.",
        "See Item 17.",
        "It said \u201cpaid $6M to three suppliers\u201d.",
        "It said \u201cpaid $5M\u201d to 3 suppliers.",
        "$2024 was paid.",
        "It lost 2024 million.",
        "It lost 2,024.",
        "2024% was lost.",
        "In Q3 sales rose.",
        "In FY2023 sales rose.",
        "Since 2020 sales rose.",
        "It was worth $31,370 million.",
        "It was worth $31,370.5.",
    ],
)
def test_a_number_of_its_own_drops_the_sentence(text: str) -> None:
    problem = digit_problem(text, quotes=QUOTES, exempt=EXEMPT)
    assert problem
    assert not any(character.isdigit() for character in problem)


@pytest.mark.parametrize(
    "text",
    [
        QUOTES[0],
        "we sold 3M products during COVID-19 and paid $5M to three suppliers in fiscal 2024, or 12\u00a0% of sales.",
        "3M products sold well during COVID-19.",
        "In fiscal 2024 and in FY2024, sales rose.",
        "Northwind 7 Inc. sells gauges.",
        "It was worth $31,370.",
        "One of the suppliers failed, and no one knows why.",
        "See Items 1A and 7 of Form 10-K, or a 10-Q.",
        "It said \u201cpaid $5M to three suppliers\u201d.",
        "A one-time charge was taken.",
        "It has no number.",
    ],
)
def test_a_number_of_the_quotation_the_plan_or_a_name_stays(text: str) -> None:
    assert digit_problem(text, quotes=QUOTES, exempt=EXEMPT) == ""


def test_a_name_stays_only_where_the_cited_quotation_has_it() -> None:
    assert digit_problem("3M products sold well.", quotes=["We sold $3M of products."])
    assert digit_problem("3M products sold well.", quotes=["We sold products."])


@given(st.integers(0, 10**9), st.text("abc ", max_size=10))
def test_no_number_passes_without_a_quotation(number: int, words: str) -> None:
    assert digit_problem(f"{words} {number} {words}")
