"""Several companies in one table: a column means one stretch of time."""

from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state import Period, PeriodForm
from agent.state.query import Alignment, Concept, Difference, Last, Over, OverYears, Own, Rank, Span, Statement, Years
from agent.state.references import RelativePeriod
from agent.state.tables import Table
from filings.models import Company
from filings.xbrl.periods import FiscalPeriod, Place, calendar_quarter, calendar_year
from tests.support.company_filings import company, face, fact, filing
from tests.support.sample import Sample
from tests.support.tables import Deps, asked, fiscal, span, table, years

pytestmark = pytest.mark.django_db

REVENUE = Concept(key="revenue")
LATEST = Years(periods=(Period(form=PeriodForm.LATEST),))


def reporter(name: str, ends: Sequence[date], offset: int = 0) -> Company:
    """A company with a 10-K for each of these year ends, and revenue of the end's year and month: 202401."""
    owner = company(name, cik=9990100 + sum(map(ord, name)), symbol=name.split()[-1].upper())
    for end in ends:
        made = filing(end, owner, fiscal_year=(end - timedelta(days=10)).year + offset, filed=end + timedelta(days=50))
        fact(made, "Revenues", f"{end:%Y%m}", start=end - timedelta(days=364))
        face(made, "income", ("Revenues", "Total revenue"))
    return owner


def january(*of: int, offset: int = 0) -> Company:
    return reporter("Northwind Chips", [date(year, 1, 26) for year in of], offset)


def december(*of: int) -> Company:
    return reporter("Northwind Tools", [date(year, 12, 31) for year in of])


def shown(made: Table) -> dict[str, list[tuple[str, str, int | None]]]:
    """Column -> company, its own period, and value."""
    assert verify(made) == ()
    found: dict[str, list[tuple[str, str, int | None]]] = {}
    for cell in asked(made):
        value = None if cell.value is None else int(cell.value)
        found.setdefault(cell.column.short, []).append((cell.company.split()[-1], cell.place.short, value))
    return found


@pytest.mark.parametrize(
    ("end", "year"),
    [
        (date(2025, 1, 26), 2024),
        (date(2024, 6, 30), 2023),
        (date(2023, 7, 1), 2022),
        (date(2022, 7, 2), 2021),
        (date(2024, 9, 28), 2024),
        (date(2024, 12, 31), 2024),
        (date(2025, 1, 4), 2024),
    ],
)
def test_a_fiscal_year_lies_in_the_calendar_year_of_its_midpoint(end: date, year: int) -> None:
    assert calendar_year(end) == year


def test_a_quarter_lies_in_the_calendar_quarter_of_its_midpoint() -> None:
    assert calendar_quarter(date(2025, 10, 26)) == (2025, 3)
    assert calendar_quarter(date(2025, 2, 28)) == (2025, 1)
    assert calendar_quarter(date(2025, 1, 26)) == (2024, 4)


def test_years_of_one_name_that_end_within_45_days_share_a_column() -> None:
    made = table([december(2024), reporter("Northwind Foods", [date(2024, 11, 30)])], years(2024), REVENUE)
    assert shown(made) == {"FY2024": [("Tools", "FY2024", 202412), ("Foods", "FY2024", 202411)]}
    assert made.aligned is None


@pytest.mark.parametrize("form", [PeriodForm.FISCAL, PeriodForm.BARE, PeriodForm.CALENDAR])
def test_years_of_one_name_that_end_apart_are_aligned_by_calendar(form: PeriodForm) -> None:
    wanted = Years(periods=(Period(form=form, year=2024),))
    made = table([january(2024, 2025), december(2023, 2024)], wanted, REVENUE)
    assert shown(made) == {"CY2024": [("Chips", "FY2025", 202501), ("Tools", "FY2024", 202412)]}
    assert made.aligned is Alignment.CALENDAR
    assert made.notes[0] == "Columns are calendar years: each company's fiscal year whose midpoint lies in that year."


def test_a_year_named_for_its_beginning_stands_beside_one_that_ends_with_it() -> None:
    made = table([january(2024, 2025, offset=-1), december(2023, 2024)], years(2023), REVENUE)
    assert shown(made) == {"FY2023": [("Chips", "FY2023", 202401), ("Tools", "FY2023", 202312)]}


