"""Whose filings name something."""

import pytest
from pytest_django import Settings

from filings.models import Company, Filing
from filings.search import indexing
from filings.search.naming import companies_naming
from tests.support.holdings import annual_report, known
from tests.support.searchable import MadeUp, store


@pytest.fixture
def other(model: MadeUp, company: Company) -> Company:
    """Two companies: Halden, which names Zorblat in two years, and another, which only mentions it."""
    other = known("Lindau Lamps, Inc.", "LNDL", 9_999_999_912)
    told = {
        annual_report(company, 2024): ["Zorblat sells well.", "A zorblat is a lamp."],
        annual_report(company, 2025): ["Zorblat one.", "Zorblat two.", "ZORBLAT three.", "A leap in sales of Kindle."],
        annual_report(other, 2025): ["Halden has Zorblat.", "A leap forward.", "One LEAP engine."],
    }
    for filing, paragraphs in told.items():
        store(filing, paragraphs)
        indexing.index_filing(filing.pk)
    return other


def test_companies_are_counted_by_the_report_that_names_it_most(company: Company, other: Company) -> None:
    assert companies_naming("Zorblat") == {company.cik: 3, other.cik: 1}
    assert list(companies_naming("Zorblat")) == [company.cik, other.cik]
    assert companies_naming("Humdinger") == {}
    assert companies_naming("of the") == {}


def test_an_everyday_word_is_counted_where_it_stands_as_it_is_written(company: Company, other: Company) -> None:
    assert set(companies_naming("LEAP")) == {company.cik, other.cik}
    assert companies_naming("LEAP", as_written=True) == {other.cik: 2}
    assert companies_naming("Kindle", as_written=True) == {company.cik: 1}


def test_only_reports_that_can_be_asked_about_are_counted(company: Company, other: Company) -> None:
    Filing.objects.filter(company=company, fiscal_year=2025).update(is_primary=False)
    assert companies_naming("Zorblat") == {company.cik: 2, other.cik: 1}
    Company.objects.filter(pk=company.pk).update(active=False)
    assert companies_naming("Zorblat") == {other.cik: 1}


def test_without_elasticsearch_the_file_that_earlier_settings_left_is_asked(
    company: Company, other: Company, settings: Settings
) -> None:
    settings.ELASTICSEARCH_URL, settings.SEARCH_FALLBACK = "http://127.0.0.1:9", False
    settings.ELASTICSEARCH_TIMEOUT = 0.5
    assert companies_naming("Zorblat") == {company.cik: 3, other.cik: 1}
