"""Quarters, parts of a year and trailing twelve months: what gives them, what they are made of, and when they are refused."""

from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.tables.table_notes import OVER_A_YEAR
from agent.refusals.codes import Code
from agent.state import PeriodForm
from agent.state.query import Breakdown, Change, Concept, Last, Line, Metric, Span, Statement
from agent.state.references import RelativePeriod
from filings.models import Filing
from filings.xbrl.periods import FiscalPeriod
from tests.agent.numbers.quarterly_filings import (
    H1,
    H2,
    M9,
    Q1,
    Q2,
    Q3,
    Q4,
    annual,
    gap,
    of,
    quarterly,
    revenue,
    value,
    year_of_quarters,
)
from tests.support.company_filings import company, face, fact, filing
from tests.support.tables import asked, only, table

pytestmark = pytest.mark.django_db


def test_every_part_of_a_year_is_given_or_made() -> None:
    year_of_quarters()
    found = {str(part): value(part) for part in (Q1, Q2, Q3, Q4, H1, H2, M9)}
    millions = {"Q1": 10, "Q2": 20, "Q3": 30, "Q4": 40, "H1": 30, "H2": 70, "9M": 60}
    assert found == {part: Decimal(amount * 1_000_000) for part, amount in millions.items()}


def test_a_fourth_quarter_is_the_year_less_nine_months_and_says_so() -> None:
    year_of_quarters()
    cell = only(revenue(of(Q4)))
    assert (cell.formula, cell.fact, cell.accession[-6:]) == ("revenue:fy - revenue:m9", None, "000001")
    assert [(one.name, one.fiscal_period, one.fact.form) for one in cell.operands] == [
        ("revenue:fy", "FY", "10-K"),
        ("revenue:m9", "9M", "10-Q"),
    ]
    assert cell.notes == ("Computed as fiscal 2024 less the first nine months of fiscal 2024.",)


def test_a_quarter_of_a_cash_flow_is_the_difference_of_two() -> None:
    annual(2024, {"Revenues": "1"})
    quarterly(2024, 1, {}, {"Revenues": "11"})
    quarterly(2024, 2, {}, {"Revenues": "31"})
    quarterly(2024, 3, {}, {"Revenues": "61"})
    cell = only(revenue(of(Q3)))
    assert (cell.value, cell.formula) == (Decimal(30), "revenue:m9 - revenue:h1")
    assert cell.notes[0] == "Computed from year-to-date figures."


def test_trailing_twelve_months_are_the_year_plus_this_less_last_year_to_date() -> None:
    year_of_quarters(2023)
    quarterly(2024, 1, {"Revenues": "15000000"})
    cell = only(revenue(of(FiscalPeriod.TTM_Q1)))
    assert cell.value == Decimal(105_000_000)
    assert cell.formula == "revenue:fy_fy2023[FY-1] + revenue:q1 - revenue:q1_fy2023[FY-1]"
    newest = only(revenue(of(RelativePeriod.TRAILING, None, PeriodForm.LATEST)))
    assert (newest.value, newest.fiscal_period) == (cell.value, FiscalPeriod.TTM_Q1)


def test_the_newest_quarter_may_be_the_last_of_a_year() -> None:
    year_of_quarters()
    cell = only(revenue(of(RelativePeriod.QUARTER, None, PeriodForm.LATEST)))
    assert (cell.value, cell.fiscal_period, cell.period_end) == (Decimal(40_000_000), Q4, date(2024, 12, 31))


def test_a_single_quarter_stands_among_those_before_it() -> None:
    year_of_quarters(2023)
    year_of_quarters(2024)
    made = revenue(of(Q2))
    row = [cell for cell in made.cells if cell.measure == "revenue"]
    assert [(cell.place.short, cell.asked) for cell in row] == [
        *((f"Q{one} FY2023", False) for one in (1, 2, 3, 4)),
        ("Q1 FY2024", False),
        ("Q2 FY2024", True),
    ]


