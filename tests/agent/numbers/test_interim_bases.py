"""Quarters that are differences of the year to date: of one basis, or refused."""

import pytest

from agent.refusals.codes import Code
from tests.agent.numbers.test_interim import Q2, annual, gap, of, quarterly, revenue

pytestmark = pytest.mark.django_db


def test_parts_of_a_year_on_two_bases_make_no_quarter() -> None:
    annual(2024, {"Revenues": "1"})
    quarterly(2023, 1, {}, {"Revenues": "10"})
    quarterly(2023, 2, {}, {"Revenues": "25"})
    quarterly(2024, 1, {}, {"Revenues": "11"}, prior={"Revenues": "10"})
    quarterly(2024, 2, {}, {"Revenues": "18"}, prior={"Revenues": "14"})  # a part of the company was spun off
    assert gap(revenue(of(Q2, 2023))) is Code.CONFLICT
    assert gap(revenue(of(Q2, 2024))) is Code.CONFLICT


def test_a_quarter_is_no_difference_of_two_elements() -> None:
    annual(2023, {"Revenues": "90"})
    annual(2024, {"SalesRevenueNet": "100"})
    quarterly(2024, 1, {}, {"Revenues": "11"})
    quarterly(2024, 2, {}, {"SalesRevenueNet": "31"})
    assert gap(revenue(of(Q2))) is Code.CONFLICT