def test_each_companys_own_years_are_shown_where_they_are_asked() -> None:
    two = [january(2024, 2025), december(2023, 2024)]
    made = table(two, years(2024), REVENUE, align=Alignment.FISCAL)
    assert shown(made) == {"FY2024": [("Chips", "FY2024", 202401), ("Tools", "FY2024", 202412)]}
    assert made.aligned is Alignment.FISCAL
    assert "end on different days" in made.notes[-1]


def test_calendar_columns_are_shown_where_they_are_asked() -> None:
    two = [december(2024), reporter("Northwind Foods", [date(2024, 11, 30)])]
    made = table(two, years(2024), REVENUE, align=Alignment.CALENDAR)
    assert list(shown(made)) == ["CY2024"]


def test_a_year_that_is_not_loaded_is_a_gap_that_names_it() -> None:
    made = table([january(2024), december(2023, 2024)], span(2023, 2024), REVENUE)
    assert shown(made) == {
        "CY2023": [("Chips", "FY2024", 202401), ("Tools", "FY2023", 202312)],
        "CY2024": [("Chips", "FY2025", None), ("Tools", "FY2024", 202412)],
    }
    gone = asked(made)[1].gap
    assert gone is not None
    assert gone.code is Code.YEAR_NOT_INGESTED
    assert "2025" in gone.text


def test_a_company_without_reports_is_a_gap_in_the_same_column() -> None:
    nobody = company("Northwind Nothing", cik=9990999, symbol="NWNO")
    made = table([january(2024, 2025), december(2023, 2024), nobody], years(2024), REVENUE)
    assert [one.column.short for one in asked(made)] == ["CY2024"] * 3


def test_whole_statements_are_aligned_too() -> None:
    made = table([january(2024, 2025), december(2023, 2024)], years(2024), Statement(statement="income"))
    assert shown(made) == {"CY2024": [("Chips", "FY2025", 202501), ("Tools", "FY2024", 202412)]}


def test_ranks_and_differences_are_of_one_stretch_of_time() -> None:
    two = [january(2024, 2025), december(2023, 2024)]
    (rank,) = table(two, years(2024), REVENUE, operations=(Rank(),)).results
    assert [int(one.value) for one in rank.order] == [202501, 202412]
    assert [one.called for one in rank.places] == ["calendar 2024"]
    (less,) = table(two, years(2024), REVENUE, operations=(Difference(),)).results
    assert less.value == 202501 - 202412
    assert [one.called for one in less.places] == ["calendar 2024"]


def test_averages_over_calendar_years_are_ranked_over_them() -> None:
    two = [january(2024, 2025), december(2023, 2024)]
    made = table(two, span(2023, 2024), REVENUE, operations=(OverYears(over=Over.AVERAGE), Rank()))
    assert [one.short for one in made.results[-1].places] == ["CY2023", "CY2024"]
    assert verify(made) == ()


def test_the_latest_year_is_the_newest_that_all_have() -> None:
    made = table([january(2024, 2025), december(2024, 2025)], LATEST, REVENUE)
    assert shown(made) == {"CY2024": [("Chips", "FY2025", 202501), ("Tools", "FY2024", 202412)]}
    assert "Northwind Tools has a newer report, for the year ended 31 Dec 2025." in made.notes


def test_latest_years_without_a_common_one_stand_apart_and_are_not_ranked() -> None:
    made = table([january(2022), december(2025)], LATEST, REVENUE, operations=(Rank(),))
    assert shown(made) == {"CY2021": [("Chips", "FY2022", 202201)], "CY2025": [("Tools", "FY2025", 202512)]}
    (rank,) = made.results
    assert rank.gap is not None
    assert rank.gap.text == "Not compared: the periods end more than 45 days apart."


def test_latest_years_that_end_together_under_two_names_share_a_column() -> None:
    made = table([january(2025), reporter("Northwind Stores", [date(2025, 2, 1)], -1)], LATEST, REVENUE)
    assert shown(made) == {"CY2024": [("Chips", "FY2025", 202501), ("Stores", "FY2024", 202502)]}
    assert made.notes[0].startswith("Columns are calendar years")
    assert made.aligned is None


def test_the_last_years_end_with_the_newest_of_any() -> None:
    two = [january(2023, 2024, 2025), december(2023, 2024, 2025)]
    made = table(two, Last(count=2), REVENUE)
    assert shown(made) == {
        "CY2024": [("Chips", "FY2025", 202501), ("Tools", "FY2024", 202412)],
        "CY2025": [("Chips", "FY2026", None), ("Tools", "FY2025", 202512)],
    }
    since = table(two, Span(first=fiscal(2024)), REVENUE)
    assert list(shown(since)) == ["CY2024", "CY2025"]


