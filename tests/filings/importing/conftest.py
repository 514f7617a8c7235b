"""A company, an index and a folder of its own for each test of imports; files are read in this process."""

import pytest
from pytest_django import Settings

from filings.models import Company
from tests.filings.search.conftest import model
from tests.support.holdings import annual_report, known

__all__ = ["halden", "in_process", "model"]


@pytest.fixture(autouse=True)
def in_process(settings: Settings) -> None:
    settings.INGEST_FILING_DEADLINE = 0


@pytest.fixture
def halden(model: object, db: None) -> Company:
    """A company whose fiscal years are calendar years."""
    company = known("Halden Optics, Inc.", "HLDN", 9_999_999_911)
    annual_report(company, 2023)
    return company
