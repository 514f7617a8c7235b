"""Dates, years and parts of a year in the words of a question, before any filing is looked at."""

from datetime import date

import pytest

from agent.query.dates.dates import can_name, find_periods
from agent.state import Period, PeriodForm
from agent.words.tokens import plain
from tests.agent.query.held import TODAY


def named(question: str) -> list[tuple[str, object]]:
    """Each period as (form, year or end); a part of a year, or a series of years, as ("other", its words)."""
    result: list[tuple[str, object]] = []
    for match in find_periods(plain(question), TODAY):
        if match.period:
            result.append((match.period.form.value, match.period.year or match.period.end))
        else:
            result.append(("other", question[match.first : match.last]))
    return result


@pytest.mark.parametrize(
    ("question", "form", "value"),
    [
        ("FY2024", "fiscal", 2024),
        ("FY24", "fiscal", 2024),
        ("FY '24", "fiscal", 2024),
        ("FY\u201924", "fiscal", 2024),
        ("fiscal 24", "fiscal", 2024),
        ("fiscal year 2024", "fiscal", 2024),
        ("fiscal-year 2024", "fiscal", 2024),
        ("fiscal year-end 2024", "fiscal", 2024),
        ("2024 fiscal year", "fiscal", 2024),
        ("in 2024", "bare", 2024),
        ("the year 2024", "bare", 2024),
        ("'24", "bare", 2024),
        ("the year ended 2024", "bare", 2024),
        ("fiscal year ended 2024", "bare", 2024),
        ("calendar 2024", "calendar", 2024),
        ("calendar year 2024", "calendar", 2024),
        ("CY2024", "calendar", 2024),
        ("2024 calendar year", "calendar", 2024),
        ("last year", "previous", None),
        ("previous fiscal year", "previous", None),
        ("prior year's", "previous", None),
        ("the latest 10-K", "latest", None),
        ("most recent fiscal year", "latest", None),
        ("last annual report", "latest", None),
        ("currently", "latest", None),
        ("this fiscal year", "fiscal", TODAY.year),
        ("year ended September 28, 2024", "ended", date(2024, 9, 28)),
        ("for the fiscal year ended 28 September 2024", "ended", date(2024, 9, 28)),
        ("twelve months ended Dec. 31, 2023", "ended", date(2023, 12, 31)),
        ("twelve months through December 31, 2023", "ended", date(2023, 12, 31)),
        ("52 weeks ended January 28, 2024", "ended", date(2024, 1, 28)),
        ("ended January 28, 2024", "ended", date(2024, 1, 28)),
        ("as of 12/31/2023", "ended", date(2023, 12, 31)),
        ("31/12/2023", "ended", date(2023, 12, 31)),
        ("2023-12-31", "ended", date(2023, 12, 31)),
        ("at June 30th, 2022", "ended", date(2022, 6, 30)),
        ("year ended September 2024", "ended", date(2024, 9, 30)),
        ("as of February 2024", "ended", date(2024, 2, 29)),
    ],
)
def test_it_reads_a_period(question, form, value):
    assert named(f"Apple revenue {question}") == [(form, value)]


@pytest.mark.parametrize(
    "words",
    [
        "Q3",
        "Q3 2024",
        "Q4'23",
        "3Q24",
        "FY24Q3",
        "third quarter",
        "fourth-quarter",
        "quarterly",
        "first half of",
        "H1 2023",
        "2H23",
        "six months",
        "nine months ended September 2023",
        "three months ended June 30, 2023",
        "13 weeks ended",
        "year to date",
        "year-to-date",
        "ytd",
        "ttm",
        "last quarter",
        "in June 2024",
    ],
)
def test_a_part_of_a_year_is_no_year(words):
    found = named(f"Apple revenue {words}")
    assert found[0][0] == "other"


@pytest.mark.parametrize(
    "words", ["since 2020", "over the last 5 years", "the past three years", "2020-24", "FY20-FY24", "2020/21"]
)
def test_a_range_is_one_stretch(words):
    assert named(f"Apple revenue {words}") == [("other", words)]


@pytest.mark.parametrize("words", ["2,024", "$2024", "2024%", "12345", "2024.5", "1,2024", "fiscal 10-K", "20245"])
def test_other_numbers_are_no_years(words):
    assert named(f"Apple revenue {words}") == []


@pytest.mark.parametrize("words", ["February 30, 2024", "13/32/2023", "2023-02-30"])
def test_a_day_that_does_not_exist_ends_no_year(words):
    assert ("ended", None) not in named(words)
    assert all(form != "ended" for form, _ in named(words))


@pytest.mark.parametrize(
    ("year", "end", "expected"),
    [
        (2023, date(2023, 9, 30), True),
        (2022, date(2023, 9, 30), False),
        (2023, date(2024, 2, 2), True),
        (2024, date(2024, 1, 28), True),
        (2022, date(2024, 2, 2), False),
    ],
)
def test_a_label_names_a_year_end_or_not(year, end, expected):
    ended = Period(form=PeriodForm.ENDED, end=end)
    assert can_name(Period(form=PeriodForm.FISCAL, year=year), ended) is expected
