"""Which filings can be quoted is remembered, for half an hour and for one state of the corpus."""

from collections.abc import Iterator

import pytest

from agent.steps import fetch
from agent.steps.fetch import available
from filings.models import Filing


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    fetch.forget()
    yield
    fetch.forget()


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


def test_after_half_an_hour_it_is_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    look_up, clock = Looked(2024), [0.0]
    monkeypatch.setattr(fetch.time, "monotonic", lambda: clock[0])
    available(1, "a", look_up)
    clock[0] = 30 * 60 - 1
    available(1, "a", look_up)
    assert look_up.count == 1
    clock[0] = 30 * 60
    available(1, "a", look_up)
    assert look_up.count == 2


def test_nothing_of_an_older_corpus_is_kept() -> None:
    available(1, "a", Looked(2023))
    available(2, "b", Looked(2024))
    assert [corpus for corpus, _ in fetch._held] == ["b"]


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "MOST_REMEMBERED", 3)
    for cik in range(10):
        available(cik, "a", Looked(2024))
    assert len(fetch._held) <= 3
