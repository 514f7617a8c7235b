"""Statements over several years: rows joined over filings, on one basis, as amounts, percentages and growth."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import pytest

from agent.refusals.codes import Code
from agent.state.query import Statement
from agent.state.tables import Cell, Table
from filings.models import Filing
from tests.support.company_filings import company, face, fact, filing
from tests.support.tables import asked, span, table, years

pytestmark = pytest.mark.django_db
INCOME, BALANCE = Statement(statement="income"), Statement(statement="balance")
Lines = list[tuple[str, str, str]]


def report(year: int, lines: Lines, before: Mapping[str, str] | None = None, kind: str = "income") -> Filing:
    """A 10-K whose statement prints (tag, label, value) lines, and values of the year before by tag."""
    made = filing(date(year, 12, 31), company())
    for end, values in ((year, {tag: value for tag, _, value in lines}), (year - 1, before or {})):
        for tag, value in values.items():
            per_share = tag.startswith("EarningsPerShare")
            unit = "USD/shares" if per_share else "USD"
            fact(made, tag, value, end=date(end, 12, 31), instant=kind == "balance", unit=unit)
    face(made, kind, *((tag, label) for tag, label, _ in lines))
    return made


def rows(made: Table) -> dict[str, dict[int | None, Decimal | None]]:
    found: dict[str, dict[int | None, Decimal | None]] = {}
    for one in asked(made):
        found.setdefault(one.label, {})[one.fiscal_year] = one.value
    return found


def cells(made: Table) -> dict[tuple[str, int | None], Cell]:
    return {(one.label, one.fiscal_year): one for one in asked(made)}


def test_a_row_under_one_element_is_one_row_under_its_newest_label() -> None:
    report(2023, [("Revenues", "Net sales", "100"), ("CostOfRevenue", "Costs", "60")])
    report(2024, [("Revenues", "Revenue", "120"), ("CostOfRevenue", "Costs", "70")])
    made = table(company(), span(2023, 2024), INCOME)
    assert rows(made) == {"Revenue": {2023: 100, 2024: 120}, "Costs": {2023: 60, 2024: 70}}


def test_a_row_whose_element_changes_is_joined_where_the_later_filing_prints_the_same_figure() -> None:
    report(2023, [("SalesRevenueNet", "Net sales", "100"), ("CostOfRevenue", "Costs", "60")])
    report(2024, [("Revenues", "Revenue", "120"), ("CostOfRevenue", "Costs", "70")], {"Revenues": "100"})
    made = table(company(), span(2023, 2024), INCOME)
    assert rows(made)["Revenue"] == {2023: 100, 2024: 120}
    assert "Net sales" not in rows(made)
    assert "“Revenue” was printed as “Net sales”." in cells(made)["Revenue", 2023].notes


def test_rows_that_no_figure_proves_alike_stay_apart() -> None:
    report(2023, [("SalesRevenueNet", "Sales", "100"), ("CostOfRevenue", "Costs", "60")])
    report(2024, [("Revenues", "Sales", "120"), ("CostOfRevenue", "Costs", "70")])
    made = asked(table(company(), span(2023, 2024), INCOME))
    sales = [(one.measure, one.fiscal_year, one.value) for one in made if one.label == "Sales" and one.value]
    assert sales == [("us-gaap:SalesRevenueNet", 2023, 100), ("us-gaap:Revenues", 2024, 120)]


def test_two_rows_of_one_figure_prove_nothing_and_the_later_filing_gives_the_year() -> None:
    report(2023, [("SalesRevenueNet", "Sales", "100")])
    report(
        2024,
        [("Revenues", "Revenue", "120"), ("OperatingExpenses", "Expenses", "90")],
        {"Revenues": "100", "OperatingExpenses": "100"},
    )
    made = table(company(), span(2023, 2024), INCOME)
    assert rows(made) == {"Revenue": {2023: 100, 2024: 120}, "Expenses": {2023: 100, 2024: 90}}
    assert all(cells(made)[label, 2023].recast for label in rows(made))


def test_a_row_of_an_older_filing_stands_behind_the_row_above_it_there() -> None:
    report(2023, [("Revenues", "Revenue", "100"), ("nwi:Rent", "Rent", "5"), ("CostOfRevenue", "Costs", "60")])
    report(2024, [("Revenues", "Revenue", "120"), ("CostOfRevenue", "Costs", "70")])
    made = table(company(), span(2023, 2024), INCOME)
    assert list(rows(made)) == ["Revenue", "Rent", "Costs"]
    unprinted = cells(made)["Rent", 2024]
    assert unprinted.gap
    assert (unprinted.gap.code, unprinted.gap.text) == (Code.CONCEPT_NOT_REPORTED, "")


def test_a_restated_year_is_shown_as_the_later_filing_divides_it() -> None:
    """The later 10-K puts rent among costs: the column of 2023 follows it, with no amount twice."""
    report(2023, [("Revenues", "Revenue", "100"), ("nwi:Rent", "Rent", "5"), ("CostOfRevenue", "Costs", "60")])
    report(
        2024,
        [("Revenues", "Revenue", "120"), ("CostOfRevenue", "Costs", "70"), ("nwi:Fees", "Fees", "2")],
        {"Revenues": "100", "CostOfRevenue": "64", "nwi:Fees": "1"},
    )
    made = table(company(), span(2023, 2024), INCOME)
    assert rows(made) == {"Revenue": {2023: 100, 2024: 120}, "Costs": {2023: 64, 2024: 70}, "Fees": {2023: 1, 2024: 2}}
    costs, fees = cells(made)["Costs", 2023].recast, cells(made)["Fees", 2023].recast
    assert costs
    assert fees
    assert (costs.fiscal_year, costs.first, fees.first, fees.own_loaded) == (2024, 60, None, True)
    assert "Fiscal 2023 as restated in the fiscal 2024 10-K." in made.notes


def test_a_year_without_a_10k_is_what_the_next_one_prints() -> None:
    report(2024, [("Revenues", "Revenue", "120")], {"Revenues": "100"})
    report(2022, [("Revenues", "Revenue", "90")])
    made = table(company(), years(2023, 2024), INCOME)
    assert rows(made) == {"Revenue": {2023: 100, 2024: 120}}
    assert cells(made)["Revenue", 2023].recast


def test_a_statement_of_one_year_without_a_10k_is_what_the_next_one_prints() -> None:
    report(2024, [("Revenues", "Revenue", "120")], {"Revenues": "100"})
    made = table(company(), years(2023), INCOME)
    assert rows(made) == {"Revenue": {2023: 100}}
    assert cells(made)["Revenue", 2023].recast


def test_a_year_that_no_10k_gives_is_a_gap_of_its_own() -> None:
    report(2024, [("Revenues", "Revenue", "120")])
    report(2022, [("Revenues", "Revenue", "90")])
    made = asked(table(company(), years(2023, 2024), INCOME))
    (gap,) = [one.gap for one in made if one.gap and one.gap.text]
    assert gap.code is Code.YEAR_NOT_INGESTED


def test_a_filing_without_its_statement_gives_rows_by_their_elements() -> None:
    report(2024, [("Revenues", "Revenue", "120")], {"Revenues": "100"})
    fact(filing(date(2023, 12, 31), company()), "Revenues", "100")
    assert rows(table(company(), span(2023, 2024), INCOME)) == {"Revenue": {2023: 100, 2024: 120}}


def test_a_common_size_statement_is_in_percent_of_revenue() -> None:
    lines = [("Revenues", "Revenue", "200"), ("CostOfRevenue", "Costs", "50"), ("EarningsPerShareBasic", "Basic", "2")]
    report(2024, lines)
    made = table(company(), years(2024), INCOME.model_copy(update={"form": "common_size"}))
    assert rows(made) == {"Revenue": {2024: 100}, "Costs": {2024: 25}}
    cost = cells(made)["Costs", 2024]
    assert (cost.unit, [one.fact.tag for one in cost.operands]) == ("percent", ["CostOfRevenue", "Revenues"])


def test_a_common_size_balance_sheet_is_in_percent_of_total_assets() -> None:
    report(2024, [("Assets", "Total assets", "400"), ("Cash", "Cash", "100")], kind="balance")
    made = table(company(), years(2024), BALANCE.model_copy(update={"form": "common_size"}))
    assert rows(made) == {"Total assets": {2024: 100}, "Cash": {2024: 25}}


def test_the_growth_of_a_statement_is_that_of_every_row() -> None:
    report(2023, [("Revenues", "Revenue", "100")], {"Revenues": "80"})
    report(2024, [("Revenues", "Revenue", "120"), ("nwi:Fees", "Fees", "2")], {"Revenues": "100", "nwi:Fees": "-1"})
    made = table(company(), span(2023, 2024), INCOME.model_copy(update={"form": "growth"}))
    assert rows(made)["Revenue"] == {2023: 25, 2024: 20}
    loss = cells(made)["Fees", 2024].gap
    assert loss
    assert loss.code is Code.NOT_MEANINGFUL


def test_growth_of_balances_stands_on_one_basis_where_balances_do() -> None:
    report(2023, [("Assets", "Total assets", "100")], {"Assets": "80"}, kind="balance")
    report(2024, [("Assets", "Total assets", "120")], {"Assets": "100"}, kind="balance")
    made = table(company(), span(2023, 2024), BALANCE.model_copy(update={"form": "growth"}))
    assert [(one.value, one.basis_break) for one in asked(made)] == [(25, ""), (20, "")]


def test_growth_of_restated_balances_has_a_break() -> None:
    report(2023, [("Assets", "Total assets", "100")], {"Assets": "80"}, kind="balance")
    report(2024, [("Assets", "Total assets", "120")], {"Assets": "96"}, kind="balance")
    made = table(company(), span(2023, 2024), BALANCE.model_copy(update={"form": "growth"}))
    assert [bool(one.basis_break) for one in asked(made)] == [False, True]
