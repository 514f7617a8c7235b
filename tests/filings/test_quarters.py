"""Quarterly reports: which quarter each closes, what of them is stored, and that a year's reports are left alone."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.edgar.listing import ListedReport, date_reports, label_reports
from filings.models import Fact, Filing
from filings.xbrl.companyfacts import parse_companyfacts
from filings.xbrl.periods import QUARTERS, TRAILING, FiscalPeriod, Place, interim_end, quarter_of
from tests.support.sample import Sample

CIK = 9_000_000_001


def annual(end: date) -> ListedReport:
    return ListedReport(
        f"9-{end:%y%m%d}-K", "10-K", end + timedelta(days=50), end, durations=[(end - timedelta(days=363), end)] * 9
    )


def quarterly(end: date, *, weeks: int = 13, form: str = "10-Q") -> ListedReport:
    rows = [(end - timedelta(days=7 * weeks - 1), end)] * 9
    return ListedReport(f"9-{end:%y%m%d}-Q", form, end + timedelta(days=30), end, durations=rows)


def labelled(*reports: ListedReport) -> list[tuple[int | None, int | None]]:
    """Fiscal year and quarter of each."""
    date_reports(reports)
    label_reports(CIK, reports)
    return [(one.fiscal_year, one.fiscal_quarter) for one in reports]


@pytest.mark.parametrize(
    ("year_end", "quarter_ends"),
    [
        # Calendar quarters, quarters of 13 weeks, of 12, 12, 12 and 16 weeks, of 16 and three of 12.
        (date(2024, 12, 31), [date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30)]),
        (date(2024, 9, 28), [date(2023, 12, 30), date(2024, 3, 30), date(2024, 6, 29)]),
        (date(2024, 12, 28), [date(2024, 3, 23), date(2024, 6, 15), date(2024, 9, 7)]),
        (date(2025, 2, 1), [date(2024, 5, 25), date(2024, 8, 17), date(2024, 11, 9)]),
        # A year of 53 weeks.
        (date(2025, 1, 4), [date(2024, 3, 30), date(2024, 6, 29), date(2024, 9, 28)]),
    ],
)
def test_a_quarter_is_told_by_how_far_the_year_has_run(year_end: date, quarter_ends: list[date]) -> None:
    assert [quarter_of(end, year_end) for end in quarter_ends] == [1, 2, 3]
    assert quarter_of(year_end, year_end) is None


@given(st.dates(date(2016, 1, 1), date(2030, 12, 31)), st.integers(0, 364))
def test_a_day_is_at_most_one_quarter_of_its_year(year_end: date, before: int) -> None:
    found = quarter_of(year_end - timedelta(days=before), year_end)
    assert found is None or abs((365 - before) - found * 91.25) <= 30


def test_a_quarter_belongs_to_the_year_that_ends_next() -> None:
    reports = [
        annual(date(2023, 9, 30)),
        quarterly(date(2023, 12, 30)),
        quarterly(date(2024, 3, 30)),
        annual(date(2024, 9, 28)),
    ]
    assert labelled(*reports)[1:3] == [(2024, 1), (2024, 2)]


def test_the_quarters_behind_the_last_annual_report_are_of_the_year_that_runs() -> None:
    reports = [annual(date(2024, 1, 28)), quarterly(date(2024, 4, 28)), quarterly(date(2024, 10, 27))]
    # A year that ends in January is called by the year it ends in.
    assert labelled(*reports)[1:] == [(2025, 1), (2025, 3)]


def test_the_quarters_before_the_first_annual_report_are_of_its_year() -> None:
    assert labelled(quarterly(date(2023, 6, 30)), annual(date(2023, 12, 31)))[0] == (2023, 2)


def test_a_quarter_of_a_company_without_an_annual_report_has_no_year() -> None:
    assert labelled(quarterly(date(2023, 6, 30))) == [(None, None)]


def test_an_annual_report_is_labelled_as_without_the_quarters() -> None:
    reports = [annual(date(2023, 9, 30)), quarterly(date(2023, 12, 30)), annual(date(2024, 9, 28))]
    assert [(one.fiscal_year, one.is_primary) for one in reports if labelled(*reports) and not one.is_interim] == [
        (2023, True),
        (2024, True),
    ]
    assert not any(one.is_primary or one.is_transition for one in reports if one.is_interim)


def test_a_report_is_dated_by_the_newest_part_of_a_year_it_has_figures_of() -> None:
    end, before = date(2024, 6, 29), date(2023, 7, 1)
    rows = (
        [(end - timedelta(days=90), end)] * 20
        + [(end - timedelta(days=272), end)] * 20
        + [(before - timedelta(days=90), before)] * 20
    )
    assert interim_end(rows, end + timedelta(days=30)) == end
    # A pro-forma figure of a later quarter does not date it, and nothing dates it after it was filed.
    stray = end + timedelta(days=20)
    assert interim_end([*rows, (stray - timedelta(days=90), stray)], end + timedelta(days=30)) == end
    assert interim_end([], end) is None


def test_companyfacts_keep_annual_and_quarterly_reports_apart() -> None:
    row = {
        "end": "2024-06-29",
        "start": "2024-03-31",
        "val": 5,
        "accn": "1",
        "form": "10-Q",
        "filed": "2024-08-02",
        "fy": 2024,
        "fp": "Q3",
    }
    other = {**row, "accn": "2", "form": "10-K"}
    raw = {
        "cik": 1,
        "entityName": "X",
        "facts": {
            "us-gaap": {
                "Revenues": {"label": "Revenues", "units": {"USD": [row, other, {**row, "accn": "3", "form": "8-K"}]}}
            }
        },
    }
    import json

    found = parse_companyfacts(json.dumps(raw).encode())
    assert (list(found.filings), list(found.interim)) == (["2"], ["1"])


def test_the_columns_of_a_table_are_in_the_order_of_their_ends() -> None:
    year = [Place(2024, one) for one in QUARTERS]
    assert sorted([Place(2025, FiscalPeriod.Q1), *reversed(year)]) == [*year, Place(2025, FiscalPeriod.Q1)]
    assert [Place(2024).short, Place(2024, FiscalPeriod.Q3).short] == ["FY2024", "Q3 FY2024"]
    assert Place(2026, TRAILING[2]).called == "the twelve months to the end of Q3 fiscal 2026"


@pytest.mark.django_db
class TestSample:
    def test_it_holds_quarters_of_its_real_companies(self, sample: Sample) -> None:
        held = Filing.objects.filter(company=sample["AAPL"], source="10-Q", fiscal_year=2024).order_by("period_end")
        assert [(one.fiscal_quarter, one.period_end) for one in held] == [
            (1, date(2023, 12, 30)),
            (2, date(2024, 3, 30)),
            (3, date(2024, 6, 29)),
        ]
        assert all(one.facts_stored for one in held)

    def test_none_of_them_is_taken_for_an_annual_report(self, sample: Sample) -> None:
        assert not Filing.objects.primary().filter(source="10-Q").exists()
        assert not Filing.objects.annual().filter(form__startswith="10-Q").exists()
        assert not Fact.objects.filter(filing__source="10-Q").exclude(form__startswith="10-Q").exists()
