"""Which reports a company filed, and what fiscal year each is of."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.edgar.listing import ListedReport, date_reports, label_reports, within


def report(
    end: date | None, *, form: str = "10-K", filed: date | None = None, days: int = 364, **fields
) -> ListedReport:
    """A report whose facts are of one period, and whose accession follows its filing date."""
    filed = filed or ((end or date(2020, 1, 1)) + timedelta(days=50))
    durations = [(end - timedelta(days=days), end)] * 3 if end and days else []
    return ListedReport(
        accession=f"9000000001-{filed:%y-%m%d}00",
        form=form,
        filed=filed,
        report_date=end,
        durations=durations,
        **fields,
    )


def dated(*reports: ListedReport) -> list[ListedReport]:
    date_reports(reports)
    label_reports(9_000_000_001, reports)
    return list(reports)


def test_the_facts_date_a_filing() -> None:
    made = report(date(2024, 9, 28))
    made.report_date = date(2024, 9, 30)
    assert dated(made)[0].period_end == date(2024, 9, 28)


def test_the_list_dates_a_filing_without_facts() -> None:
    assert dated(report(date(2024, 12, 31), days=0))[0].period_end == date(2024, 12, 31)


def test_facts_of_earlier_years_do_not_date_a_filing() -> None:
    made = report(date(2023, 12, 31), filed=date(2025, 2, 20))
    made.report_date = date(2024, 12, 31)
    assert dated(made)[0].period_end == date(2024, 12, 31)


def test_a_short_period_is_a_transition() -> None:
    made = dated(report(date(2024, 6, 30), days=181))[0]
    assert (made.is_transition, made.is_primary, made.period_end) == (True, False, date(2024, 6, 30))


def test_a_10kt_is_a_transition_whatever_its_length() -> None:
    assert dated(report(date(2024, 6, 30), form="10-KT"))[0].is_transition


def test_quarterly_rows_do_not_make_a_transition() -> None:
    made = report(date(2024, 12, 31))
    made.durations = [(date(2024, 10, 1), date(2024, 12, 31)), (date(2024, 1, 1), date(2024, 12, 31))]
    assert not dated(made)[0].is_transition


def test_only_quarterly_rows_are_too_little_to_call_it_a_transition() -> None:
    made = report(date(2024, 12, 31))
    made.durations = [(date(2024, 10, 1), date(2024, 12, 31))]
    assert dated(made)[0].is_primary


def test_the_first_report_of_a_period_is_primary() -> None:
    first, second = report(date(2024, 12, 31)), report(date(2024, 12, 31), filed=date(2025, 6, 1))
    amended = report(date(2024, 12, 31), form="10-K/A", filed=date(2025, 1, 5))
    dated(second, amended, first)
    assert [made.is_primary for made in (first, second, amended)] == [True, False, False]
    assert {made.fiscal_year for made in (first, second, amended)} == {2024}


def test_the_majority_of_the_companys_own_years_decides_the_label() -> None:
    reports = [report(date(year, 2, 1), fiscal_year_focus=year - 1) for year in (2020, 2021, 2022)]
    reports.append(report(date(2023, 2, 1), fiscal_year_focus=2023))
    assert [made.fiscal_year for made in dated(*reports)] == [2019, 2020, 2021, 2022]


def test_an_override_wins_over_the_votes() -> None:
    made = report(date(2024, 12, 31), fiscal_year_focus=2024)
    date_reports([made])
    label_reports(9_000_000_001, [made], override=1)
    assert made.fiscal_year == 2025


@pytest.mark.parametrize(
    ("first", "last", "expected"), [(2024, None, True), (2025, None, False), (None, 2023, False), (2024, 2024, True)]
)
def test_the_years_asked_for_are_fiscal_years(first: int | None, last: int | None, expected: bool) -> None:
    assert within(dated(report(date(2024, 12, 31)))[0], first, last) is expected


def test_a_year_counts_by_its_label_and_by_its_calendar() -> None:
    made = dated(report(date(2024, 2, 2), fiscal_year_focus=2023))[0]
    assert made.fiscal_year == 2023
    assert within(made, 2023, 2023)
    assert within(made, 2024, 2024)


def test_a_report_without_any_date_goes_by_the_year_before_it_was_filed() -> None:
    made = dated(report(None, filed=date(2025, 3, 1)))[0]
    assert within(made, 2024, 2024)
    assert not within(made, 2025, None)


ENDS = st.dates(date(2010, 1, 1), date(2025, 12, 31))


@given(st.lists(st.tuples(ENDS, st.sampled_from(["10-K", "10-K/A", "10-KT"]), st.integers(30, 400)), max_size=12))
def test_each_period_has_at_most_one_primary_report(rows: list[tuple[date, str, int]]) -> None:
    reports = dated(*(report(end, form=form, filed=end + timedelta(days=late)) for end, form, late in rows))
    primary = [made.period_end for made in reports if made.is_primary]
    assert len(primary) == len(set(primary))
    assert set(primary) == {made.period_end for made in reports if made.form == "10-K"}
