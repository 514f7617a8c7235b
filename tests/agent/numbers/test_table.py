"""Tables of queries made by hand: every value with its facts, every gap with its reason."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state.query import (
    Change,
    Combined,
    Concept,
    Metric,
    Over,
    OverYears,
    Row,
    Share,
)
from tests.agent.numbers.years_of_figures import BALANCES, operands, year
from tests.support.company_filings import END, company, face, filing, filing_figures
from tests.support.sample import Sample
from tests.support.tables import asked, only, span, table, years

pytestmark = pytest.mark.django_db


def test_a_figure_is_one_asked_cell_among_the_other_years_of_its_row(sample: Sample) -> None:
    made = table(sample["AAPL"], years(2023), Concept(key="revenue"))
    cell = only(made)
    assert (cell.value, cell.unit, cell.fact and cell.fact.value) == (383285000000, "USD", 383285000000)
    assert (cell.fiscal_year, cell.period_end, cell.formula) == (2023, date(2023, 9, 30), "")
    row = [one for one in made.cells if one.measure == "revenue"]
    assert [one.fiscal_year for one in row] == list(range(2016, 2026))
    assert all(one.value for one in made.cells)
    assert verify(made) == ()


def test_below_a_row_of_one_company_stands_what_it_moved_by(sample: Sample) -> None:
    made = table(sample["AAPL"], years(2023), Concept(key="revenue"))
    moved = [one for one in made.cells if one.measure == "growth of revenue"]
    assert [one.fiscal_year for one in moved] == list(range(2016, 2026))
    assert not any(one.asked or one.asserted for one in moved)
    of_the_year = next(one for one in moved if one.fiscal_year == 2023)
    assert of_the_year.unit == "percent"
    assert round(of_the_year.value or 0, 3) == Decimal("-2.800")
    assert {fact.accession for fact in of_the_year.facts} == {of_the_year.accession}


def test_what_a_percentage_moved_by_is_in_points_and_a_ratio_in_its_unit(sample: Sample) -> None:
    of_margin = table(sample["AAPL"], years(2024), Metric(key="gross_margin"))
    assert {one.unit for one in of_margin.cells if one.measure == "change of gross_margin"} == {"points"}
    of_ratio = table(sample["AAPL"], years(2024), Metric(key="current_ratio"))
    assert {one.unit for one in of_ratio.cells if one.measure == "change of current_ratio"} == {"ratio"}


def test_nothing_moves_beside_companies_or_what_is_computed_of_the_years(sample: Sample) -> None:
    two = table([sample["AAPL"], sample["MSFT"]], years(2024), Concept(key="revenue"))
    grown = table(sample["AAPL"], years(2024), Change(of=Concept(key="revenue"), percent=True))
    over = table(sample["AAPL"], years(2023, 2024), Concept(key="revenue"), operations=(OverYears(over=Over.AVERAGE),))
    for made in (two, over):
        assert {one.measure for one in made.cells} == {"revenue"}
    assert {one.measure for one in grown.cells} == {"growth of revenue"}


def test_growth_of_more_companies_takes_no_more_queries(sample: Sample) -> None:
    def queries(*symbols: str) -> int:
        of = [sample[one] for one in symbols]
        with CaptureQueriesContext(connection) as caught:
            made = table(of, span(2022, 2024), Change(of=Concept(key="revenue"), percent=True))
        assert all(cell.value is not None for cell in asked(made))
        return sum("filings_fact" in one["sql"] for one in caught)

    assert queries("AAPL", "NVDA", "MSFT") == queries("AAPL", "NVDA")


def test_a_percentage_is_in_points_with_every_digit(sample: Sample) -> None:
    cell = only(table(sample["AAPL"], years(2024), Metric(key="gross_margin")))
    assert cell.value is not None
    assert (cell.unit, str(cell.value)[:12]) == ("percent", "46.206349815")
    assert len(str(cell.value)) > 40
    assert cell.formula == "100 * (gross_profit / revenue)"
    assert set(operands(cell)) == {"gross_profit", "revenue"}


def test_two_years_of_one_concept_stay_two_operands() -> None:
    of = year(END, {"Revenues": "1200"}, {"Revenues": "1000"})
    cell = only(table(of.company, years(2024), Change(of=Concept(key="revenue"), percent=True)))
    assert (cell.value, cell.unit) == (20, "percent")
    assert cell.formula == "100 * (revenue / revenue[FY-1] - 1)"
    assert operands(cell) == {"revenue": 1200, "revenue[FY-1]": 1000}
    assert [one.fiscal_year for one in cell.operands] == [2024, 2023]


def test_a_change_is_an_amount_and_of_a_percentage_in_points() -> None:
    of = year(
        END,
        {"Revenues": "1000", "NetIncomeLoss": "150"},
        {"Revenues": "500", "NetIncomeLoss": "50"},
    )
    amount = only(table(of.company, years(2024), Change(of=Concept(key="revenue"))))
    points = only(table(of.company, years(2024), Change(of=Metric(key="net_margin"), percent=True)))
    assert (amount.value, amount.unit) == (500, "USD")
    assert (points.value, points.unit) == (5, "points")


def test_a_share_and_a_sum_of_measures_are_formulas_too() -> None:
    of = filing_figures(
        {"Revenues": "1000", "ResearchAndDevelopmentExpense": "100", "SellingGeneralAndAdministrativeExpense": "150"}
    )
    both = Combined(sign="+", parts=(Concept(key="rnd"), Concept(key="sga")))
    assert only(table(of.company, years(2024), both)).value == 250
    cell = only(table(of.company, years(2024), Share(part=both, whole=Concept(key="revenue"))))
    assert (cell.value, cell.unit, cell.formula) == (25, "percent", "100 * ((rnd + sga) / revenue)")


def test_what_a_formula_takes_as_zero_is_said() -> None:
    of = filing_figures({"Assets": "900", "Goodwill": "200"}, BALANCES)
    cell = only(table(of.company, years(2024), Metric(key="tangible_assets")))
    assert cell.value == 700
    assert cell.formula == "total_assets - goodwill - opt(intangibles)"
    assert any("taken as zero" in note for note in cell.notes)


def test_what_stands_where_it_is_not_believed_is_not_taken_as_zero() -> None:
    # An element that is short-term investments only where its row is labelled so, on a face without labels.
    element = "DebtSecuritiesAvailableForSaleExcludingAccruedInterestCurrent"
    values = {"CashAndCashEquivalentsAtCarryingValue": "100", element: "40", "AccountsReceivableNetCurrent": "30"}
    of = filing_figures({**values, "LiabilitiesCurrent": "100"}, {*values, "LiabilitiesCurrent"})
    face(of, "balance", *((tag, "") for tag in (*values, "LiabilitiesCurrent")))
    cell = asked(table(of.company, years(2024), Metric(key="quick_ratio", variant="quick_assets")))[0]
    assert cell.value is None
    assert cell.gap is not None
    assert cell.gap.code is Code.CONCEPT_NOT_REPORTED


def test_distributions_need_at_least_one_of_their_parts() -> None:
    of = filing_figures({"Revenues": "1000", "PaymentsForRepurchaseOfCommonStock": "70"})
    bare = filing_figures({"Revenues": "1000"}, of=filing(of=company("Northwind Chips", cik=9990010, symbol="NWC")))
    assert only(table(of.company, years(2024), Metric(key="shareholder_distributions"))).value == 70
    cell = only(table(bare.company, years(2024), Metric(key="shareholder_distributions")))
    assert cell.gap is not None
    assert cell.gap.code is Code.CONCEPT_NOT_REPORTED


def test_a_dual_metric_asserts_its_default_and_names_the_alternative() -> None:
    of = year(END, {"NetIncomeLoss": "100", "Assets": "1000"}, {"Assets": "600"})
    cells = asked(table(of.company, years(2024), Metric(key="roa")))
    assert [(one.value, one.alternative) for one in cells] == [(Decimal("12.5"), False), (10, True)]
    assert [one.reading for one in cells] == ["average total assets", "year-end total assets"]


def test_definitions_of_equal_value_are_given_once() -> None:
    of = year(END, {"NetIncomeLoss": "100", "Assets": "1000"}, {"Assets": "1000"})
    assert [one.value for one in asked(table(of.company, years(2024), Metric(key="roa")))] == [10]


def test_a_metric_made_of_others_shows_them_beside_it(sample: Sample) -> None:
    cells = asked(table(sample["AAPL"], years(2024), Metric(key="dupont_roe")))
    assert [(one.measure, one.alternative) for one in cells] == [
        ("dupont_roe", False),
        ("net_margin", True),
        ("asset_turnover:average", True),
        ("equity_multiplier:average", True),
    ]
    roe, margin, turnover, multiplier = (one.value or Decimal(0) for one in cells)
    assert abs(roe - margin * turnover * multiplier) < Decimal("1E-20")


def test_a_definition_that_is_asked_for_stands_alone() -> None:
    of = year(END, {"NetIncomeLoss": "100", "Assets": "1000"}, {"Assets": "600"})
    assert only(table(of.company, years(2024), Metric(key="roa", variant="ending"))).value == 10


def test_equal_readings_of_a_term_collapse_and_equal_mentions_are_not_shown() -> None:
    of = filing_figures({"StockholdersEquity": "500", "NetIncomeLoss": "100", "ProfitLoss": "100"}, BALANCES)
    equity = (
        Row(measure=Concept(key="equity"), term="equity"),
        Row(measure=Concept(key="equity_incl_nci"), term="equity"),
    )
    assert [one.measure for one in asked(table(of.company, years(2024), rows=equity))] == ["equity"]
    income = (
        Row(measure=Concept(key="net_income")),
        Row(measure=Concept(key="net_income_incl_nci"), mention=True),
    )
    assert [one.measure for one in asked(table(of.company, years(2024), rows=income))] == ["net_income"]


def test_a_mention_stands_beside_the_answer_and_is_not_asserted() -> None:
    of = filing_figures({"NetIncomeLoss": "100", "ProfitLoss": "120", "MinorityInterest": "5"}, {"MinorityInterest"})
    rows = (
        Row(measure=Concept(key="net_income")),
        Row(measure=Concept(key="net_income_incl_nci"), mention=True),
    )
    cells = asked(table(of.company, years(2024), rows=rows))
    assert [(one.value, one.asserted) for one in cells] == [(100, True), (120, False)]
