"""Ratios and rates that mean nothing, such as a return on negative equity, say so with their operands."""

from decimal import Decimal

import pytest

from agent.refusals.codes import Code
from agent.state.query import (
    Change,
    Combined,
    Concept,
    Metric,
    Rank,
    Share,
)
from tests.agent.numbers.years_of_figures import operands, year
from tests.support.company_filings import END, company, fact, filing, filing_figures
from tests.support.tables import asked, only, table, years

pytestmark = pytest.mark.django_db


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


def test_a_balance_is_no_share_of_a_flow() -> None:
    of = filing_figures({"Revenues": "1000", "Goodwill": "50"}, instants=["Goodwill"]).company
    goodwill, revenue = Concept(key="goodwill"), Concept(key="revenue")
    cell = only(table(of, years(2024), Share(part=goodwill, whole=revenue)))
    assert cell.gap is not None
    assert (cell.value, cell.gap.code) == (None, Code.NOT_MEANINGFUL)
    # Their quotient may be asked, as one / the other; and what a balance turned over is asked as a share of it.
    assert only(table(of, years(2024), Share(part=goodwill, whole=revenue, quotient=True))).value == 5
    assert only(table(of, years(2024), Share(part=revenue, whole=goodwill))).value == 2000


def test_units_that_differ_are_not_put_together() -> None:
    of = filing_figures({"Revenues": "1000"})
    fact(of, "WeightedAverageNumberOfDilutedSharesOutstanding", "10", unit="shares")
    parts = (Concept(key="revenue"), Concept(key="shares_diluted_wa"))
    for measure in (Combined(sign="+", parts=parts), Share(part=parts[0], whole=parts[1])):
        (cell,) = asked(table(of.company, years(2024), measure))
        assert cell.gap is not None
        assert cell.gap.code is Code.NOT_MEANINGFUL
        assert "US dollars" in cell.gap.detail
