"""A row over fiscal years stands on one basis, or says where it breaks."""

from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state.query import Basis, Concept, Over, OverYears
from agent.state.tables import Cell, Table
from filings.models import Company
from tests.support.company_filings import company, face, fact, filing, filing_figures
from tests.support.tables import span, table, years

pytestmark = pytest.mark.django_db

REVENUE = Concept(key="revenue")


def report(of: Company, year: int, *revenue: str) -> None:
    """A fiscal year's 10-K: revenue of the year, of the year before, and of the one before that."""
    made = filing_figures({"Revenues": revenue[0]}, of=filing(date(year, 12, 31), of))
    for back, value in enumerate(revenue[1:], start=1):
        fact(made, "Revenues", value, end=date(year - back, 12, 31))


@pytest.fixture
def spun_off() -> Company:
    """The 10-K of 2022 shows continuing operations, and restates the two years before for them."""
    of = company()
    report(of, 2018, "800")
    report(of, 2019, "850", "800")
    report(of, 2020, "900", "850", "800")
    report(of, 2021, "950", "900", "850")
    report(of, 2022, "620", "600", "580")
    report(of, 2023, "640", "620", "600")
    return of


def asked(made: Table) -> list[Cell]:
    return [one for one in made.cells if one.asked]


def test_years_before_a_recast_are_as_the_later_report_gives_them(spun_off: Company) -> None:
    made = table(spun_off, span(2020, 2023), REVENUE)
    assert [int(one.value or 0) for one in asked(made)] == [580, 600, 620, 640]
    assert [one.recast and (one.recast.fiscal_year, one.recast.first) for one in asked(made)] == [
        (2022, Decimal(900)),
        (2022, Decimal(950)),
        None,
        None,
    ]
    assert made.notes == ("Fiscal 2020 and 2021 as restated in the fiscal 2022 10-K.",)
    assert not any(one.basis_break for one in made.cells)
    assert verify(made) == ()


def test_a_year_that_no_report_restates_stands_behind_a_break(spun_off: Company) -> None:
    made = table(spun_off, span(2018, 2023), REVENUE)
    assert [int(one.value or 0) for one in asked(made)] == [800, 850, 580, 600, 620, 640]
    breaks = {one.fiscal_year: one.basis_break for one in asked(made) if one.basis_break}
    assert breaks == {2020: "The fiscal 2022 10-K restates fiscal 2020, not fiscal 2019."}


def test_changes_below_a_row_are_those_of_the_figures_shown_and_none_crosses_a_break(spun_off: Company) -> None:
    made = table(spun_off, span(2018, 2023), REVENUE)
    changes = {one.fiscal_year: one.value for one in made.cells if not one.asked}
    assert 2020 not in changes
    assert changes[2019] == Decimal("6.25")
    assert round(changes[2021] or 0, 2) == Decimal("3.45")
    assert round(changes[2022] or 0, 2) == Decimal("3.33")
    (moved,) = made.moved
    assert moved.fiscal_years == (2020, 2023)
    assert round(moved.value or 0, 2) == Decimal("10.34")


@pytest.mark.parametrize(
    "over", [Over.GROWTH, Over.CAGR, Over.CHANGE, Over.AVERAGE, Over.SUM, Over.HIGHEST, Over.LOWEST]
)
def test_nothing_is_computed_across_a_break(spun_off: Company, over: Over) -> None:
    (result,) = table(spun_off, span(2019, 2023), REVENUE, operations=(OverYears(over=over),)).results
    assert result.value is None
    assert result.gap is not None
    assert result.gap.code is Code.CONFLICT
    assert result.gap.detail.endswith("From fiscal 2020 on, the figures are on one basis.")


def test_two_years_far_apart_are_compared_only_on_one_basis(spun_off: Company) -> None:
    growth = (OverYears(over=Over.GROWTH),)
    (across,) = table(spun_off, years(2019, 2023), REVENUE, operations=growth).results
    assert across.value is None
    (within,) = table(spun_off, years(2020, 2023), REVENUE, operations=growth).results
    assert round(within.value or 0, 2) == Decimal("10.34")


