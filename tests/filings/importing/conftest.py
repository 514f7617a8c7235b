"""A company, an index, a news service and a folder of its own for each test of imports; files are read in this process."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from filings.models import Company
from tests.filings.search.conftest import model
from tests.support.holdings import annual_report, known
from tests.support.news import KEY, LocalNews

__all__ = ["halden", "in_process", "model", "service"]


@pytest.fixture
def service(settings: Settings) -> Iterator[LocalNews]:
    """A news service that the settings name."""
    with LocalNews() as server:
        settings.NEWS_BASE_URL, settings.NEWS_API_KEY = server.url, KEY
        settings.NEWS_RESULTS, settings.NEWS_DOMAINS, settings.NEWS_TIMEOUT = 20, [], 5.0
        yield server


@pytest.fixture(autouse=True)
def in_process(settings: Settings) -> None:
    settings.INGEST_FILING_DEADLINE = 0


@pytest.fixture
def halden(model: object, db: None) -> Company:
    """A company whose fiscal years are calendar years."""
    company = known("Halden Optics, Inc.", "HLDN", 9_999_999_911)
    annual_report(company, 2023)
    return company
