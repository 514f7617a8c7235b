"""What operations make of cells: over years, between companies, measures and years, and in the order asked."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.numbers.tables.comparisons import holds
from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state.query import Change, Concept, Difference, Metric, Operation, Over, OverYears, Rank, Share, Threshold
from agent.state.tables import Result, Table
from filings.models import Company, Filing
from tests.support.company_filings import company, fact, filing, filing_figures
from tests.support.sample import Sample
from tests.support.tables import span, table, years

pytestmark = pytest.mark.django_db


REVENUE = Concept(key="revenue")


def reports(of: Company, *revenue: str, back: int = 2) -> list[Filing]:
    """10-Ks of the years up to 2024 with their revenue, each with comparatives of up to `back` years."""
    made = []
    for place, value in enumerate(revenue):
        end = date(2025 - len(revenue) + place, 12, 31)
        made.append(filing_figures({"Revenues": value}, of=filing(end, of)))
        for earlier in range(1, min(back, place) + 1):
            then = end.replace(year=end.year - earlier)
            fact(made[-1], "Revenues", revenue[place - earlier], end=then)
    return made


def over(of: Company, which: Over, *wanted: int) -> Result:
    (result,) = table(of, years(*wanted), REVENUE, operations=(OverYears(over=which),)).results
    return result


@pytest.mark.parametrize(
    ("which", "value", "unit"),
    [
        (Over.AVERAGE, Decimal(1500) / 3, "USD"),
        (Over.SUM, Decimal(1500), "USD"),
        (Over.GROWTH, Decimal(300), "percent"),
        (Over.CHANGE, Decimal(600), "USD"),
        (Over.CAGR, Decimal(100), "percent"),
    ],
)
def test_a_row_is_made_one_number(which: Over, value: Decimal, unit: str) -> None:
    of = company()
    reports(of, "200", "500", "800")
    result = over(of, which, 2022, 2023, 2024)
    assert result.value == value
    assert (result.unit, result.cik) == (unit, of.cik)
    assert len({one.fact.accession for one in result.operands}) == 1
    assert result.gap is None


def test_a_compound_rate_says_its_years_and_roots_them() -> None:
    of = company()
    reports(of, "1000", "1100", "1331")
    result = over(of, Over.CAGR, 2022, 2023, 2024)
    assert result.formula == "100 * ((revenue / revenue[FY-2]) ** (1 / 2) - 1)"
    assert result.value is not None
    assert (1 + result.value / 100) ** 2 == pytest.approx(Decimal("1.331"))


def test_a_span_beyond_one_filing_takes_the_further_year_from_its_own_and_says_so() -> None:
    of = company()
    filings = reports(of, "200", "300", "400", "500", "600")
    result = over(of, Over.GROWTH, 2020, 2024)
    assert result.formula == "100 * (revenue / revenue:fy2020[FY-4] - 1)"
    assert [one.fact.accession for one in result.operands] == [filings[4].accession, filings[0].accession]
    assert any("2020 and 2024" in note for note in result.notes)
    average = over(of, Over.AVERAGE, 2020, 2021, 2022, 2023, 2024)
    assert {one.fact.accession for one in average.operands} == {filings[4].accession, filings[1].accession}
    assert average.value == 400


def test_the_extreme_year_is_named_with_all_others_behind_it() -> None:
    of = company()
    reports(of, "200", "900", "800")
    high, low = over(of, Over.HIGHEST, 2022, 2023, 2024), over(of, Over.LOWEST, 2022, 2023, 2024)
    assert [(one.rank, one.fiscal_year) for one in high.order] == [(1, 2023), (2, 2024), (3, 2022)]
    assert (high.value, low.value, low.order[0].fiscal_year) == (900, 200, 2022)


@pytest.mark.parametrize("which", [Over.AVERAGE, Over.GROWTH, Over.HIGHEST, Over.LOWEST])
def test_a_missing_year_leaves_no_average_and_no_highest(which: Over) -> None:
    of = company()
    reports(of, "200", "300", back=0)
    result = over(of, which, 2022, 2023, 2024)
    assert result.value is None
    assert result.gap is not None
    assert result.gap.code is Code.YEAR_NOT_INGESTED


def test_states_and_ratios_are_not_added_up_over_years(sample: Sample) -> None:
    for measure in (Concept(key="total_assets"), Metric(key="gross_margin")):
        (result,) = table(sample["AAPL"], years(2023, 2024), measure, operations=(OverYears(over=Over.SUM),)).results
        assert result.gap is not None
        assert result.gap.code is Code.NOT_MEANINGFUL


def test_a_margin_changes_in_points_and_has_no_compound_rate(sample: Sample) -> None:
    margin = Metric(key="gross_margin")
    of = sample["AAPL"]
    (change,) = table(of, years(2019, 2024), margin, operations=(OverYears(over=Over.CHANGE),)).results
    assert (change.unit, str(change.value)[:5]) == ("points", "8.388")
    (rate,) = table(of, years(2019, 2024), margin, operations=(OverYears(over=Over.CAGR),)).results
    assert rate.gap is not None


@pytest.mark.parametrize("which", [Over.GROWTH, Over.CHANGE])
def test_a_rate_that_is_tagged_as_a_fraction_changes_in_points(which: Over) -> None:
    of = company()
    for end, value in ((2023, "0.21"), (2024, "0.24")):
        tag = "EffectiveIncomeTaxRateContinuingOperations"
        fact(filing(date(end, 12, 31), of), tag, value, unit="pure")
    rate = Concept(key="effective_tax_rate_reported")
    (result,) = table(of, years(2023, 2024), rate, operations=(OverYears(over=which),)).results
    assert (result.value, result.unit) == (3, "points")


@pytest.mark.parametrize("which", [Over.CAGR, Over.GROWTH])
def test_a_rate_from_a_loss_is_not_meaningful(which: Over) -> None:
    of = company()
    for end, value in ((2023, "-5"), (2024, "9")):
        filing_figures({"NetIncomeLoss": value}, of=filing(date(end, 12, 31), of))
    (result,) = table(of, years(2023, 2024), Concept(key="net_income"), operations=(OverYears(over=which),)).results
    assert result.value is None
    assert result.gap is not None
    assert result.gap.code is Code.NOT_MEANINGFUL
    assert table(of, years(2023, 2024), Concept(key="net_income"), operations=(OverYears(over=which),)).answered


@pytest.fixture
def three() -> list[Company]:
    found = [
        company(),
        company("Northwind Chips", cik=9990010, symbol="NWC"),
        company("Northwind Stores", cik=9990011, symbol="NWS"),
    ]
    for of, values in zip(found, (("300", "400"), ("500", "900"), ("400", "400")), strict=True):
        reports(of, *values)
    return found


def test_companies_stand_in_the_order_of_a_measure_and_equals_share_a_rank(three: list[Company]) -> None:
    (result,) = table(three, years(2024), REVENUE, operations=(Rank(),)).results
    assert [(one.rank, one.cik) for one in result.order] == [(1, 9990010), (2, 9990001), (2, 9990011)]
    (lowest,) = table(three, years(2023), REVENUE, operations=(Rank(highest=False, top=1),)).results
    assert [(one.cik, one.value) for one in lowest.order] == [(9990001, 300)]


def test_without_a_figure_of_all_nobody_is_called_the_first(three: list[Company]) -> None:
    other = company("Northwind Banks", cik=9990013, symbol="NWK")
    (first,) = table([*three, other], years(2024), REVENUE, operations=(Rank(top=1),)).results
    assert first.order == ()
    assert first.gap is not None
    assert "Northwind Banks" in first.gap.text
    (order,) = table([*three, other], years(2024), REVENUE, operations=(Rank(),)).results
    assert len(order.order) == 3
    assert any("Northwind Banks" in note for note in order.notes)
    alone = table([three[0], other], years(2024), REVENUE, operations=(Rank(),))
    assert alone.results[0].gap is not None
    assert not alone.answered
    assert table([three[0], other], years(2024), REVENUE).answered


def test_a_company_for_which_a_measure_means_nothing_is_left_out_of_an_order(three: list[Company]) -> None:
    bank = company("Northwind Bank", cik=9990012, symbol="NWB", sic="6021")
    for of in (*three, bank):
        stored = of.filings.filter(fiscal_year=2024).first() or filing(of=of)
        fact(stored, "GrossProfit", "100")
        if of is bank:
            fact(stored, "Revenues", "900")
    (result,) = table([*three, bank], years(2024), Metric(key="gross_margin"), operations=(Rank(top=1),)).results
    assert [one.cik for one in result.order] == [9990001, 9990011]
    assert any("Northwind Bank" in note for note in result.notes)


def test_growth_is_computed_first_and_ranked_then(three: list[Company]) -> None:
    made = table(three, years(2023, 2024), REVENUE, operations=(OverYears(over=Over.GROWTH), Rank()))
    growth, order = made.results[:3], made.results[3]
    assert [one.operation for one in growth] == ["growth"] * 3
    assert (order.order[0].rank, order.order[0].cik, order.order[0].value) == (1, 9990010, 80)
    assert verify(made) == ()


def test_the_years_of_one_company_are_ranked(three: list[Company]) -> None:
    (result,) = table(three[0], years(2023, 2024), REVENUE, operations=(Rank(),)).results
    assert [one.fiscal_year for one in result.order] == [2024, 2023]


def test_a_difference_is_the_first_company_less_the_second(three: list[Company]) -> None:
    made = table(three[:2], years(2024), REVENUE, operations=(Difference(),))
    (result,) = made.results
    assert (result.value, result.formula) == (-500, "revenue:nwi - revenue:nwc")
    (percent,) = table(three[:2], years(2024), REVENUE, operations=(Difference(percent=True),)).results
    assert percent.value is not None
    assert (percent.unit, round(percent.value, 2)) == ("percent", Decimal("-55.56"))
    assert verify(made) == ()


def test_a_difference_of_two_years_is_the_later_less_the_earlier(three: list[Company]) -> None:
    (result,) = table(three[1], years(2023, 2024), REVENUE, operations=(Difference(),)).results
    assert (result.value, result.formula) == (400, "revenue - revenue[FY-1]")


def test_a_difference_of_two_measures_is_the_first_less_the_second() -> None:
    of = filing_figures({"Revenues": "1000", "NetIncomeLoss": "90"})
    (result,) = table(of.company, years(2024), REVENUE, Concept(key="net_income"), operations=(Difference(),)).results
    assert result.value == 910


def test_figures_in_different_units_are_not_compared() -> None:
    of = filing_figures({"Revenues": "1000"})
    fact(of, "EarningsPerShareDiluted", "2.5", unit="USD/shares")
    for operation in (Difference(), Rank()):
        (result,) = table(
            of.company, years(2024), REVENUE, Concept(key="eps_diluted"), operations=(operation,)
        ).results
        assert result.gap is not None
        assert result.gap.code is Code.NOT_MEANINGFUL


def test_a_bound_is_met_or_not(three: list[Company]) -> None:
    def above(bound: str) -> bool | None:
        (result,) = table(
            three[0], years(2024), REVENUE, operations=(Threshold(comparison=">", bound=Decimal(bound)),)
        ).results
        return result.holds

    assert (above("399.5"), above("400")) == (True, False)


@given(st.integers(-5, 5), st.integers(-5, 5))
def test_comparisons_are_those_of_numbers(value: int, bound: int) -> None:
    given_ = (Decimal(value), Decimal(bound))
    found = [holds(given_[0], one, given_[1]) for one in (">", ">=", "<", "<=", "==")]
    assert found == [value > bound, value >= bound, value < bound, value <= bound, value == bound]


OPERATIONS: Sequence[tuple[Operation, ...]] = (
    (OverYears(over=Over.AVERAGE),),
    (OverYears(over=Over.CAGR), Rank()),
    (OverYears(over=Over.HIGHEST),),
    (OverYears(over=Over.GROWTH), Difference()),
    (Rank(),),
    (Difference(),),
    (Threshold(comparison=">", bound=Decimal(10)),),
)


@pytest.mark.parametrize("operations", OPERATIONS)
@pytest.mark.parametrize(
    "measure",
    [
        REVENUE,
        Metric(key="net_margin"),
        Metric(key="roa"),
        Change(of=REVENUE, percent=True),
        Share(part=Concept(key="rnd"), whole=REVENUE),
    ],
)
def test_every_operation_of_real_filings_is_verified(
    sample: Sample, operations: tuple[Operation, ...], measure: Metric
) -> None:
    made = table([sample["AAPL"], sample["MSFT"]], span(2019, 2024), measure, operations=operations)
    assert made.results
    assert made.answered
    assert verify(made) == ()


def test_an_average_is_what_fractions_give(sample: Sample) -> None:
    def made(*operations: Operation) -> Table:
        return table(sample["MSFT"], span(2022, 2024), Metric(key="net_margin"), operations=operations)

    values = [
        Fraction(one.operands[0].fact.value) * 100 / Fraction(one.operands[1].fact.value)
        for one in made().cells
        if one.asked
    ]
    (result,) = made(OverYears(over=Over.AVERAGE)).results
    assert result.value is not None
    assert abs(Fraction(result.value) - sum(values) / 3) < Fraction(1, 10**40)


def test_the_highest_and_the_lowest_are_of_the_same_figures(three: list[Company]) -> None:
    both = (OverYears(over=Over.HIGHEST), OverYears(over=Over.LOWEST))
    highest, lowest = table(three[1], years(2023, 2024), REVENUE, operations=both).results
    assert (highest.value, lowest.value) == (900, 500)


def test_a_company_without_a_rate_is_named_beside_those_that_have_one() -> None:
    full, short = company(cik=1), company(cik=2)
    reports(full, "100", "110", "121")
    reports(short, "200", "220")
    rate, _, ranked = table(
        [full, short], years(2022, 2023, 2024), REVENUE, operations=(OverYears(over=Over.CAGR), Rank(top=1))
    ).results
    assert rate.value == 10
    assert ranked.value is None
    assert ranked.gap is not None
    assert ranked.gap.text.startswith("Not ranked")
    assert ranked.label == "Compound annual growth rate of total revenue"