def test_one_year_alone_is_as_first_reported(spun_off: Company) -> None:
    made = table(spun_off, years(2021), REVENUE)
    (only,) = asked(made)
    assert (only.value, only.recast) == (Decimal(950), None)
    assert {one.later.fact.value for one in only.restated} == {Decimal(600)}
    breaks = [one.fiscal_year for one in made.cells if one.basis_break and one.measure == "revenue"]
    assert breaks == [2022]


def test_rounding_is_no_break() -> None:
    of = company()
    report(of, 2022, "9611900000")
    report(of, 2023, "9700000000", "9612000000")
    made = table(of, span(2022, 2023), REVENUE)
    assert not any(one.recast or one.basis_break for one in made.cells)


def unprinted(label: str) -> Company:
    """A company whose 10-K of 2022 gives no capital expenditures, which that of 2023 has for both years."""
    of, tag = company(), "PaymentsToAcquirePropertyPlantAndEquipment"
    cash = ("NetCashProvidedByUsedInOperatingActivities", "Cash from operations")
    own = filing_figures({"NetCashProvidedByUsedInOperatingActivities": "90"}, of=filing(date(2022, 12, 31), of))
    face(own, "cashflow", cash, *([("nwi:Plant", label)] if label else []))
    later = filing_figures({tag: "40"}, of=filing(date(2023, 12, 31), of))
    fact(later, tag, "30", end=date(2022, 12, 31))
    face(later, "cashflow", cash, (tag, "Purchases of property and equipment"))
    return of


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("", "Fiscal 2022 first given in the fiscal 2023 10-K."),
        (
            "Purchases of property and equipment",
            "Fiscal 2022 from the fiscal 2023 10-K; no figure of its own is loaded.",
        ),
    ],
)
def test_a_year_without_a_figure_of_its_own_is_as_the_next_report_gives_it(label: str, said: str) -> None:
    made = table(unprinted(label), years(2022), Concept(key="capex"))
    (only,) = asked(made)
    assert (only.value, only.recast and only.recast.fiscal_year) == (Decimal(30), 2023)
    assert said in made.notes
    assert not any("restates" in note for note in made.notes)
    assert verify(made) == ()


def test_as_first_reported_a_year_without_a_figure_of_its_own_has_none() -> None:
    (only,) = asked(table(unprinted(""), years(2022), Concept(key="capex"), basis=Basis.FIRST))
    assert only.gap is not None
    assert only.gap.code is Code.CONCEPT_NOT_REPORTED


def test_a_year_whose_report_is_not_loaded_is_filled_from_one_that_prints_it() -> None:
    of = company()
    report(of, 2023, "300", "200", "100")
    report(of, 2024, "400", "300", "200")
    made = table(of, span(2020, 2024), REVENUE)
    given = {one.fiscal_year: one.value and int(one.value) for one in asked(made)}
    assert given == {2020: None, 2021: 100, 2022: 200, 2023: 300, 2024: 400}
    assert made.notes == ("Fiscal 2021 and 2022 from the fiscal 2023 10-K; their own is not loaded.",)
    assert verify(made) == ()
    (alone,) = asked(table(of, years(2022), REVENUE))
    assert (alone.value, alone.recast and alone.recast.fiscal_year) == (Decimal(200), 2023)
    assert alone.period_end == date(2022, 12, 31)


def test_a_year_that_no_report_prints_is_a_gap_with_its_reason() -> None:
    of = company()
    report(of, 2023, "300")
    (gone,) = asked(table(of, years(2019), REVENUE))
    assert gone.gap is not None
    assert gone.gap.code is Code.YEAR_NOT_INGESTED


# --- as first and as last reported ---


