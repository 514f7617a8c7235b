"""The comparison of what answers with what is printed finds a difference, and knows which have been settled."""

import re

import pytest

from agent.numbers import registry
from evals import face_check
from evals.face_check import Difference, Kind, Settled
from filings.models import Filing
from tests.support.company_filings import face, filing_figures

pytestmark = pytest.mark.django_db

OTHER = "OtherNonoperatingIncomeExpense"


def found(of: Filing, concept: str) -> list[tuple[str, str, str]]:
    return [(one.kind, one.label, one.tag) for one in face_check.differences(of) if one.concept == concept]


def test_a_row_with_the_figure_that_answers_is_no_difference() -> None:
    of = filing_figures({"Revenues": "1000", "RestructuringCharges": "30"})
    face(of, "income", ("Revenues", "Revenue"), ("RestructuringCharges", "Restructuring"))
    assert list(face_check.differences(of)) == []


def test_a_row_beside_the_one_chosen_is_a_difference() -> None:
    of = filing_figures({"Revenues": "1000", OTHER: "-22", "NonoperatingIncomeExpense": "7"})
    face(
        of,
        "income",
        ("Revenues", "Revenue"),
        (OTHER, "Other income (expense), net"),
        ("NonoperatingIncomeExpense", "Total non-operating income (expense)"),
    )
    assert found(of, "other_income") == []
    assert found(of, "nonoperating_income") == [(Kind.OTHER, "Other income (expense), net", f"us-gaap:{OTHER}")]


def test_a_row_with_the_name_in_it_is_a_difference_beside_a_note() -> None:
    of = filing_figures(
        {"Revenues": "1000", "AccountsPayableTradeCurrent": "30", "nwi:Payables": "80"}, ["nwi:Payables"]
    )
    of.facts.filter(tag="AccountsPayableTradeCurrent").update(start=of.period_end)
    face(of, "balance", ("nwi:Payables", "Accounts payable and project payables"))
    assert found(of, "accounts_payable") == [(Kind.NOTE, "Accounts payable and project payables", "nwi:Payables")]


def test_a_fitting_row_is_a_difference_where_nothing_answers() -> None:
    of = filing_figures({"Revenues": "1000", "InterestIncomeExpenseNet": "-4"})
    face(of, "income", ("Revenues", "Revenue"), ("InterestIncomeExpenseNet", "Interest expense"))
    assert found(of, "interest_expense") == [(Kind.REFUSED, "Interest expense", "us-gaap:InterestIncomeExpenseNet")]


def test_a_row_that_the_registry_says_is_another_measure_is_none() -> None:
    of = filing_figures({"Revenues": "1000", "CostOfRevenue": "600"})
    face(of, "income", ("Revenues", "Revenue"), ("CostOfRevenue", "Cost of revenue"))
    assert found(of, "revenue") == []


def test_what_is_settled_has_its_reason_and_the_rest_is_counted() -> None:
    rows = [
        Difference("net_income", Kind.OTHER, "1", "Net income", "us-gaap:ProfitLoss"),
        Difference("net_income", Kind.OTHER, "2", "Net income", "nwi:Profit"),
    ]
    text, unsettled = face_check.report(rows, 2, [Settled("net_income", ("ProfitLoss",), "It is the parent's.")])
    assert unsettled == 1
    assert "2 filings with a face: 2 rows differ, 1 of them are not settled." in text
    assert "| net_income | another row chosen | 1 | 1 | Net income | It is the parent's. |" in text
    assert "| net_income | another row chosen | 1 | 1 | Net income | NOT SETTLED |" in text


def test_every_settled_difference_is_of_a_measure_and_has_a_reason() -> None:
    for one in face_check.settled():
        assert one.concept in registry.load().concepts
        assert one.why.endswith(".")
        assert all(re.compile(tag) for tag in one.tags)


def test_the_report_says_that_nothing_is_left_open() -> None:
    assert face_check.MARK in face_check.REPORT.read_text(encoding="utf-8")
    assert "NOT SETTLED" not in face_check.REPORT.read_text(encoding="utf-8")
