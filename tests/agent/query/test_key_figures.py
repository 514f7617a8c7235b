"""A company alone, with a year or a report, is asked for its key figures; anything more is not passed over."""

import pytest

from tests.agent.query.conftest import Line, asks_figures, line_of, query_of
from tests.agent.query.held import REGISTRY

FIGURES = " + ".join(REGISTRY.key_figures.concepts)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Apple", "AAPL | latest"),
        ("Apple 2023", "AAPL | 2023"),
        ("Apple 10-K 2023", "AAPL | 2023"),
        ("latest 10-K of Apple", "AAPL | latest"),
        ("Apple 2020-2023", "AAPL | 2020..2023"),
        ("Apple vs Microsoft 2023", "AAPL, MSFT | 2023"),
        ("Apple key figures 2023", "AAPL | 2023"),
        ("Apple Q3 2023", "AAPL | Q3 2023"),
        ("Apple fundamentals", "AAPL | latest"),
    ],
)
def test_a_company_alone_is_asked_for_its_key_figures(told: Line, question: str, asked: str):
    assert told(question) == f"{asked} | {FIGURES}"


@pytest.mark.parametrize(
    "question",
    [
        "how much is Apple",
        "Apple stock",
        "should I buy Apple",
        "Apple licences",
        "Apple adjusted 2023",
        "Apple next year",
        "Apple 10-Q",
        "Apple June 2023",
        "Apple next quarter",
        "Apple vs Samsung",
        "Apple per share",
        "2023",
        "all companies",
    ],
)
def test_a_word_beside_the_company_is_not_passed_over(question: str):
    assert not asks_figures(question)


def test_a_question_goes_on_from_key_figures():
    previous = query_of("Apple 2023")
    assert line_of("Microsoft?", previous) == f"MSFT | 2023 | {FIGURES}"  # type: ignore[arg-type]
