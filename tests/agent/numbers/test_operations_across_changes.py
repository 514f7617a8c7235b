"""Operations over years between which shares were split or fiscal years were moved."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.verification.verify import verify
from agent.state.query import Change, Concept, Metric, Over, OverYears, Rank
from filings.models import Company
from tests.agent.numbers.test_operations import REVENUE
from tests.support.company_filings import company, fact, filing, filing_figures
from tests.support.sample import Sample
from tests.support.tables import span, table, years

pytestmark = pytest.mark.django_db


# --- shares that were split, years that were moved ---

EPS = Concept(key="eps_diluted")


def per_share(of: Company, year: int, *eps: str, shares: Sequence[str] = ()) -> None:
    """A 10-K with earnings per share and shares, its own year first, then its comparatives."""
    made = filing(date(year, 12, 31), of)
    for back, (amount, count) in enumerate(zip(eps, shares, strict=True)):
        end = date(year - back, 12, 31)
        fact(made, "EarningsPerShareDiluted", amount, unit="USD/shares", end=end)
        fact(made, "WeightedAverageNumberOfDilutedSharesOutstanding", count, unit="shares", end=end)


@pytest.fixture
def split() -> Company:
    """Four for one in 2024, as its 10-K restates; that of 2023 still has the old shares."""
    of = company()
    per_share(of, 2021, "4.00", shares=["1001"])
    per_share(of, 2022, "4.40", "4.00", shares=["1001", "1001"])
    per_share(of, 2023, "4.80", "4.40", "4.00", shares=["1001", "1001", "1001"])
    per_share(of, 2024, "1.30", "1.20", "1.10", shares=["4004", "4004", "4004"])
    return of


@pytest.mark.parametrize("which", [Over.GROWTH, Over.CAGR, Over.CHANGE, Over.AVERAGE, Over.HIGHEST, Over.LOWEST])
def test_per_share_figures_on_other_shares_are_not_put_together(split: Company, which: Over) -> None:
    (result,) = table(split, span(2021, 2024), EPS, operations=(OverYears(over=which),)).results
    assert result.value is None
    assert result.gap is not None
    assert "2024 10-K restates" in result.gap.detail


def test_one_filing_restates_its_own_comparatives(split: Company) -> None:
    (result,) = table(split, span(2022, 2024), EPS, operations=(OverYears(over=Over.CHANGE),)).results
    assert result.value == Decimal("0.20")
    (earlier,) = table(split, span(2021, 2023), EPS, operations=(OverYears(over=Over.HIGHEST),)).results
    assert earlier.order[0].fiscal_year == 2023
    (ranked,) = table(split, span(2021, 2024), EPS, operations=(Rank(),)).results
    assert ranked.gap is not None


def test_a_row_across_a_split_is_on_the_new_shares_as_far_as_a_report_gives_them(split: Company) -> None:
    made = table(split, span(2021, 2024), EPS)
    asked = [one for one in made.cells if one.asked]
    assert [one.value for one in asked] == [Decimal("4.00"), Decimal("1.10"), Decimal("1.20"), Decimal("1.30")]
    assert [one.recast.first if one.recast else None for one in asked] == [
        None,
        Decimal("4.40"),
        Decimal("4.80"),
        None,
    ]
    assert [bool(one.basis_break) for one in asked] == [False, True, False, False]
    assert made.notes == (
        "Fiscal 2022 and 2023 as restated in the fiscal 2024 10-K (share split).",
        "The fiscal 2024 10-K restates fiscal 2022, not fiscal 2021.",
    )
    assert not table(split, span(2021, 2023), EPS).notes


def test_a_row_over_the_years_says_what_it_moved_by_of_its_own_cells(sample: Sample) -> None:
    made = table(sample["AAPL"], span(2021, 2025), REVENUE)
    (moved,) = made.moved
    first, *_, last = [one.value for one in made.cells if one.asked]
    assert first is not None
    assert last is not None
    assert (moved.unit, moved.fiscal_years) == ("percent", (2021, 2025))
    assert round(moved.value or 0, 20) == round(100 * (last / first - 1), 20)
    assert verify(made) == ()
    (margin,) = table(sample["AAPL"], span(2021, 2025), Metric(key="gross_margin")).moved
    assert (margin.unit, str(margin.value)[:6]) == ("points", "5.1258")


def test_what_a_row_moved_by_is_read_again_with_it(sample: Sample) -> None:
    made = table(sample["AAPL"], span(2021, 2025), REVENUE)
    (moved,) = made.moved
    other = made.model_copy(update={"moved": (moved.model_copy(update={"value": Decimal(1)}),)})
    assert len(verify(other)) == 1


def test_a_row_moved_by_what_its_years_on_one_basis_moved(split: Company) -> None:
    (moved,) = table(split, span(2021, 2024), EPS).moved
    assert moved.fiscal_years == (2022, 2024)
    assert round(moved.value or 0, 2) == Decimal("18.18")
    (moved,) = table(split, span(2021, 2023), EPS).moved
    assert (moved.value, moved.unit) == (20, "percent")
    assert table(split, span(2020, 2023), EPS).moved == ()


@pytest.mark.parametrize("before", ["0", "-40"])
def test_a_row_that_begins_with_nothing_or_a_loss_moved_by_no_percentage(before: str) -> None:
    of = company()
    for year, value in ((2022, before), (2023, "5"), (2024, "100")):
        fact(filing(date(year, 12, 31), of), "NetIncomeLoss", value, end=date(year, 12, 31))
    made = table(of, span(2022, 2024), Concept(key="net_income"))
    assert made.moved == ()
    assert len([one for one in made.cells if one.asked and one.value is not None]) == 3


def test_money_has_no_shares_to_be_split(split: Company) -> None:
    for stored in split.filings.all():
        fact(stored, "Revenues", str(stored.fiscal_year))
    (result,) = table(split, span(2021, 2024), REVENUE, operations=(OverYears(over=Over.CHANGE),)).results
    assert result.value == 3


def test_a_fiscal_year_that_was_moved_is_said_and_never_taken_for_the_year_before() -> None:
    of = company()
    filing(date(2023, 6, 30), of)
    filing_figures({"Revenues": "1200"}, of=filing(date(2024, 12, 31), of))
    fact(of.filings.get(fiscal_year=2023), "Revenues", "1000", start=date(2022, 7, 1), end=date(2023, 6, 30))
    (result,) = table(of, years(2023, 2024), REVENUE, operations=(OverYears(over=Over.GROWTH),)).results
    assert result.value == 20
    assert table(of, years(2023, 2024), REVENUE).moved == ()
    assert any("30 Jun 2023 and 31 Dec 2024" in note for note in result.notes)
    (cell,) = [one for one in table(of, years(2024), Change(of=REVENUE)).cells if one.asked]
    assert cell.gap is not None
