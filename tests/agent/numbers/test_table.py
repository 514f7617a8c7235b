"""Tables of queries made by hand: every value with its facts, every gap with its reason."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agent.numbers.table import tabulate
from agent.numbers.verify import verify
from agent.refusals.codes import Code
from agent.state import Period, PeriodForm
from agent.state.query import (
    Change,
    Combined,
    Concept,
    Last,
    Metric,
    Over,
    OverYears,
    Query,
    Rank,
    Row,
    Share,
    Span,
    Years,
)
from agent.state.tables import Cell
from filings.models import Company, Filing
from tests.support.company_filings import END, company, face, fact, filing, filing_figures
from tests.support.sample import Sample
from tests.support.tables import TODAY, Deps, Everybody, asked, fiscal, only, query, span, table, years

pytestmark = pytest.mark.django_db

BEFORE = date(2023, 12, 31)
BALANCES = {"Assets", "StockholdersEquity", "Goodwill", "AssetsCurrent", "LiabilitiesCurrent", "InventoryNet"}


def year(
    end: date, values: Mapping[str, str], prior: Mapping[str, str] | None = None, of: Company | None = None
) -> Filing:
    """A 10-K with the values of its own year, and comparatives of the year before."""
    made = filing_figures(values, BALANCES, filing(end, of))
    for tag, value in (prior or {}).items():
        fact(made, tag, value, instant=tag in BALANCES, end=end.replace(year=end.year - 1))
    return made


def operands(cell: Cell) -> dict[str, Decimal]:
    return {one.name: one.fact.value for one in cell.operands}


# --- one figure ---


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


# --- definitions ---


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


# --- not meaningful ---


@pytest.mark.parametrize(("before", "said"), [("-40", "negative"), ("0", "zero")])
def test_growth_from_nothing_or_a_loss_is_not_meaningful_and_shows_its_operands(before: str, said: str) -> None:
    of = year(END, {"NetIncomeLoss": "100"}, {"NetIncomeLoss": before})
    cell = only(table(of.company, years(2024), Change(of=Concept(key="net_income"), percent=True)))
    assert cell.value is None
    assert cell.gap is not None
    assert (cell.gap.code, cell.gap.detail) == (
        Code.NOT_MEANINGFUL,
        f"Fiscal 2023 net income (loss) attributable to the parent is {said}.",
    )
    assert operands(cell) == {"net_income": 100, "net_income[FY-1]": Decimal(before)}
    assert [one.value for one in cell.gap.candidates] == [100, Decimal(before)]


def test_a_return_on_negative_equity_is_not_meaningful() -> None:
    of = year(END, {"NetIncomeLoss": "100", "StockholdersEquity": "-50"}, {"StockholdersEquity": "-90"})
    cell = asked(table(of.company, years(2024), Metric(key="roe")))[0]
    assert cell.gap is not None
    assert cell.gap.code is Code.NOT_MEANINGFUL
    assert cell.gap.detail == "Fiscal 2023 stockholders' equity attributable to the parent is negative."
    assert len(cell.operands) == 3


def test_a_return_on_equity_that_passed_through_zero_is_not_meaningful() -> None:
    of = year(END, {"NetIncomeLoss": "100", "StockholdersEquity": "150"}, {"StockholdersEquity": "-90"})
    average, ending = asked(table(of.company, years(2024), Metric(key="roe")))
    assert average.value is None
    assert average.gap is not None
    assert average.gap.detail == "Fiscal 2023 stockholders' equity attributable to the parent is negative."
    assert [one.value for one in average.gap.candidates] == [100, 150, -90]
    assert round(ending.value or 0, 1) == Decimal("66.7")


def test_an_average_that_begins_at_zero_has_a_return() -> None:
    of = year(END, {"NetIncomeLoss": "100", "StockholdersEquity": "200"}, {"StockholdersEquity": "0"})
    assert asked(table(of.company, years(2024), Metric(key="roe")))[0].value == 100


def test_a_tax_rate_on_a_loss_is_not_meaningful() -> None:
    values = {
        "IncomeTaxExpenseBenefit": "-20",
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest": "-100",
    }
    cell = only(table(filing_figures(values).company, years(2024), Metric(key="effective_tax_rate")))
    assert cell.value is None
    assert cell.gap is not None
    assert cell.gap.code is Code.NOT_MEANINGFUL
    assert [one.value for one in cell.gap.candidates] == [-20, -100]


def test_a_loss_covers_no_interest() -> None:
    """The more interest, the nearer to zero the ratio would come: its order would mean nothing."""
    of = filing_figures({"OperatingIncomeLoss": "-100", "InterestExpense": "20"})
    cell = asked(table(of.company, years(2024), Metric(key="interest_coverage")))[0]
    assert cell.gap is not None
    assert (cell.gap.code, cell.gap.detail) == (
        Code.NOT_MEANINGFUL,
        "Fiscal 2024 operating income (loss) is negative.",
    )


def test_what_is_not_meaningful_is_not_ranked() -> None:
    one = filing_figures({"OperatingIncomeLoss": "-100", "InterestExpense": "20"}).company
    other = company("Northwind Chips", cik=9990010, symbol="NWC")
    filing_figures({"OperatingIncomeLoss": "100", "InterestExpense": "20"}, of=filing(of=other))
    made = table([one, other], years(2024), Metric(key="interest_coverage"), operations=(Rank(),))
    (rank,) = made.results
    assert [place.cik for place in rank.order] == [other.cik]
    assert rank.notes == ("Not ranked, not meaningful: Northwind Instruments' fiscal 2024.",)


def test_a_bank_has_no_gross_margin() -> None:
    bank = company("Northwind Bank", cik=9990012, symbol="NWB", sic="6021")
    filing_figures({"Revenues": "1000", "GrossProfit": "400"}, of=filing(of=bank))
    cell = only(table(bank, years(2024), Metric(key="gross_margin")))
    assert cell.gap is not None
    assert (cell.gap.code, "a bank" in cell.gap.text) == (Code.NOT_MEANINGFUL, True)


def test_units_that_differ_are_not_put_together() -> None:
    of = filing_figures({"Revenues": "1000"})
    fact(of, "WeightedAverageNumberOfDilutedSharesOutstanding", "10", unit="shares")
    parts = (Concept(key="revenue"), Concept(key="shares_diluted_wa"))
    for measure in (Combined(sign="+", parts=parts), Share(part=parts[0], whole=parts[1])):
        (cell,) = asked(table(of.company, years(2024), measure))
        assert cell.gap is not None
        assert cell.gap.code is Code.NOT_MEANINGFUL
        assert "US dollars" in cell.gap.detail


# --- one filing, several filings ---


def test_operands_of_two_years_come_from_the_later_filing_and_the_restatement_is_said() -> None:
    first = year(BEFORE, {"Revenues": "1001000000"})
    second = year(END, {"Revenues": "1200000000"}, {"Revenues": "1000000000"}, first.company)
    cell = only(table(first.company, years(2024), Change(of=Concept(key="revenue"), percent=True)))
    assert cell.value == 20
    assert {one.fact.accession for one in cell.operands} == {second.accession}
    assert cell.seams == ()
    assert "Fiscal 2023 total revenue first reported as 1,001,000,000 US dollars." in cell.notes


def test_a_year_that_the_filing_does_not_give_comes_from_its_own_and_marks_the_seam() -> None:
    first = year(BEFORE, {"Revenues": "1000"})
    second = year(END, {"Revenues": "1200"}, of=first.company)
    made = table(first.company, years(2024), Change(of=Concept(key="revenue"), percent=True))
    cell = only(made)
    assert cell.value == 20
    assert cell.formula == "100 * (revenue / revenue:fy2023[FY-1] - 1)"
    assert [one.fact.accession for one in cell.operands] == [second.accession, first.accession]
    assert cell.seams == (first.accession,)
    assert any("fiscal 2023 10-K is used" in note for note in cell.notes)
    assert verify(made) == ()


def test_a_prior_year_that_no_filing_gives_is_a_gap() -> None:
    of = filing_figures({"Revenues": "1200"})
    cell = only(table(of.company, years(2024), Change(of=Concept(key="revenue"), percent=True)))
    assert cell.gap is not None
    assert cell.gap.code is Code.CONCEPT_NOT_REPORTED


def test_an_optional_operand_that_only_the_own_filing_gives_is_not_taken_as_zero() -> None:
    first = year(BEFORE, {"Assets": "1000", "Goodwill": "400", "NetIncomeLoss": "1"})
    second = year(END, {"Assets": "1000", "Goodwill": "400", "NetIncomeLoss": "60"}, {"Assets": "1000"}, first.company)
    cell = only(table(first.company, years(2024), Metric(key="rota")))
    assert cell.value == 10
    assert {one.fact.accession for one in cell.operands} == {first.accession, second.accession}


def test_a_restated_figure_is_given_as_reported_with_what_came_later() -> None:
    first = year(BEFORE, {"Revenues": "1001000000"})
    year(END, {"Revenues": "1200000000"}, {"Revenues": "1000000000"}, first.company)
    cell = only(table(first.company, years(2023), Concept(key="revenue")))
    assert cell.value == 1001000000
    assert [(one.used, one.later.fact.value, one.later.change) for one in cell.restated] == [
        (1001000000, 1000000000, -1000000)
    ]


# --- doubts ---


def test_a_value_that_a_later_filing_gives_a_thousand_times_larger_is_not_believed() -> None:
    first = year(BEFORE, {"Revenues": "1001000"})
    year(END, {"Revenues": "1200000000"}, {"Revenues": "1001000000"}, first.company)
    for measure in (Concept(key="revenue"), Share(part=Concept(key="revenue"), whole=Concept(key="revenue"))):
        cell = only(table(first.company, years(2023), measure))
        assert cell.gap is not None
        assert (cell.gap.code, "scale" in cell.gap.detail) == (Code.CONFLICT, True)


def test_an_operand_that_breaks_a_sum_of_its_filing_blocks_the_metric() -> None:
    of = filing_figures({"Revenues": "1001", "GrossProfit": "452", "CostOfRevenue": "601"})
    cell = only(table(of.company, years(2024), Metric(key="gross_margin")))
    assert cell.gap is not None
    assert cell.gap.code is Code.CONFLICT
    assert "gross profit" in cell.gap.detail.lower()


# --- periods and companies ---


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
