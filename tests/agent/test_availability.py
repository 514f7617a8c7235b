"""Which filings can be quoted is remembered for one state of the corpus."""

from collections.abc import Iterator

import pytest

from agent.steps.fetch import available
from filings.models import Filing


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    available.cache_clear()
    yield
    available.cache_clear()


class Looked:
    """Filings, and how often they were looked up."""

    def __init__(self, *years: int) -> None:
        self.filings, self.count = [Filing(fiscal_year=year) for year in years], 0

    def __call__(self) -> list[Filing]:
        self.count += 1
        return self.filings


def test_filings_are_looked_up_once() -> None:
    look_up = Looked(2024, 2023)
    found = [available(1, "a", look_up) for _ in range(3)]
    assert look_up.count == 1
    assert [one.fiscal_year for one in found[2]] == [2024, 2023]


def test_another_company_or_corpus_is_looked_up_again() -> None:
    look_up = Looked(2024)
    for cik, corpus in ((1, "a"), (2, "a"), (1, "b")):
        available(cik, corpus, look_up)
    assert look_up.count == 3
