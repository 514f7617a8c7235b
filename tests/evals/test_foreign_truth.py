"""Bare numbers that others wrote down, beside figures of ours."""

from decimal import Decimal

import pytest

from evals.truths.foreign_truth import bare_number, graded
from tests.support.answers import cell

MILLIONS = "What is the FY2024 capital expenditure (in USD millions)?"


@pytest.mark.parametrize(
    ("truth", "question", "value", "unit", "how"),
    [
        ("$1,577.00", MILLIONS, "1577000000", "USD", "to the digit"),
        ("$1577", MILLIONS, "1577400000", "USD", "to the digit"),
        ("$1577.00", MILLIONS, "1577400000", "USD", "within 2 %"),
        ("$1577.00", MILLIONS, "1609000000", "USD", None),
        ("$8.70 billion", MILLIONS, "8700000000", "USD", "to the digit"),
        ("1577", "What is its capital expenditure?", "1577000000", "USD", None),
        ("(12.5) million.", "What was it?", "-12500000", "USD", "to the digit"),
        ("-12.5 million", "What was it?", "12500000", "USD", None),
        ("30.8%", "How fast did it grow?", "30.76", "percent", "to the digit"),
        ("30.8", "By what percent did it grow?", "30.76", "percent", "to the digit"),
        ("0.66", "What is its quick ratio?", "0.664", "ratio", "to the digit"),
        ("0.31", "What is its net margin?", "30.76", "percent", "to the digit"),
        ("24.5%", "What is its effective tax rate?", "0.245", "pure", "to the digit"),
        ("24.5%", "What is its tax?", "24.5", "USD", None),
        ("0", "What did it pay?", "1", "USD", None),
    ],
)
def test_a_figure_agrees_with_a_truth_in_its_own_scale_and_digits(
    truth: str, question: str, value: str, unit: str, how: str | None
) -> None:
    number = bare_number(truth, question)
    assert number is not None
    assert number.beside(Decimal(value), unit) == how


@pytest.mark.parametrize(
    "truth", ["No, it fell by 3%.", "3M has 4 segments", "", "FY2022", "$5 million and $6 million"]
)
def test_a_truth_that_says_more_is_no_bare_number(truth: str) -> None:
    assert bare_number(truth, MILLIONS) is None


def test_one_of_two_figures_is_half_right() -> None:
    number = bare_number("$5 million", "")
    assert number is not None
    right, wrong = cell(value=Decimal(5_000_000), unit="USD"), cell(value=Decimal(6_000_000), unit="USD")
    assert [graded(number, found).score for found in ([right], [right, wrong], [wrong])] == [1, Decimal("0.5"), 0]
