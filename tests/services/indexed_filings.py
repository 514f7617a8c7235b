"""Filings with chunks, and what of them an index has."""

import time

from filings.models import Company, Filing
from filings.search import active_indexes, indexing, maintenance
from filings.search.passages import Focus
from tests.support.holdings import annual_report
from tests.support.searchable import made, store


def filings(company: Company, count: int, length: int = 12) -> list[Filing]:
    """Filings with text that wait to be indexed."""
    found = []
    for year in range(2025 - count, 2025):
        filing = annual_report(company, year)
        store(filing, made(year, length))
        found.append(filing)
    return found


def waiting() -> set[int]:
    return set(indexing.waiting().values_list("pk", flat=True))


def nothing_lost_nothing_doubled() -> None:
    """The index has what the database has, each chunk once."""
    while indexing.index_waiting():
        pass
    assert not waiting()
    for index in active_indexes.indexes():
        index.rests_until = 0.0  # type: ignore[attr-defined]
        assert not maintenance.compare(index)


def focus(text: str) -> list[Focus]:
    return [Focus(text, tuple(text.split()))]


def again_and_again(pk: int) -> None:
    """Index a filing until the server is gone."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        indexing.index_filing(pk)
