"""Ingestion of real filings from ../shared/edgar through its own server, faults included."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from filings.edgar.client import Edgar
from filings.ingest import queue
from filings.models import Company, Fact, Statement
from tests.support.mirror import one_worker, served

TOTAL = "RevenueFromContractWithCustomerExcludingAssessedTax"  # on the face; Revenues stands in a note
pytestmark = one_worker


@pytest.fixture
def mirror(data_dir: Path, db: None, settings: Settings, request: pytest.FixtureRequest) -> Iterator[Any]:
    # The same text is embedded once.
    settings.VECTORS_DIR = request.config.cache.mkdir("mirror")
    with served() as edgar:
        yield edgar


class QuickEdgar(Edgar):
    first_wait = 0.01


def ingest(cik: int, first: int, last: int | None = None) -> Company:
    company, _ = Company.objects.get_or_create(cik=cik, defaults={"name": "To be named"})
    Company.objects.enqueue(company.pk, (first, last))
    assert queue.work(company.pk, QuickEdgar()) is not None
    company.refresh_from_db()
    return company


def test_a_real_company_is_stored_in_spite_of_faults(mirror: Any) -> None:
    mirror.faults = [
        {"match": "companyfacts", "times": 1, "status": 503},
        {"match": "companyfacts", "times": 1, "truncate": 1000},
        {"match": r"\.txt", "times": 1, "status": 429, "headers": {"Retry-After": "0"}},
        {"match": r"\.txt", "times": 1, "truncate": 100_000},
    ]
    company = ingest(1318605, 2024)
    filing = company.filings.get(fiscal_year=2024, form="10-K")
    assert company.status == "done"
    assert filing.document_status == "held"
    for source in (Fact.Source.COMPANYFACTS, Fact.Source.DOCUMENT):
        fact = Fact.objects.get(filing=filing, tag=TOTAL, end=filing.period_end, source=source, dimensions="")
        assert fact.value == Decimal(97_690_000_000)
        assert fact.statement == "income"
    # The amendment holds Part III only: a document without statements, and no crash.
    amendment = company.filings.get(fiscal_year=2024, form="10-K/A")
    assert amendment.document_status == "held"
    assert not amendment.statements.filter(kind="income").exists()


def test_a_linkbase_and_a_document_are_read_together(mirror: Any) -> None:
    company = ingest(320193, 2024, 2024)
    filing = company.filings.get(fiscal_year=2024, form="10-K")
    income = Statement.objects.get(filing=filing, kind="income")
    assert income.basis == "linkbase"
    assert income.lines[0]["label"]
    assert len([line for line in income.lines if line["label"]]) >= 15
    assert filing.cover["EntityRegistrantName"] == "Apple Inc."


def test_a_document_that_is_not_there_is_the_status_of_its_filing(mirror: Any) -> None:
    company = ingest(1163165, 2024)
    assert company.status == "done"
    assert set(company.filings.filter(fiscal_year__gte=2024).values_list("document_status", flat=True)) == {"missing"}


def test_a_real_foreign_filer_is_known_and_not_covered(mirror: Any) -> None:
    company = ingest(937966, 2015)
    assert company.foreign
    assert not company.facts.exists()
