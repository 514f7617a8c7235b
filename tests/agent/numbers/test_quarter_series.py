"""A row over fiscal quarters stands on one basis, or says where it breaks."""

from collections.abc import Iterable
from decimal import Decimal

import pytest

from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state import Period, PeriodForm
from agent.state.query import Basis, Change, Concept, Over, OverYears, Years
from agent.state.tables import Cell, Table
from filings.models import Fact
from filings.xbrl.periods import QUARTERS, Place
from tests.agent.numbers.test_interim import annual, quarterly
from tests.support.company_filings import company, fact
from tests.support.tables import asked, table

pytestmark = pytest.mark.django_db

REVENUE = Concept(key="revenue")
Quarter = tuple[int, int]


def was(year: int, quarter: int) -> int:
    """Revenue of a quarter, as first reported."""
    return 1000 + 100 * (year - 2020) + 10 * quarter


def reports(years: Iterable[int], *, until: Quarter = (2100, 1), new: Quarter = (2100, 1)) -> None:
    """10-Qs and 10-Ks with the figures of the year before. From the report `new` on, half of everything is sold."""
    for year in years:
        for quarter in (1, 2, 3, 4):
            if (year, quarter) > until:
                return
            part = 2 if (year, quarter) >= new else 1

            def shown(of: int, quarters: Iterable[int], part: int = part) -> str:
                return str(sum(was(of, one) for one in quarters) // part)

            to_date = range(1, quarter + 1)
            if quarter == 4:
                annual(year, {"Revenues": shown(year, to_date)}, {"Revenues": shown(year - 1, to_date)})
                continue
            own = {"Revenues": shown(year, [quarter])}
            before = {"Revenues": shown(year - 1, to_date)}
            made = quarterly(year, quarter, own, {"Revenues": shown(year, to_date)} if quarter > 1 else None, before)
            if quarter > 1:
                end, start = (
                    made.period_end.replace(year=year - 1),
                    made.period_end.replace(year=year - 1, month=3 * quarter - 2, day=1),
                )
                fact(made, "Revenues", shown(year - 1, [quarter]), end=end, start=start)


def quarters(first: Quarter, last: Quarter) -> Years:
    start, end = (Place(year, QUARTERS[quarter - 1]) for year, quarter in (first, last))
    places = [start.later(back) for back in range(40) if not start.later(back) > end]
    return Years(periods=tuple(Period(form=PeriodForm.FISCAL, year=one.year, part=one.period) for one in places))


def revenue(first: Quarter, last: Quarter, **fields: object) -> Table:
    made = table(company(), quarters(first, last), REVENUE, **fields)  # type: ignore[arg-type]
    assert verify(made) == ()
    return made


def recast(cells: Iterable[Cell]) -> dict[str, str]:
    return {one.place.short: Place(one.recast.fiscal_year, one.fiscal_period).report for one in cells if one.recast}


def breaks(cells: Iterable[Cell]) -> dict[str, str]:
    return {one.place.short: one.basis_break for one in cells if one.basis_break}


def test_quarters_before_a_recast_are_as_the_next_years_reports_give_them() -> None:
    reports(range(2022, 2025), new=(2024, 1))
    made = revenue((2023, 1), (2024, 4))
    assert [int(one.value or 0) for one in asked(made)] == [was(y, q) // 2 for y in (2023, 2024) for q in (1, 2, 3, 4)]
    assert recast(made.cells) == {
        "Q1 FY2023": "Q1 fiscal 2024 10-Q",
        "Q2 FY2023": "Q2 fiscal 2024 10-Q",
        "Q3 FY2023": "Q3 fiscal 2024 10-Q",
        "Q4 FY2023": "fiscal 2024 10-K",
    }
    assert [one.recast.first for one in asked(made) if one.recast] == [Decimal(was(2023, one)) for one in (1, 2, 3, 4)]
    assert breaks(made.cells) == {}
    assert "Q1 FY2023, Q2 FY2023, Q3 FY2023 and Q4 FY2023 as restated in fiscal 2024 reports." in made.notes


def test_a_basis_that_changes_within_a_year_breaks_there_until_the_next_year_tells() -> None:
    reports(range(2022, 2025), new=(2024, 2))
    made = revenue((2023, 1), (2024, 4))
    assert recast(made.cells) == {}
    assert breaks(asked(made)) == {"Q2 FY2024": "The Q2 fiscal 2024 10-Q restates Q2 fiscal 2023."}
    reports([2025], until=(2025, 1), new=(2025, 1))
    made = revenue((2023, 1), (2024, 4))
    assert recast(made.cells) == {
        "Q2 FY2023": "Q2 fiscal 2024 10-Q",
        "Q3 FY2023": "Q3 fiscal 2024 10-Q",
        "Q4 FY2023": "fiscal 2024 10-K",
        "Q1 FY2024": "Q1 fiscal 2025 10-Q",
    }
    assert breaks(asked(made)) == {"Q2 FY2023": "The Q2 fiscal 2024 10-Q restates Q2 fiscal 2023, not Q1 fiscal 2023."}


def test_as_first_reported_a_break_stands_where_the_basis_changed() -> None:
    reports(range(2022, 2026), new=(2024, 2))
    made = revenue((2023, 3), (2024, 3), basis=Basis.FIRST)
    assert recast(made.cells) == {}
    first = [was(2023, 3), was(2023, 4), was(2024, 1), was(2024, 2) // 2, was(2024, 3) // 2]
    assert [int(one.value or 0) for one in asked(made)] == first
    assert set(breaks(asked(made))) == {"Q2 FY2024"}


def test_as_last_reported_a_quarter_is_as_the_next_year_gives_it() -> None:
    reports(range(2022, 2025), new=(2024, 1))
    made = revenue((2023, 2), (2023, 2), basis=Basis.LAST)
    (one,) = asked(made)
    assert (one.value, recast([one])) == (Decimal(was(2023, 2) // 2), {"Q2 FY2023": "Q2 fiscal 2024 10-Q"})


def test_where_no_report_tells_with_which_the_basis_changed_every_quarter_may_be_on_another() -> None:
    reports([2023, 2024], until=(2024, 1), new=(2024, 1))
    Fact.objects.filter(filing__fiscal_year=2023, end__year=2022).delete()
    made = revenue((2023, 2), (2024, 1))
    assert set(breaks(asked(made))) == {"Q3 FY2023", "Q4 FY2023", "Q1 FY2024"}


def test_a_single_quarter_that_was_corrected_is_shown_corrected_without_a_break() -> None:
    reports(range(2022, 2025))
    one = Fact.objects.filter(filing__fiscal_year=2024, filing__fiscal_quarter=2, start="2023-04-01")
    assert one.update(value=1111, raw="1111")
    made = revenue((2023, 1), (2024, 4))
    assert recast(made.cells) == {"Q2 FY2023": "Q2 fiscal 2024 10-Q"}
    assert breaks(made.cells) == {}


def test_rows_of_one_basis_stay_as_they_were_reported() -> None:
    reports(range(2022, 2025))
    made = revenue((2022, 1), (2024, 4))
    assert (recast(made.cells), breaks(made.cells)) == ({}, {})


def test_growth_below_a_row_is_that_of_the_figures_shown_and_none_crosses_a_break() -> None:
    reports(range(2022, 2026), new=(2024, 2))
    made = revenue((2023, 1), (2025, 1))
    changes = {one.place.short: one.value for one in made.cells if not one.asked}
    assert "Q1 FY2024" not in changes  # of the quarter of the year before, there is no figure on its basis
    for quarter in (2, 3):
        grown = Decimal(was(2024, quarter) // 2) / Decimal(was(2023, quarter) // 2) * 100 - 100
        assert round(changes[f"Q{quarter} FY2024"] or 0, 6) == round(grown, 6)
    assert "Q1 FY2025" in changes


@pytest.mark.parametrize("over", [Over.AVERAGE, Over.SUM, Over.GROWTH, Over.HIGHEST])
def test_nothing_is_computed_across_a_break(over: Over) -> None:
    reports(range(2022, 2025), new=(2024, 2))
    (result,) = revenue((2023, 1), (2024, 4), operations=(OverYears(over=over),)).results
    assert result.gap is not None
    assert result.gap.code is Code.CONFLICT


def test_growth_from_one_quarter_to_the_next_does_not_cross_a_break() -> None:
    reports(range(2022, 2025), new=(2024, 2))
    sequential = Change(of=REVENUE, percent=True, sequential=True)
    (one,) = asked(table(company(), quarters((2024, 2), (2024, 2)), sequential))
    assert one.value is None
    assert one.gap is not None
    assert one.gap.code is Code.CONFLICT


def test_a_fourth_quarter_of_two_bases_is_a_gap_that_says_why() -> None:
    reports(range(2022, 2025), new=(2024, 4))
    (one,) = asked(revenue((2024, 4), (2024, 4)))
    assert one.gap is not None
    assert one.gap.code is Code.CONFLICT
    assert one.gap.detail == "The fiscal 2024 10-K restates the year before, and the Q3 fiscal 2024 10-Q does not."
