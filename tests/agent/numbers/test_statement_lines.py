"""Rows as statements print them, and whole statements."""

from datetime import date

import pytest

from agent.refusals.codes import Code
from agent.state.query import Change, Line, Share, Statement
from tests.support.company_filings import END, company, face, fact, filing, filing_figures
from tests.support.tables import asked, only, table, years

pytestmark = pytest.mark.django_db

MERCHANDISE = Line(label="Merchandise costs")


def test_a_row_is_found_by_its_printed_label_and_shown_with_it() -> None:
    of = filing_figures({"CostOfRevenue": "600", "Revenues": "1000"})
    face(of, "income", ("Revenues", "Net sales"), ("CostOfRevenue", "Merchandise costs (Note 3)"))
    cell = only(table(of.company, years(2024), MERCHANDISE))
    assert (cell.value, cell.label, cell.unit) == (600, "Merchandise costs (Note 3)", "USD")
    assert cell.fact is not None
    assert cell.fact.tag == "CostOfRevenue"


def test_a_row_under_the_companys_own_tag_is_found() -> None:
    of = filing()
    fact(of, "nwi:MerchandiseCosts", "600")
    face(of, "income", ("nwi:MerchandiseCosts", "Merchandise costs"))
    assert only(table(of.company, years(2024), MERCHANDISE)).value == 600


def test_two_rows_of_one_label_with_different_figures_are_a_conflict() -> None:
    of = filing_figures(
        {"OtherAssetsCurrent": "10", "OtherAssetsNoncurrent": "20"}, {"OtherAssetsCurrent", "OtherAssetsNoncurrent"}
    )
    face(of, "balance", ("OtherAssetsCurrent", "Other"), ("OtherAssetsNoncurrent", "Other"))
    cell = only(table(of.company, years(2024), Line(label="Other")))
    assert cell.gap is not None
    assert cell.gap.code is Code.CONFLICT
    assert {one.value for one in cell.gap.candidates} == {10, 20}


def test_a_row_that_is_printed_otherwise_in_another_year_is_found_by_its_tag() -> None:
    of = company()
    for end, label in ((date(2023, 12, 31), "Cost of merchandise"), (END, "Merchandise costs")):
        face(filing_figures({"CostOfRevenue": str(end.year)}, of=filing(end, of)), "income", ("CostOfRevenue", label))
    cells = asked(table(of, years(2023, 2024), MERCHANDISE))
    assert [(one.value, one.label) for one in cells] == [(2023, "Cost of merchandise"), (2024, "Merchandise costs")]


@pytest.mark.parametrize("held", [True, False])
def test_a_row_that_no_statement_prints_is_a_gap(held: bool) -> None:
    of = filing_figures({"CostOfRevenue": "600"})
    if held:
        face(of, "income", ("CostOfRevenue", "Cost of sales"))
    cell = only(table(of.company, years(2024), MERCHANDISE))
    assert cell.gap is not None
    assert cell.gap.code is Code.CONCEPT_NOT_REPORTED
    assert cell.gap.detail == ("" if held else "Single measures are available.")


def test_rows_grow_and_have_shares_like_any_measure() -> None:
    of = filing_figures({"CostOfRevenue": "600", "Revenues": "1000"})
    fact(of, "CostOfRevenue", "500", end=date(2023, 12, 31))
    face(of, "income", ("Revenues", "Net sales"), ("CostOfRevenue", "Merchandise costs"))
    growth = only(table(of.company, years(2024), Change(of=MERCHANDISE, percent=True)))
    assert (growth.value, growth.unit) == (20, "percent")
    share = only(table(of.company, years(2024), Share(part=MERCHANDISE, whole=Line(label="Net sales"))))
    assert (share.value, share.unit) == (60, "percent")


def test_rows_of_different_units_are_not_put_together() -> None:
    of = filing_figures({"Revenues": "1000"})
    fact(of, "EarningsPerShareBasic", "2", unit="USD/shares")
    face(of, "income", ("Revenues", "Net sales"), ("EarningsPerShareBasic", "Basic"))
    cell = only(table(of.company, years(2024), Share(part=Line(label="Net sales"), whole=Line(label="Basic"))))
    assert cell.gap is not None
    assert cell.gap.code is Code.NOT_MEANINGFUL


def test_a_statement_is_every_row_in_its_order() -> None:
    of = filing_figures({"Revenues": "1000", "CostOfRevenue": "600", "GrossProfit": "400"})
    face(
        of,
        "income",
        ("Revenues", "Net sales"),
        ("CostOfRevenue", "Merchandise costs"),
        ("GrossProfit", "Gross profit"),
    )
    cells = asked(table(of.company, years(2024), Statement(statement="income")))
    assert [(one.label, one.value) for one in cells] == [
        ("Net sales", 1000),
        ("Merchandise costs", 600),
        ("Gross profit", 400),
    ]


def test_opening_and_closing_cash_are_two_rows() -> None:
    of, tag = filing(), "CashAndCashEquivalentsAtCarryingValue"
    fact(of, tag, "70", instant=True)
    fact(of, tag, "50", instant=True, end=date(2023, 12, 31))
    face(of, "cashflow", (tag, "Cash, beginning of year"), (tag, "Cash, end of year"))
    cells = asked(table(of.company, years(2024), Statement(statement="cashflow")))
    assert [(one.label, one.value) for one in cells] == [("Cash, beginning of year", 50), ("Cash, end of year", 70)]


def test_a_statement_that_is_not_stored_is_a_gap() -> None:
    of = filing_figures({"Revenues": "1000"})
    cell = only(table(of.company, years(2024), Statement(statement="income")))
    assert cell.gap is not None
    assert "not loaded" in cell.gap.text


def test_rows_of_one_label_are_told_apart_by_their_headings() -> None:
    of = filing_figures({"Revenues": "1000"})
    for tag, unit in (
        ("EarningsPerShareBasic", "USD/shares"),
        ("WeightedAverageNumberOfSharesOutstandingBasic", "shares"),
    ):
        fact(of, tag, "5", unit=unit)
    stored = face(
        of, "income", ("EarningsPerShareBasic", "Basic"), ("WeightedAverageNumberOfSharesOutstandingBasic", "Basic")
    )
    for line, heading in zip(stored.lines, ("Earnings per share:", "Shares used:"), strict=True):
        line["heading"] = heading
    stored.save()
    cells = asked(table(of.company, years(2024), Statement(statement="income")))
    assert [(one.label, one.unit) for one in cells] == [
        ("Earnings per share: Basic", "USD/shares"),
        ("Shares used: Basic", "shares"),
    ]
