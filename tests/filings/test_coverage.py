"""Data available of a company, year by year."""

from datetime import date

import pytest

from filings.edgar.client import Edgar
from filings.ingest import queue
from filings.ingest.coverage import coverage
from filings.models import Company
from tests.support.edgar import Filer, LocalEdgar, Report
from tests.support.sample import Sample


@pytest.fixture
def company(edgar: LocalEdgar, widgets: Filer) -> Company:
    widgets.reports.append(Report(date(2024, 12, 31), form="10-K/A", serial=5))
    widgets.reports.append(Report(date(2020, 12, 31)))
    widgets.publish(edgar)
    del edgar.files[widgets.container_path(widgets.reports[0])]
    company = Company.objects.create(cik=widgets.cik, name=widgets.name)
    Company.objects.enqueue(company.pk, (2015, None))
    assert queue.work(company.pk, Edgar()) is not None
    return company


def test_it_lists_the_years_newest_first_with_what_is_held(company: Company) -> None:
    years = [(year.fiscal_year, year.facts, year.faces, year.basis, year.document) for year in coverage(company)]
    assert years == [
        (2024, 16, ("balance", "income"), "inline", "held"),
        (2023, 16, ("balance", "income"), "inline", "held"),
        (2022, 3, (), "", "missing"),
        (2020, 16, ("balance", "income"), "inline", "held"),
    ]


def test_amendments_stand_beside_the_report_of_their_year(company: Company) -> None:
    newest = coverage(company)[0]
    assert newest.filing.form == "10-K"
    assert [filing.form for filing in newest.others] == ["10-K/A"]


def test_a_missing_year_is_an_anomaly(company: Company) -> None:
    assert [(found.kind, found.fiscal_year) for found in company.anomalies.all()] == [("missing_year", 2021)]


def test_the_sample_has_faces_for_the_years_of_the_documents(sample: Sample) -> None:
    years = {year.fiscal_year: year for year in coverage(sample["AAPL"])}
    assert years[2024].basis == "linkbase"
    assert {"income", "balance", "cashflow"} <= set(years[2024].faces)
    assert (years[2015].faces, years[2015].basis) == ((), "")
    assert years[2015].facts > 100