def test_quarters_are_counted_back_over_the_end_of_a_year() -> None:
    year_of_quarters(2023)
    year_of_quarters(2024)
    cells = asked(revenue(Last(count=5, quarters=True)))
    assert [cell.place.short for cell in cells] == ["Q4 FY2023", "Q1 FY2024", "Q2 FY2024", "Q3 FY2024", "Q4 FY2024"]
    span = Span(first=of(Q3, 2023).periods[0], last=of(Q2, 2024).periods[0])
    assert [cell.place.short for cell in asked(revenue(span))] == ["Q3 FY2023", "Q4 FY2023", "Q1 FY2024", "Q2 FY2024"]


def test_growth_is_over_the_quarter_a_year_before() -> None:
    year_of_quarters(2023)
    annual(2024, {"Revenues": "200000000"})
    quarterly(2024, 2, {"Revenues": "25000000"}, {"Revenues": "40000000"})
    growth = table(company(), of(Q2), Change(of=Concept(key="revenue"), percent=True))
    assert only(growth).value == Decimal(25)
    assert OVER_A_YEAR in growth.notes


def test_the_first_filed_of_two_reports_of_a_quarter_answers() -> None:
    annual(2024, {"Revenues": "100"})
    quarterly(2024, 1, {"Revenues": "10"})
    later = quarterly(2024, 1, {"Revenues": "12"}, mark="9")
    Filing.objects.filter(pk=later.pk).update(filed=date(2024, 6, 1))
    assert value(Q1) == Decimal(10)


def test_what_is_not_held_is_a_gap() -> None:
    annual(2024, {"Revenues": "100"})
    quarterly(2024, 1, {"Revenues": "10"})
    assert gap(revenue(of(Q2))) is Code.INTERIM_PERIOD
    assert gap(revenue(of(Q4))) is Code.INTERIM_PERIOD
    assert gap(revenue(of(Q1, 2031))) is Code.INTERIM_PERIOD


def test_without_any_quarter_nothing_is_guessed() -> None:
    annual(2024, {"Revenues": "100"})
    for part in (RelativePeriod.TO_DATE, RelativePeriod.TRAILING, RelativePeriod.QUARTER):
        assert gap(revenue(of(part, None, PeriodForm.LATEST))) is Code.INTERIM_PERIOD


def test_years_and_parts_on_two_bases_make_no_fourth_quarter() -> None:
    """The 10-K restates the year before, and the 10-Q of its nine months did not."""
    year_of_quarters(2023)
    quarterly(2024, 3, {"Revenues": "30000000"}, {"Revenues": "60000000"}, {"Revenues": "60000000"})
    annual(2024, {"Revenues": "100000000"}, {"Revenues": "91000000"})
    made = revenue(of(Q4))
    assert gap(made) is Code.CONFLICT
    assert (
        only(made).gap.detail == "The fiscal 2024 10-K restates the year before, and the Q3 fiscal 2024 10-Q does not."
    )  # type: ignore[union-attr]


def test_a_restatement_in_the_next_year_is_seen_too() -> None:
    year_of_quarters(2024)
    quarterly(2025, 3, {"Revenues": "40000000"}, {"Revenues": "80000000"}, {"Revenues": "50000000"})
    annual(2025, {"Revenues": "120000000"}, {"Revenues": "100000000"})
    assert gap(revenue(of(Q4, 2024))) is Code.CONFLICT
    assert value(Q3, 2024) == Decimal(30_000_000)


def test_twelve_months_over_a_restatement_are_refused() -> None:
    year_of_quarters(2023)
    quarterly(2024, 1, {"Revenues": "15000000"}, prior={"Revenues": "8000000"})
    assert gap(revenue(of(FiscalPeriod.TTM_Q1))) is Code.CONFLICT


