from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.numbers.facts.rounding import half_unit, reported_digit, same_after_rounding


@pytest.mark.parametrize(
    ("value", "decimals", "digit"),
    [
        ("391035000000", -6, "1E+6"),
        ("391035000000", -3, "1E+3"),
        ("6.08", 2, "0.01"),
        # Without decimals the trailing zeros tell, in whole steps of three.
        ("391035000000", None, "1E+6"),
        ("31370000000", None, "1E+6"),
        ("120000", None, "1E+3"),
        ("123400", None, "1"),
        ("123456", None, "1"),
        ("6.08", None, "0.01"),
        # Never coarser than millions: 5 billion is not a rounding of 5.3 billion.
        ("5000000000", None, "1E+6"),
        # A zero could be any rounding, and is taken as exact.
        ("0", None, "0"),
    ],
)
def test_it_knows_the_last_reported_digit(value, decimals, digit):
    assert reported_digit(Decimal(value), decimals) == Decimal(digit)


def test_it_takes_half_of_that_digit_as_the_error():
    assert half_unit(Decimal("391035000000"), -6) == Decimal("500000")


@pytest.mark.parametrize(
    ("a", "a_decimals", "b", "b_decimals", "same"),
    [
        ("391035000000", -6, "391035000000", -6, True),
        ("391035000000", -6, "391035412000", -3, True),
        ("391035000000", -6, "391035500000", -3, True),  # half a unit exactly
        ("391035000000", -6, "391035501000", -3, False),
        ("391035412000", -3, "391035413000", -3, False),
        ("391035000000", None, "391035412345", None, True),
        ("15085000000", None, "483000000", None, False),
        ("5000000000", None, "5300000000", None, False),
        ("0", None, "300000", None, False),
        ("6.08", None, "6.084", None, True),
        ("6.08", None, "6.09", None, False),
    ],
)
def test_it_says_whether_two_reports_may_be_one_figure(a, a_decimals, b, b_decimals, same):
    assert same_after_rounding(Decimal(a), a_decimals, Decimal(b), b_decimals) is same


values = st.integers(-(10**15), 10**15).map(Decimal)


@given(values, values, st.sampled_from([None, 0, -3, -6]), st.sampled_from([None, 0, -3, -6]))
def test_it_does_not_matter_which_report_comes_first(a, b, a_decimals, b_decimals):
    assert same_after_rounding(a, a_decimals, b, b_decimals) == same_after_rounding(b, b_decimals, a, a_decimals)


@given(values, st.sampled_from([-3, -6]))
def test_a_figure_is_the_same_as_its_own_rounding(value, decimals):
    rounded = value.quantize(Decimal(1).scaleb(-decimals))
    assert same_after_rounding(value, 0, rounded, decimals)
