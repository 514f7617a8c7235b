"""The periods and companies of a table, in order, and what is noted of them."""

from datetime import date

import pytest

from agent.numbers.tables.table import tabulate
from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state import Period, PeriodForm
from agent.state.query import (
    Concept,
    Last,
    Metric,
    Query,
    Span,
    Years,
)
from tests.agent.numbers.years_of_figures import BALANCES, year
from tests.support.company_filings import END, company, face, fact, filing, filing_figures
from tests.support.sample import Sample
from tests.support.tables import TODAY, Deps, Everybody, asked, fiscal, only, query, span, table, years

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("wanted", "code"), [(2014, Code.YEAR_BEFORE_2015), (2022, Code.YEAR_NOT_INGESTED), (2028, Code.FUTURE_PERIOD)]
)
def test_a_year_that_is_not_held_is_a_gap_in_its_place(wanted: int, code: Code) -> None:
    of = year(END, {"Revenues": "1200"})
    cells = asked(table(of.company, years(wanted, 2024), Concept(key="revenue")))
    missing = next(one for one in cells if one.fiscal_year == wanted)
    assert missing.gap is not None
    assert missing.gap.code is code
    assert [one.value for one in cells if one.fiscal_year == 2024] == [1200]


def test_a_span_and_the_last_years_run_to_the_newest_that_is_held() -> None:
    of = company()
    for end in (2021, 2023, 2024):
        year(date(end, 12, 31), {"Revenues": str(end)}, of=of)
    since = asked(table(of, span(2021, None), Concept(key="revenue")))
    assert [(one.fiscal_year, one.value) for one in since] == [(2021, 2021), (2022, None), (2023, 2023), (2024, 2024)]
    last = asked(table(of, Last(count=2, until=fiscal(2024)), Concept(key="revenue")))
    assert [one.fiscal_year for one in last] == [2023, 2024]


def test_a_bare_year_has_two_readings_where_the_company_names_years_otherwise() -> None:
    of = company("Northwind Chips", cik=9990010, symbol="NWC")
    for end in (2024, 2025):
        fact(filing(date(end, 1, 28), of), "Revenues", str(end), start=date(end - 1, 1, 29))
    bare = Years(periods=(Period(form=PeriodForm.BARE, year=2024),))
    cells = asked(table(of, bare, Concept(key="revenue")))
    assert [(one.fiscal_year, one.value, bool(one.period_reading)) for one in cells] == [
        (2024, 2024, True),
        (2025, 2025, True),
    ]


def test_several_bare_years_are_those_that_the_company_names_so_and_a_note_says_when_they_end() -> None:
    of = company("Northwind Chips", cik=9990010, symbol="NWC")
    for end in (2024, 2025, 2026):
        fact(filing(date(end, 1, 28), of), "Revenues", str(end), start=date(end - 1, 1, 29))
    bare = Years(periods=tuple(Period(form=PeriodForm.BARE, year=wanted) for wanted in (2024, 2025)))
    made = table(of, bare, Concept(key="revenue"))
    assert [(one.fiscal_year, one.value, one.period_reading) for one in asked(made)] == [
        (2024, 2024, ""),
        (2025, 2025, ""),
    ]
    assert made.notes == ("Northwind Chips' fiscal 2025 ended on 28 Jan 2025.",)
    spanned = table(of, Span(first=bare.periods[0], last=bare.periods[1]), Concept(key="revenue"))
    assert (spanned.cells, spanned.notes) == (made.cells, made.notes)


def test_a_formula_names_the_operand_that_it_lacks() -> None:
    of = filing_figures({"GrossProfit": "400"})
    cell = only(table(of.company, years(2024), Metric(key="gross_margin")))
    assert cell.gap is not None
    assert cell.gap.detail.startswith("Gross margin cannot be computed without it.")
    assert cell.gap.looked_for[:2] == (("Formula", "Gross margin"), ("Measure", "Total revenue"))


def test_companies_that_cannot_be_asked_about_are_gaps_of_their_own() -> None:
    of = year(END, {"Revenues": "1200"}).company
    other = company("Northwind Stores", cik=9990011, symbol="NWS")
    deps = Deps(grant=Everybody(frozenset({of.cik})))
    cells = asked(table([of, other], years(2024), Concept(key="revenue"), deps=deps))
    assert [(one.value, one.gap and one.gap.code) for one in cells] == [(1200, None), (None, Code.SIGN_IN_REQUIRED)]
    uncovered = query(other, years(2024), Concept(key="revenue"))
    refs = tuple(one.model_copy(update={"covered": False}) for one in uncovered.companies)
    (cell,) = tabulate(uncovered.model_copy(update={"companies": refs}), Deps()).cells
    assert cell.gap is not None
    assert cell.gap.code is Code.COMPANY_NOT_COVERED


def test_years_that_end_apart_are_noted_with_their_ends() -> None:
    one = year(END, {"Revenues": "1200"}).company
    other = company("Northwind Chips", cik=9990010, symbol="NWC")
    filing_figures({"Revenues": "900"}, of=filing(date(2024, 11, 30), other))
    (note,) = table([one, other], years(2024), Concept(key="revenue")).notes
    assert "31 Dec 2024" in note
    assert "30 Nov 2024" in note


def test_cells_run_row_by_row_company_by_company_year_by_year(sample: Sample) -> None:
    of = [sample["V"], sample["AAPL"]]
    cells = table(of, span(2022, 2023), Concept(key="net_income"), Concept(key="revenue")).cells
    assert [(one.measure, one.cik == of[0].cik, one.fiscal_year) for one in cells] == [
        (key, first, wanted) for key in ("net_income", "revenue") for first in (True, False) for wanted in (2022, 2023)
    ]
    assert isinstance(query(of, span(2022, 2023)), Query)


