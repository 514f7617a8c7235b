"""Quarters that are differences of the year to date: of one basis, or refused."""

import pytest

from agent.refusals.codes import Code
from agent.state.query import Concept, Last
from filings.models import Fact
from tests.agent.numbers.quarterly_filings import Q2, annual, gap, of, quarterly, revenue
from tests.support.tables import only

pytestmark = pytest.mark.django_db


def test_parts_of_a_year_on_two_bases_make_no_quarter() -> None:
    annual(2024, {"Revenues": "1"})
    quarterly(2023, 1, {}, {"Revenues": "10"})
    quarterly(2023, 2, {}, {"Revenues": "25"})
    quarterly(2024, 1, {}, {"Revenues": "11"}, prior={"Revenues": "10"})
    quarterly(2024, 2, {}, {"Revenues": "18"}, prior={"Revenues": "14"})  # a part of the company was spun off
    quarterly(2025, 1, {}, {"Revenues": "9"}, prior={"Revenues": "8"})
    quarterly(2025, 2, {}, {"Revenues": "19"}, prior={"Revenues": "18"})
    assert gap(revenue(of(Q2, 2024))) is Code.CONFLICT
    # Those of a year before and after are each on one.
    assert only(revenue(of(Q2, 2023))).value == 15
    assert only(revenue(of(Q2, 2025))).value == 10


def test_a_recast_that_only_the_next_year_tells_is_seen() -> None:
    annual(2024, {"Revenues": "1"})
    quarterly(2024, 1, {}, {"Revenues": "11"})
    quarterly(2024, 2, {}, {"Revenues": "18"})
    quarterly(2025, 1, {}, {"Revenues": "9"}, prior={"Revenues": "8"})
    quarterly(2025, 2, {}, {"Revenues": "19"}, prior={"Revenues": "18"})
    assert gap(revenue(of(Q2, 2024))) is Code.CONFLICT


def test_a_slip_of_the_sign_is_no_restatement() -> None:
    annual(2024, {"NetIncomeLoss": "1"})
    quarterly(2023, 1, {}, {"NetIncomeLoss": "10"})
    quarterly(2023, 2, {}, {"NetIncomeLoss": "25"})
    quarterly(2024, 1, {}, {"NetIncomeLoss": "11"}, prior={"NetIncomeLoss": "10"})
    quarterly(2024, 2, {}, {"NetIncomeLoss": "31"}, prior={"NetIncomeLoss": "-25"})
    assert only(revenue(of(Q2, 2024), Concept(key="net_income"))).value == 20


def test_a_quarter_is_no_difference_of_two_elements() -> None:
    annual(2023, {"Revenues": "90"})
    annual(2024, {"SalesRevenueNet": "100"})
    quarterly(2024, 1, {}, {"Revenues": "11"})
    quarterly(2024, 2, {}, {"SalesRevenueNet": "31"})
    assert gap(revenue(of(Q2))) is Code.CONFLICT


def test_quarters_of_which_one_was_restated_since_are_said_not_to_add_up_to_the_year() -> None:
    quarterly(2024, 1, {"Revenues": "15"})  # with a part that was spun off before the half-year
    quarterly(2024, 2, {"Revenues": "20"}, {"Revenues": "30"})
    quarterly(2024, 3, {"Revenues": "30"}, {"Revenues": "60"})
    annual(2024, {"Revenues": "100"})
    every = Last(count=4, quarters=True)
    said = "Northwind Instruments: the quarters of fiscal 2024 do not add up to the year; one was restated."
    assert said in revenue(every).notes
    Fact.objects.filter(filing__fiscal_quarter=1, raw="15").update(raw="10", value=10)
    assert said not in revenue(every).notes