def test_quarters_that_do_not_add_up_make_no_twelve_months() -> None:
    year_of_quarters(2023)
    quarterly(2024, 1, {"Revenues": "15000000"})
    quarterly(2024, 2, {"Revenues": "20000000"}, {"Revenues": "38000000"})
    assert gap(revenue(of(FiscalPeriod.TTM_Q2))) is Code.CONFLICT


def test_a_fourth_quarter_that_the_annual_report_gives_otherwise_is_refused() -> None:
    year_of_quarters()
    (ten_k,) = Filing.objects.filter(company=company(), form="10-K")
    own = fact(ten_k, "Revenues", "40000000", start=date(2024, 10, 1))
    assert value(Q4) == Decimal(40_000_000)
    own.value, own.raw = Decimal(45_000_000), "45000000"
    own.save()
    assert gap(revenue(of(Q4))) is Code.CONFLICT


def test_two_elements_that_annual_reports_use_must_agree() -> None:
    annual(2023, {"Revenues": "90000000"})
    later = filing(date(2024, 12, 31), company())
    fact(later, "RevenueFromContractWithCustomerExcludingAssessedTax", "100000000")
    face(later, "income", ("RevenueFromContractWithCustomerExcludingAssessedTax", "Total revenue"))
    quarterly(2024, 1, {"Revenues": "10000000", "RevenueFromContractWithCustomerExcludingAssessedTax": "10000000"})
    quarterly(2024, 2, {"Revenues": "20000000", "RevenueFromContractWithCustomerExcludingAssessedTax": "19000000"})
    assert value(Q1) == Decimal(10_000_000)
    assert gap(revenue(of(Q2))) is Code.CONFLICT


def test_an_element_of_a_note_is_not_the_line_of_the_statement() -> None:
    """The 10-K's line stands under one element, and the 10-Q has a part of it under another alone."""
    annual(2024, {"Revenues": "100", "ResearchAndDevelopmentExpense": "20"})
    made = quarterly(2024, 1, {"Revenues": "10"})
    fact(made, "ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost", "3", start=date(2024, 1, 1))
    fact(made, "ResearchAndDevelopmentExpenseSoftwareExcludingAcquiredInProcessCost", "1", start=date(2024, 1, 1))
    assert only(revenue(of(Q1), Concept(key="rnd"))).value is None


def test_quarters_of_unlike_kinds_are_not_put_in_an_order() -> None:
    year_of_quarters()
    made = revenue(of(Q1))
    assert made.results == ()


def test_a_line_or_a_part_of_the_company_needs_the_report_itself() -> None:
    year_of_quarters()
    for measure in (
        Line(label="Total revenue", names=("us-gaap:Revenues",)),
        Breakdown(of=Concept(key="revenue"), axis="segment", extreme="highest"),
    ):
        cells = asked(table(company(), of(Q4), measure))
        assert {cell.gap.code for cell in cells if cell.gap} == {Code.INTERIM_PERIOD}


def test_a_report_that_is_held_with_its_statements_has_lines() -> None:
    annual(2024, {"Revenues": "100"})
    made = quarterly(2024, 2, {"Revenues": "20"}, {"Revenues": "30"})
    face(made, "income", ("Revenues", "Sales of instruments"))
    cells = asked(table(company(), of(Q2), Statement(statement="income")))
    assert [(cell.label, cell.value, cell.fiscal_period) for cell in cells] == [
        ("Sales of instruments", Decimal(20), Q2)
    ]
    (half,) = asked(table(company(), of(H1), Line(label="Sales of instruments")))
    assert half.value == Decimal(30)


def test_a_sum_of_which_a_quarter_has_no_part_is_a_gap_though_the_year_has_one() -> None:
    fact(annual(2024, {"Revenues": "100"}), "PaymentsOfDividends", "5")
    quarterly(2024, 3, {"Revenues": "30"}, {"Revenues": "60"})
    assert gap(revenue(of(Q4), Metric(key="shareholder_distributions"))) is Code.CONCEPT_NOT_REPORTED