def test_the_last_years_of_companies_that_end_together_are_the_same_for_all() -> None:
    foods = reporter("Northwind Foods", [date(2023, 11, 30), date(2024, 11, 30)])
    made = table([foods, december(2024, 2025)], Last(count=2), REVENUE)
    assert shown(made) == {
        "FY2024": [("Foods", "FY2024", 202411), ("Tools", "FY2024", 202412)],
        "FY2025": [("Foods", "FY2025", None), ("Tools", "FY2025", 202512)],
    }


def test_years_named_for_each_company_are_not_moved() -> None:
    two = [january(2024, 2025), december(2023, 2024)]
    own = tuple(Own(cik=one.cik, periods=years(year)) for one, year in zip(two, (2024, 2024), strict=True))
    made = table(two, years(2024), REVENUE, operations=(Rank(),), own=own)
    assert shown(made) == {"CY2023": [("Chips", "FY2024", 202401)], "CY2024": [("Tools", "FY2024", 202412)]}
    assert made.results[0].gap is not None


def test_the_latest_quarter_is_the_newest_that_all_have(sample: Sample) -> None:
    latest = Years(periods=(Period(form=PeriodForm.LATEST, part=RelativePeriod.QUARTER),))
    cells = asked(table([sample["AAPL"], sample["META"]], latest, REVENUE))
    assert len({one.column for one in cells}) == 1
    first, second = (one.period_end for one in cells)
    assert first
    assert second
    assert abs(first - second) <= timedelta(days=45)


def test_the_last_quarters_are_calendar_quarters(sample: Sample) -> None:
    made = table([sample["AAPL"], sample["META"]], Last(count=4, quarters=True), REVENUE)
    columns: dict[Place, list[date]] = {}
    for cell in asked(made):
        columns.setdefault(cell.column, []).extend([cell.period_end] if cell.period_end else [])
    assert len(columns) == 4
    assert all(max(ends) - min(ends) <= timedelta(days=45) for ends in columns.values() if ends)


def test_trailing_months_end_with_the_same_calendar_quarter(sample: Sample) -> None:
    latest = Years(periods=(Period(form=PeriodForm.LATEST, part=RelativePeriod.TRAILING),))
    cells = asked(table([sample["AAPL"], sample["META"]], latest, REVENUE))
    assert len({one.column for one in cells}) == 1
    assert all(one.fiscal_period.whole for one in cells)


def test_halves_of_years_that_end_apart_are_shown_and_not_ranked(sample: Sample) -> None:
    half = Years(periods=(Period(form=PeriodForm.FISCAL, year=2024, part=FiscalPeriod.H1),))
    made = table([sample["AAPL"], sample["META"]], half, REVENUE, operations=(Rank(),))
    assert [one.column.short for one in asked(made)] == ["H1 FY2024", "H1 FY2024"]
    assert made.results[0].gap is not None


def test_old_reports_are_said_where_the_latest_is_asked() -> None:
    one = december(2022, 2023)
    assert table(one, LATEST, REVENUE).notes == ("Latest report in our data: year ended 31 Dec 2023.",)
    assert table(one, years(2023), REVENUE).notes == ()
    assert table(one, LATEST, REVENUE, deps=Deps(today=date(2024, 11, 1))).notes == ()


def test_a_missing_year_leaves_the_others_and_says_what_the_average_lacks() -> None:
    one = december(2021, 2022, 2024, 2025)
    made = table(one, span(2021, 2025), REVENUE, operations=(OverYears(over=Over.AVERAGE),))
    assert [cell.value is None for cell in asked(made)] == [False, False, True, False, False]
    assert made.answered
    (average,) = made.results
    assert average.value is None
    assert average.gap is not None
    assert "2023" in average.gap.text
    (longer,) = table(one, span(2019, 2025), REVENUE, operations=(OverYears(over=Over.SUM),)).results
    assert longer.gap is not None
    assert longer.gap.text == "Figures for fiscal 2019, fiscal 2020 and fiscal 2023 are missing."
    two = table(one, span(2022, 2023), REVENUE, operations=(OverYears(over=Over.GROWTH),))
    assert not two.answered
