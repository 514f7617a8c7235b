"""Questions about all companies: which words name them, and what is asked of them."""

import pytest

from agent.query.explain import line
from agent.query.question import read
from tests.agent.query.conftest import Line, before, line_of
from tests.agent.query.held import REGISTRY, TODAY, WIDER


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "rank all companies by operating margin in 2024",
            "everyone | 2024 | operating_margin > highest first",
        ),
        ("companies with revenue growth above 10 % in 2024", "everyone | 2024 | growth(revenue) > > 10"),
        ("which companies have a net margin over 20 %", "everyone | latest | net_margin > > 20"),
        ("top 10 companies by R&D to revenue", "everyone | latest | rnd_to_revenue > highest 10"),
        ("top 3 by revenue", "everyone | latest | revenue > highest 3"),
        ("bottom 5 companies by net margin in 2023", "everyone | 2023 | net_margin > lowest 5"),
        (
            "which company has the highest operating margin in 2024",
            "everyone | 2024 | operating_margin > highest 1",
        ),
        (
            "every company with revenue above $100 billion in fiscal 2023",
            "everyone | FY2023 | revenue > > 100000000000",
        ),
        ("rank all covered companies by ROE", "everyone | latest | roe > highest first"),
        ("companies by revenue", "everyone | latest | revenue"),
        ("revenue of all companies in 2024", "everyone | 2024 | revenue"),
        ("companies with negative net income in 2024", "everyone | 2024 | net_income > < 0"),
    ],
)
def test_all_companies_are_ranked_or_filtered(told: Line, question: str, expected: str) -> None:
    assert told(question) == expected


@pytest.mark.parametrize(
    ("question", "code"),
    [
        # Of one year: the years would be another table each.
        ("rank all companies by revenue from 2020 to 2024", "not_understood [from 2020 to 2024]"),
        # Which fall is meant is no bound.
        ("companies with falling revenue in 2024", "not_understood"),
        ("companies with revenue decline above 10% in 2024", "not_understood"),
        ("companies with operating margin between 10% and 20% in 2024", "not_understood"),
        ("the balance sheets of all companies", "no_company"),
        ("which companies have a moat", "no_company"),
    ],
)
def test_what_no_order_and_no_bound_answers_is_refused(told: Line, question: str, code: str) -> None:
    assert told(question).startswith(code)


@pytest.mark.parametrize(
    "question",
    ["what companies did Apple acquire in 2024", "which companies compete with Apple", "Apple and companies like it"],
)
def test_beside_a_company_that_is_named_no_others_are_meant(told: Line, question: str) -> None:
    assert "everyone" not in told(question)


def test_a_follow_up_asks_all_companies_again_until_it_names_one() -> None:
    first = before("rank all companies by operating margin in 2024")
    assert line_of("and in 2023?", first) == "everyone | 2023 | operating_margin > highest first"
    assert line_of("what about Apple?", first).startswith("AAPL | 2024 | operating_margin")


def test_the_asker_s_own_companies_are_not_all() -> None:
    (found,) = read("rank my companies by revenue in 2024", WIDER, REGISTRY, TODAY)
    assert line(found).startswith("no_company")
