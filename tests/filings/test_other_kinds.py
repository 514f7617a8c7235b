"""What fiscal year and quarter a filing of another kind than 10-K and 10-Q belongs to, and which of them are listed."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.edgar.edgar_files import ListedFiling, Submissions, read_submissions
from filings.edgar.listing import ListedReport, date_reports, label_reports, listed_reports, quarter_before
from filings.models.source_kinds import CURRENT, FOREIGN, PROXY
from tests.filings.test_quarters import annual, quarterly
from tests.support.edgar import filer
from tests.support.other_filings import foreign_report, proxy, release

CIK = 9_000_000_001
# A company whose year ends in January and is named for the year it ends in.
YEARS = (date(2023, 1, 29), date(2024, 1, 28), date(2025, 1, 26))
QUARTERS = (date(2024, 4, 28), date(2024, 7, 28), date(2024, 10, 27))


def current(day: date, items: tuple[str, ...] = ("2.02", "9.01"), form: str = "8-K") -> ListedReport:
    return ListedReport(f"9-{day:%y%m%d}-C", form, day, day, items=items)


def of_january(*others: ListedReport) -> None:
    reports = [*map(annual, YEARS), *map(quarterly, QUARTERS), *others]
    date_reports(reports)
    label_reports(CIK, reports)


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (date(2024, 5, 22), (2025, 1, date(2024, 4, 28))),
        (date(2024, 8, 28), (2025, 2, date(2024, 7, 28))),
        (date(2024, 11, 20), (2025, 3, date(2024, 10, 27))),
        # The fourth quarter ends with the year.
        (date(2025, 2, 26), (2025, 4, date(2025, 1, 26))),
        # Before its 10-Q is listed, a quarter ends a fourth of a year after the year end.
        (date(2025, 5, 28), (2026, 1, date(2025, 4, 27))),
        (date(2025, 11, 19), (2026, 3, date(2025, 10, 26))),
        # Results before the quarter is a week over are of that quarter.
        (date(2024, 8, 1), (2025, 2, date(2024, 7, 28))),
        # A few filers state the end of the quarter as the day of the event.
        (date(2024, 7, 28), (2025, 2, date(2024, 7, 28))),
        # A year end that no 10-K is listed for.
        (date(2026, 2, 25), (2026, 4, date(2026, 1, 26))),
    ],
)
def test_results_are_of_the_quarter_that_ended_last(day: date, expected: tuple[int, int, date]) -> None:
    report = current(day)
    of_january(report)
    assert (report.fiscal_year, report.fiscal_quarter, report.period_end) == expected


def test_an_8k_without_results_is_of_its_day_in_the_year_that_contains_it() -> None:
    report = current(date(2024, 6, 25), items=("5.07",))
    of_january(report)
    assert (report.fiscal_year, report.fiscal_quarter, report.period_end) == (2025, None, date(2024, 6, 25))


def test_a_proxy_statement_is_of_the_year_that_ended_before_it_was_filed() -> None:
    report = ListedReport("9-1", "DEF 14A", date(2024, 5, 14), report_date=date(2024, 6, 26))
    of_january(report)
    assert (report.fiscal_year, report.fiscal_quarter, report.period_end) == (2024, None, date(2024, 1, 28))


def test_a_20f_is_of_the_year_it_reports_on() -> None:
    report = ListedReport("9-1", "20-F", date(2025, 3, 20), report_date=date(2024, 12, 31))
    date_reports([report])
    label_reports(CIK, [report])
    assert (report.fiscal_year, report.period_end, report.is_primary) == (2024, date(2024, 12, 31), False)


def test_only_a_10k_answers_and_votes() -> None:
    others = [
        current(YEARS[2]),
        ListedReport("9-2", "DEF 14A", YEARS[2], YEARS[2], fiscal_year_focus=1999),
        ListedReport("9-3", "20-F", YEARS[2], YEARS[2], fiscal_year_focus=1999),
        # What a person brought keeps its own dates.
        ListedReport("doc-1", "", YEARS[2], period_end=date(2020, 1, 1), fiscal_year=2007, fiscal_quarter=3),
    ]
    of_january(*others)
    assert [one.is_primary for one in others] == [False] * 4
    assert [one.is_transition for one in others] == [False] * 4
    assert (others[3].period_end, others[3].fiscal_year, others[3].fiscal_quarter) == (date(2020, 1, 1), 2007, 3)


def test_without_an_annual_report_there_is_no_fiscal_year() -> None:
    report, meeting = current(date(2024, 5, 22)), ListedReport("9-1", "DEF 14A", date(2024, 5, 14))
    label_reports(CIK, [report, meeting])
    assert (report.fiscal_year, report.fiscal_quarter, report.period_end) == (None, None, date(2024, 5, 22))
    assert (meeting.fiscal_year, meeting.period_end) == (None, None)


@given(st.integers(0, 1400), st.sets(st.integers(1, 3)))
def test_a_quarter_ends_by_the_day_and_no_more_than_a_quarter_before(days: int, filed: set[int]) -> None:
    day = YEARS[0] + timedelta(days=days)
    found = quarter_before(day, YEARS, {QUARTERS[number - 1] for number in filed})
    assert found is not None
    end, number, year_end = found
    assert timedelta(0) <= day - end <= timedelta(days=125)
    assert number in (1, 2, 3, 4)
    assert end == year_end if number == 4 else end < year_end


# --- which are listed ---


def listed_filing(form: str, items: tuple[str, ...] = ()) -> ListedFiling:
    return ListedFiling("9000000001-25-000001", form, date(2025, 1, 2), date(2025, 1, 2), "a.htm", items)


def submissions(*filings: ListedFiling) -> Submissions:
    return Submissions(CIK, "Tiny Widgets Inc.", (), (), "", "", "", "", filings)


@pytest.mark.parametrize(
    ("filing", "expected"),
    [
        (listed_filing("8-K", ("2.02", "9.01")), True),
        (listed_filing("8-K", ("5.07",)), True),
        (listed_filing("8-K/A", ("2.02",)), True),
        (listed_filing("8-K", ("7.01", "9.01")), False),
        (listed_filing("8-K", ("5.02",)), False),
        (listed_filing("8-K"), False),
        (listed_filing("DEF 14A"), True),
        (listed_filing("DEFA14A"), False),
        (listed_filing("20-F"), True),
        (listed_filing("40-F/A"), True),
        (listed_filing("6-K"), False),
        # Without figures in companyfacts.
        (listed_filing("10-Q"), False),
        (listed_filing("10-K"), True),
    ],
)
def test_what_is_held_is_listed(filing: ListedFiling, expected: bool) -> None:
    found = listed_reports(submissions(filing), (), (CURRENT, PROXY, FOREIGN))
    assert [one.items for one in found] == ([filing.items] if expected else [])


def test_a_kind_that_is_not_asked_for_is_not_listed() -> None:
    assert listed_reports(submissions(listed_filing("8-K", ("2.02",))), (), (PROXY,)) == []


def test_edgars_list_keeps_the_items_of_8ks_and_the_filings_of_every_kind() -> None:
    made = filer(2024)
    made.others = [release(date(2025, 2, 3)), proxy(date(2025, 4, 1)), foreign_report(2023)]
    found = read_submissions(made.cik, made.submissions(), [], ())
    assert [(one.form, one.items) for one in found.filings] == [
        ("DEF 14A", ()),
        ("10-K", ()),
        ("8-K", ("2.02", "9.01")),
        ("20-F", ()),
    ]
    assert found.of_kind(CURRENT)[0].report_date == date(2025, 2, 3)
    assert found.foreign_form == "20-F"