def test_a_reported_rate_that_differs_is_noted() -> None:
    values = {
        "IncomeTaxExpenseBenefit": "30",
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest": "100",
    }
    of = filing_figures(values)
    fact(of, "EffectiveIncomeTaxRateContinuingOperations", "0.241", unit="pure")
    cell = only(table(of.company, years(2024), Metric(key="effective_tax_rate")))
    assert cell.value == 30
    assert any("24.1%" in note for note in cell.notes)


def test_a_line_tagged_as_the_parents_income_serves_where_no_share_of_others_is_reported() -> None:
    of = filing_figures(
        {
            "NetIncomeLoss": "100",
            "IncomeTaxExpenseBenefit": "20",
            "InterestExpense": "7",
            "DepreciationDepletionAndAmortization": "30",
        }
    )
    face(
        of,
        "income",
        ("IncomeTaxExpenseBenefit", "Income taxes"),
        ("InterestExpense", "Interest expense"),
        ("NetIncomeLoss", "Net income"),
    )
    face(of, "cashflow", ("DepreciationDepletionAndAmortization", "Depreciation and amortization"))
    cell = only(table(of.company, years(2024), Metric(key="ebitda", variant="net_income_build")))
    assert cell.value == 157
    assert next(operand.fact.tag for operand in cell.operands) == "NetIncomeLoss"


def test_a_measure_of_banks_is_for_banks_alone() -> None:
    values = {"InterestIncomeExpenseNet": "30", "Assets": "1000"}
    cell = only(table(filing_figures(values, BALANCES).company, years(2024), Metric(key="net_interest_margin_proxy")))
    assert cell.gap is not None
    assert (cell.gap.code, "a measure of a bank" in cell.gap.text) == (Code.NOT_MEANINGFUL, True)


def test_what_explains_a_check_of_another_measure_is_not_said() -> None:
    of = filing_figures(
        {
            "Revenues": "1001",
            "GrossProfit": "401",
            "CostOfRevenue": "600",
            "OperatingExpenses": "902",
            "OperatingIncomeLoss": "99",
        }
    )
    assert only(table(of.company, years(2024), Metric(key="operating_margin"))).value
    for key, said in (("operating_income", False), ("opex", True)):
        notes = only(table(of.company, years(2024), Concept(key=key))).notes
        assert any("include cost of revenue" in note for note in notes) is said


def test_checks_of_every_operand_are_named() -> None:
    of = filing_figures({"Revenues": "1001", "GrossProfit": "401", "CostOfRevenue": "600"})
    cell = only(table(of.company, years(2024), Metric(key="gross_margin")))
    assert "IS1" in cell.passed_checks
    assert cell.failed_checks == ()


def test_a_softer_check_that_fails_is_said_in_words() -> None:
    property_ = {
        "PropertyPlantAndEquipmentNet": "77",
        "PropertyPlantAndEquipmentGross": "101",
        "AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment": "13",
    }
    cell = only(table(filing_figures(property_, property_).company, years(2024), Concept(key="ppe_net")))
    assert cell.value == 77
    (said,) = cell.failed_checks
    assert "accumulated depreciation" in said


@pytest.mark.parametrize(("year", "parts"), [(2024, [-73_000_000, 2_000_000]), (2023, []), (2022, [])])
def test_a_figure_that_a_later_report_repeats_has_no_parts_of_that_report_s_year(
    sample: Sample, year: int, parts: list[int]
) -> None:
    cell = only(table(sample["CLDP"], years(year), Concept(key="net_income")))
    assert [one.fact.value for one in cell.breakdown] == parts
    assert cell.value


def test_one_figure_has_its_parts_and_the_facts_that_lost_beside_it(sample: Sample) -> None:
    cell = only(table(sample["AAPL"], years(2024), Concept(key="gross_profit")))
    assert [(one.name, one.fact.value) for one in cell.breakdown] == [
        ("revenue", 391035000000),
        ("cost_of_revenue", 210352000000),
    ]
    assert all(
        one.breakdown == ()
        for one in table(sample["AAPL"], years(2024), Concept(key="gross_profit")).cells
        if not one.asked
    )
    of = filing_figures(
        {"ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost": "700", "ResearchAndDevelopmentExpense": "30"}
    )
    face(of, "income", ("ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost", "Research and development"))
    cell = only(table(of.company, years(2024), Concept(key="rnd")))
    assert (cell.value, [one.fact.value for one in cell.rejected]) == (700, [30])


def test_another_line_of_the_same_name_stands_beside_the_answer() -> None:
    of = filing_figures(
        {"AccountsPayableCurrent": "300", "AccountsPayableAndAccruedLiabilitiesCurrent": "500"},
        {"AccountsPayableCurrent", "AccountsPayableAndAccruedLiabilitiesCurrent"},
    )
    face(
        of,
        "balance",
        ("AccountsPayableCurrent", "Accounts payable"),
        ("AccountsPayableAndAccruedLiabilitiesCurrent", "Accounts payable and accrued liabilities"),
    )
    made = table(of.company, years(2024), Concept(key="accounts_payable"))
    assert [(one.value, one.asserted) for one in asked(made)] == [(300, True), (500, False)]
    assert verify(made) == ()


def test_the_dependencies_of_a_run_are_those_of_a_table(sample: Sample) -> None:
    from agent.steps.deps import Deps as OfRun

    deps = OfRun.current(TODAY)
    wanted = query(sample["AAPL"], years(2024), Concept(key="revenue"))
    assert tabulate(wanted, deps).answered
    assert deps.selections
    assert tabulate(wanted.model_copy(update={"rows": ()}), deps).cells == ()