def test_as_first_reported_each_year_is_from_its_own_report_and_breaks_are_marked(spun_off: Company) -> None:
    made = table(spun_off, span(2019, 2023), REVENUE, basis=Basis.FIRST)
    assert [int(one.value or 0) for one in asked(made)] == [850, 900, 950, 620, 640]
    assert not any(one.recast for one in made.cells)
    breaks = {one.fiscal_year: one.basis_break for one in asked(made) if one.basis_break}
    assert breaks == {2022: "The fiscal 2022 10-K restates fiscal 2021."}
    changes = {one.fiscal_year for one in made.cells if not one.asked}
    assert 2022 not in changes
    assert made.notes[0] == "As first reported: each period from its own report."
    assert verify(made) == ()


@pytest.mark.parametrize("over", [Over.GROWTH, Over.CAGR, Over.AVERAGE])
def test_as_first_reported_nothing_is_computed_across_a_break(spun_off: Company, over: Over) -> None:
    operations = (OverYears(over=over),)
    (result,) = table(spun_off, span(2020, 2023), REVENUE, operations=operations, basis=Basis.FIRST).results
    assert result.gap is not None
    assert result.gap.code is Code.CONFLICT


def test_as_first_reported_a_year_without_its_own_report_is_a_gap() -> None:
    of = company()
    report(of, 2023, "300", "200", "100")
    report(of, 2024, "400", "300", "200")
    made = table(of, span(2021, 2024), REVENUE, basis=Basis.FIRST)
    assert [one.value and int(one.value) for one in asked(made)] == [None, None, 300, 400]


def test_as_last_reported_each_year_is_from_the_newest_report_that_prints_it(spun_off: Company) -> None:
    made = table(spun_off, span(2018, 2022), REVENUE, basis=Basis.LAST)
    assert [int(one.value or 0) for one in asked(made)] == [800, 850, 580, 600, 620]
    given = {one.fiscal_year: one.recast.fiscal_year for one in asked(made) if one.recast}
    assert given == {2020: 2022, 2021: 2023}  # the others are as their own reports give them
    assert {one.fiscal_year for one in asked(made) if one.basis_break} == {2020}
    assert verify(made) == ()


def test_as_last_reported_one_year_alone_is_as_restated(spun_off: Company) -> None:
    (only,) = asked(table(spun_off, years(2021), REVENUE, basis=Basis.LAST))
    assert (only.value, only.recast and only.recast.first) == (Decimal(600), Decimal(950))


@pytest.mark.parametrize("basis", Basis)
def test_a_table_says_which_reports_give_it_where_others_differ(spun_off: Company, basis: Basis) -> None:
    assert table(spun_off, span(2020, 2023), REVENUE).basis is Basis.LAST
    assert table(spun_off, years(2021), REVENUE).basis is Basis.FIRST  # a later report restates it
    assert table(spun_off, span(2022, 2023), REVENUE).basis is None
    assert table(spun_off, span(2022, 2023), REVENUE, basis=basis).basis is basis


def test_a_count_that_no_report_restates_breaks_where_shares_were_split() -> None:
    of = company()
    for year, cover, diluted, before in (
        (2022, "100", "100", "90"),
        (2023, "1020", "1010", "1000"),
        (2024, "1030", "1020", "1010"),
    ):
        made = filing_figures({}, of=filing(date(year, 12, 31), of))
        weighted = "WeightedAverageNumberOfDilutedSharesOutstanding"
        fact(made, weighted, diluted, unit="shares")
        fact(made, weighted, before, unit="shares", end=date(year - 1, 12, 31))
        on_cover = {"unit": "shares", "instant": True, "end": date(year + 1, 1, 31)}
        fact(made, "dei:EntityCommonStockSharesOutstanding", cover, **on_cover)
    made = table(of, span(2022, 2024), Concept(key="shares_out_cover"))
    cells = {one.fiscal_year: one for one in asked(made)}
    assert [cells[year].value for year in (2022, 2023, 2024)] == [100, 1020, 1030]
    assert cells[2023].basis_break == "Fiscal 2022 is before the share split of fiscal 2023."
    assert not cells[2024].basis_break
