"""What is made of several quarters: averages, sums, extremes, orders and growth, each quarter from its own report."""

from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.tables.table_text import sentence
from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state.query import Change, Concept, Difference, Last, Operation, Over, OverYears, Rank, Span, Years
from agent.state.tables import Result, Table
from agent.web.api.figures import outcome
from agent.web.exports.figure_rows import FigureRow
from tests.agent.numbers.quarterly_filings import H1, H2, Q1, Q2, Q3, Q4, annual, of, quarterly, year_of_quarters
from tests.agent.numbers.test_multi_report import recast_in_a_second_quarter
from tests.support.company_filings import company, fact
from tests.support.tables import table

pytestmark = pytest.mark.django_db

ALL = Years(periods=tuple(of(part).periods[0] for part in (Q1, Q2, Q3, Q4)))


def made(operation: Operation, periods: Years | Span | Last = ALL, key: str = "revenue") -> Table:
    found = table(company(), periods, Concept(key=key), operations=(operation,))
    assert verify(found) == ()
    return found


def result(operation: Operation, periods: Years | Span | Last = ALL, key: str = "revenue") -> Result:
    (one,) = made(operation, periods, key).results
    return one


@pytest.mark.parametrize(
    ("which", "value"),
    [(Over.AVERAGE, 25_000_000), (Over.SUM, 100_000_000), (Over.HIGHEST, 40_000_000), (Over.LOWEST, 10_000_000)],
)
def test_quarters_are_made_one_number(which: Over, value: int) -> None:
    year_of_quarters()
    one = result(OverYears(over=which))
    assert one.value == value
    assert one.fiscal_periods == (Q1, Q2, Q3, Q4)
    assert FigureRow(one, {}).period == "Q1-Q4"
    assert outcome(one, "").fiscal_periods == ["Q1", "Q2", "Q3", "Q4"]


def test_growth_is_from_the_first_quarter_to_the_last() -> None:
    year_of_quarters()
    one = result(OverYears(over=Over.GROWTH), Span(first=of(Q1).periods[0], last=of(Q3).periods[0]))
    assert (one.value, one.unit) == (Decimal(200), "percent")
    assert [place.called for place in one.places] == ["Q1 fiscal 2024", "Q3 fiscal 2024"]
    assert one.formula == "100 * (revenue:q3 / revenue:q1 - 1)"
    assert result(Difference(), Years(periods=(*of(H1).periods, *of(H2).periods))).value == Decimal(40_000_000)


def test_the_best_quarter_is_named_and_so_are_the_places_of_an_order() -> None:
    year_of_quarters(2023)
    year_of_quarters(2024)
    found = made(OverYears(over=Over.HIGHEST), Last(count=8, quarters=True))
    (one,) = found.results
    assert [(place.fiscal_year, place.fiscal_period) for place in one.order[:3]] == [
        (2023, Q4),
        (2024, Q4),
        (2023, Q3),
    ]
    said = sentence(one, found)
    assert said == (
        "Highest total revenue, Northwind Instruments, Q1 fiscal 2023 to Q4 fiscal 2024: $40 million in Q4 "
        "fiscal 2023 and 2024."
    )
    order = made(Rank(top=2))
    assert sentence(order.results[0], order) == (
        "Total revenue, Q1 fiscal 2024 to Q4 fiscal 2024, highest first: 1. Q4 fiscal 2024 $40 million, "
        "2. Q3 fiscal 2024 $30 million."
    )


def test_quarters_on_two_bases_are_not_put_together() -> None:
    recast_in_a_second_quarter()
    both = Years(periods=(*of(Q1).periods, *of(Q2).periods))
    for one in (*(OverYears(over=which) for which in (Over.GROWTH, Over.SUM, Over.AVERAGE, Over.HIGHEST)), Rank()):
        gap = result(one, both).gap
        assert gap is not None
        assert (gap.code, gap.text) == (
            Code.CONFLICT,
            "Northwind Instruments' figures for Q1 fiscal 2024 and Q2 fiscal 2024 are not on the same basis.",
        )


def test_amounts_per_share_of_several_reports_are_not_compared() -> None:
    for quarter in (1, 2):
        fact(quarterly(2024, quarter, {"Revenues": "20"}), "EarningsPerShareDiluted", "1.5", unit="USD/shares",
             start=date(2024, 3 * quarter - 2, 1))  # fmt: skip
    fact(annual(2024, {"Revenues": "100"}), "EarningsPerShareDiluted", "7", unit="USD/shares")
    both = Years(periods=(*of(Q1).periods, *of(Q2).periods))
    for which in (Over.GROWTH, Over.HIGHEST, Over.AVERAGE):
        gap = result(OverYears(over=which), both, "eps_diluted").gap
        assert gap is not None
        assert gap.code is Code.NOT_MEANINGFUL
        assert gap.detail == "Shares may be split between two quarters."


def test_without_a_figure_of_each_quarter_none_is_the_best() -> None:
    for quarter in (1, 2, 3):
        made = quarterly(2024, quarter, {"Revenues": "20"})
        if quarter == 1:
            fact(made, "EarningsPerShareDiluted", "1.5", unit="USD/shares", start=date(2024, 1, 1))
    fact(annual(2024, {"Revenues": "100"}), "EarningsPerShareDiluted", "7", unit="USD/shares")
    one = result(OverYears(over=Over.HIGHEST), key="eps_diluted")
    assert (one.value, one.gap and one.gap.code) == (None, Code.NOT_MEANINGFUL)


def test_rows_of_growth_are_ordered_as_any_other() -> None:
    year_of_quarters(2023)
    for quarter, prior, now in ((1, 10, 11), (2, 20, 24), (3, 30, 31)):
        made = quarterly(2024, quarter, {"Revenues": f"{now}000000"})
        start = date(2023, 3 * quarter - 2, 1)
        fact(made, "Revenues", f"{prior}000000", start=start, end=start.replace(month=3 * quarter, day=30))
    annual(2024, {"Revenues": "1"})
    moved = Change(of=Concept(key="revenue"), percent=True)
    three = Years(periods=ALL.periods[:3])
    (one,) = table(company(), three, moved, operations=(OverYears(over=Over.HIGHEST),)).results
    assert (one.value, [place.fiscal_period for place in one.order]) == (Decimal(20), [Q2, Q1, Q3])


def test_a_range_that_ends_in_the_quarter_it_begins_in_names_both() -> None:
    year_of_quarters(2023)
    year_of_quarters(2024)
    found = made(OverYears(over=Over.SUM), Span(first=of(Q1, 2023).periods[0], last=of(Q1).periods[0]))
    (one,) = found.results
    assert (one.value, FigureRow(one, {}).period, one.notes) == (110_000_000, "Q1-Q1", (YEAR_LESS_NINE_MONTHS,))
    assert "Q1 fiscal 2023 to Q1 fiscal 2024" in sentence(one, found)


YEAR_LESS_NINE_MONTHS = "Computed as fiscal 2023 less the first nine months of fiscal 2023."
