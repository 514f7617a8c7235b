"""What quarters, and years of a part, moved by from one report to another: of one basis, or refused."""

from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.cells.measure_keys import measure_of
from agent.numbers.registry.registry import load
from agent.numbers.tables.table_notes import OVER_A_YEAR
from agent.refusals.codes import Code
from agent.state.query import Change, Concept, Last, Member, Metric, Over, OverYears, Years
from agent.state.tables import Table
from filings.models import Fact
from tests.agent.numbers.quarterly_filings import H1, Q1, Q2, annual, gap, of, quarterly, revenue, year_of_quarters
from tests.support.company_filings import company, face, fact
from tests.support.tables import asked, only, table, years

pytestmark = pytest.mark.django_db


def moved(periods: Years | Last, *, percent: bool = True, key: str = "revenue") -> Table:
    return revenue(periods, Change(of=Concept(key=key), percent=percent, sequential=True))


def test_growth_is_over_the_quarter_before_and_the_label_says_so() -> None:
    year_of_quarters()
    found = moved(of(Q2))
    cell = only(found)
    assert (cell.value, cell.unit) == (Decimal(100), "percent")
    assert cell.label == "Growth of total revenue over the quarter before"
    assert [(one.fiscal_period, one.fact.value) for one in cell.operands] == [("Q2", 20_000_000), ("Q1", 10_000_000)]
    assert OVER_A_YEAR not in found.notes
    assert only(moved(of(Q2), percent=False)).value == Decimal(10_000_000)


def test_before_a_first_quarter_is_the_fourth_of_the_year_before() -> None:
    year_of_quarters(2023)
    year_of_quarters(2024)
    assert only(moved(of(Q1), percent=False)).value == Decimal(-30_000_000)
    assert [one.value for one in asked(moved(Last(count=4, quarters=True), percent=False))] == [
        Decimal(amount * 1_000_000) for amount in (-30, 10, 10, 10)
    ]


def test_a_margin_moves_in_points() -> None:
    lines = {"Revenues": "10", "NetIncomeLoss": "1"}
    annual(2024, lines)
    quarterly(2024, 1, lines)
    quarterly(2024, 2, {"Revenues": "20", "NetIncomeLoss": "3"})
    cell = only(revenue(of(Q2), Change(of=Metric(key="net_margin"), percent=False, sequential=True)))
    assert (cell.value, cell.unit) == (Decimal(5), "points")


def test_without_the_quarter_before_it_is_refused() -> None:
    annual(2024, {"Revenues": "100"})
    quarterly(2024, 2, {"Revenues": "20"})
    assert gap(moved(of(Q2))) is Code.CONCEPT_NOT_REPORTED


def test_it_is_of_quarters_and_not_of_shares() -> None:
    year_of_quarters()
    assert gap(moved(of(H1))) is Code.NOT_MEANINGFUL
    assert gap(moved(of(Q2), key="eps_diluted")) is Code.NOT_MEANINGFUL


def recast_in_a_second_quarter() -> None:
    """A year whose second 10-Q restates the year before, and whose first does not."""
    year_of_quarters(2023)
    annual(2024, {"Revenues": "1"})
    quarterly(2024, 1, {"Revenues": "12000000"}, prior={"Revenues": "10000000"})
    second = quarterly(2024, 2, {"Revenues": "9000000"})
    fact(second, "Revenues", "8000000", start=date(2023, 4, 1), end=date(2023, 6, 30))  # it was 20 million


def test_accounts_recast_between_the_two_reports_are_not_compared() -> None:
    recast_in_a_second_quarter()
    assert gap(moved(of(Q2))) is Code.CONFLICT
    assert only(moved(of(Q1))).value == Decimal(-70)


def test_a_part_moves_too_where_it_is_known_to_be_cut_alike() -> None:
    part = "StatementBusinessSegmentsAxis=PumpsMember"
    annual(2024, {"Revenues": "100"})

    def report(year: int, quarter: int, value: str, before: str = "") -> None:
        made = quarterly(year, quarter, {"Revenues": "20"})
        face(made, "income", ("Revenues", "Total revenue"))
        ends = {made.period_end: value, made.period_end.replace(year=year - 1): before} if made.period_end else {}
        for end, told in ends.items():
            start = date(end.year, 3 * quarter - 2, 1)
            if told:
                fact(made, "Revenues", told, start=start, end=end, source=Fact.Source.DOCUMENT, dimensions=part)
            if told and end != made.period_end:
                fact(made, "Revenues", "20", start=start, end=end)

    report(2024, 1, "8")
    report(2024, 2, "10")
    pumps = Member(of=Concept(key="revenue"), label="Pumps", members=(part,))
    growth = Change(of=pumps, percent=True, sequential=True)
    assert gap(revenue(of(Q2), growth)) is Code.CONFLICT  # nobody knows
    report(2025, 1, "9", before="8")
    report(2025, 2, "9", before="10")
    assert only(revenue(of(Q2), growth)).value == Decimal(25)


def test_its_key_can_be_asked_again() -> None:
    for key in ("sequential growth of revenue", "sequential change of gross_margin"):
        found = measure_of(key, load())
        assert isinstance(found, Change)
        assert found.sequential
        assert found.percent == ("growth" in key)


@pytest.mark.parametrize(
    ("restated", "why"),
    [
        ({}, ""),
        ({2022: "9"}, "The fiscal 2022 10-K restates fiscal 2021, not fiscal 2020."),
        (
            {2022: ""},
            "No report shows whether fiscal 2021 and fiscal 2022 are on the same basis.",
        ),
    ],
)
def test_years_of_a_part_are_put_together_where_no_report_cuts_it_anew(restated: dict[int, str], why: str) -> None:
    part = "StatementBusinessSegmentsAxis=PumpsMember"
    for year in range(2020, 2025):
        made = annual(year, {"Revenues": "100"}, prior={"Revenues": "100"})
        told = {year: str(year - 2010), year - 1: restated.get(year, str(year - 2011))}
        for of_year, value in told.items():
            if value and of_year >= 2020:
                end = date(of_year, 12, 31)
                fact(made, "Revenues", value, end=end, source=Fact.Source.DOCUMENT, dimensions=part)
    pumps = Member(of=Concept(key="revenue"), label="Pumps", members=(part,))
    ends = years(2020, 2024)
    (growth,) = table(company(), ends, pumps, operations=(OverYears(over=Over.GROWTH),)).results
    assert growth.value == (None if why else Decimal(40))
    assert (growth.gap.detail if growth.gap else "") == why
    # Of one filing they are on one basis, whatever others say.
    (growth,) = table(company(), years(2023, 2024), pumps, operations=(OverYears(over=Over.GROWTH),)).results
    assert growth.value is not None
