"""An empty index, and an embedding without a model, for each test of search."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from filings.models import Company, Filing
from filings.search import indexing
from filings.search.embedded import EmbeddedIndex
from tests.support import corpus
from tests.support.holdings import annual_report, known
from tests.support.searchable import MadeUp, made, made_up, store


@pytest.fixture
def index(tmp_path: Path) -> Iterator[EmbeddedIndex]:
    found = EmbeddedIndex(tmp_path / "search.sqlite3", corpus.MODEL, corpus.DIMENSIONS)
    yield found
    found.close()


@pytest.fixture
def model(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MadeUp]:
    """The product embeds with the made-up model and keeps its index in a folder of this test."""
    from filings.search import active_indexes

    settings.DATA_DIR = settings.VECTORS_DIR = tmp_path
    with made_up(monkeypatch) as found:
        yield found
    for index in (index for several in active_indexes._made.values() for index in several):
        if isinstance(index, EmbeddedIndex):
            index.close()
    active_indexes._made.clear()


@pytest.fixture
def company(db: None) -> Company:
    """A company of the test, whose filings alone have text."""
    Filing.objects.update(chunks_stored=0, indexed="")
    return known("Halden Optics, Inc.", "HLDN", 9_999_999_911)


@pytest.fixture
def filing(company: Company) -> Filing:
    return annual_report(company, 2025)


@pytest.fixture
def filings(model: MadeUp, company: Company) -> list[Filing]:
    """Two filings that the embedded index holds."""
    found = [annual_report(company, year) for year in (2024, 2025)]
    for filing in found:
        store(filing, made(filing.pk, 6))
        indexing.index_filing(filing.pk)
    return found
