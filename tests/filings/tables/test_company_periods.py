"""Printed periods are shown with the days of the company's own calendar."""

from datetime import date
from decimal import Decimal

import pytest

from filings.tables.cell_meanings import ReadCell, ReadRow
from filings.tables.column_periods import Period
from filings.tables.printed_cells import fact_of, in_calendar
from tests.support.company_filings import filing

ENDS = (date(2022, 9, 24), date(2023, 7, 1), date(2023, 9, 30), date(2024, 9, 28))
WEEKS_52 = Period(date(2022, 10, 2), date(2023, 9, 30))


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        (WEEKS_52, Period(date(2022, 9, 25), date(2023, 9, 30))),  # a year of 53 weeks
        (Period(date(2023, 7, 1), date(2023, 9, 30)), Period(date(2023, 7, 2), date(2023, 9, 30))),
        (Period(date(2022, 10, 1), date(2023, 9, 23)), Period(date(2022, 9, 25), date(2023, 9, 30))),
        (Period(date(2021, 9, 26), date(2022, 9, 24)), Period(date(2021, 9, 26), date(2022, 9, 24))),  # none before
        (Period(date(2023, 9, 1), date(2023, 9, 30)), Period(date(2023, 9, 1), date(2023, 9, 30))),  # a month
        (Period(date(2019, 1, 1), date(2019, 12, 31)), Period(date(2019, 1, 1), date(2019, 12, 31))),
    ],
)
def test_a_stretch_of_time_begins_and_ends_with_the_companys_period_that_it_is_of(
    printed: Period, shown: Period
) -> None:
    assert in_calendar(printed, ENDS, dated=False) == shown


@pytest.mark.parametrize(("dated", "day"), [(False, date(2023, 9, 30)), (True, date(2023, 10, 6))])
def test_a_balance_of_a_printed_day_stays_on_it(dated: bool, day: date) -> None:
    assert in_calendar(Period(date(2023, 10, 6), date(2023, 10, 6)), ENDS, dated=dated).end == day


@pytest.mark.django_db
def test_the_column_of_a_year_is_shown_with_the_days_of_the_companys_reports() -> None:
    for end in (date(2022, 9, 24), date(2023, 9, 30)):
        filing(end)
    held = filing(date(2024, 9, 28))
    cell = ReadCell(10, 13, "120", Decimal(120), "USD", 6, 0, WEEKS_52, "2023")
    shown = fact_of(held, 1, "4", ReadRow("Core orders", "", (cell,)), cell)
    assert (shown.start, shown.end) == (date(2022, 9, 25), date(2023, 9, 30))
