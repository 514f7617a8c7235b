"""An endpoint that fails repeatedly is left alone for a while."""

import pytest

from agent.programs import breaker
from agent.programs.breaker import Breaker


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(breaker.time, "monotonic", lambda: now[0])
    return now


def opened() -> Breaker:
    found = Breaker(failures=3, seconds=60)
    for _ in range(3):
        assert found.allows()
        found.failure()
    return found


def test_it_opens_after_so_many_failures_in_a_row(clock: list[float]) -> None:
    assert not opened().allows()


def test_a_success_between_failures_starts_the_count_anew(clock: list[float]) -> None:
    found = Breaker(failures=3, seconds=60)
    for _ in range(4):
        found.failure()
        found.failure()
        found.succeeded()
    assert found.allows()


def test_what_says_nothing_of_the_endpoint_neither_counts_nor_heals(clock: list[float]) -> None:
    found = Breaker(failures=3, seconds=60)
    found.failure()
    found.failure()
    found.undecided()
    assert found.allows()
    found.failure()
    assert not found.allows()


def test_after_the_wait_one_request_may_try(clock: list[float]) -> None:
    found = opened()
    clock[0] += 59.9
    assert not found.allows()
    clock[0] += 0.2
    assert found.allows()
    assert not found.allows()


def test_the_trial_decides(clock: list[float]) -> None:
    found = opened()
    clock[0] += 61
    assert found.allows()
    found.failure()
    assert not found.allows()
    clock[0] += 61
    assert found.allows()
    found.succeeded()
    assert found.allows()
    assert found.allows()


def test_a_trial_that_shows_nothing_lets_another_try(clock: list[float]) -> None:
    found = opened()
    clock[0] += 61
    assert found.allows()
    found.undecided()
    assert found.allows()


def test_each_model_at_each_endpoint_has_its_own() -> None:
    assert breaker.of("http://a/v1", "m") is breaker.of("http://a/v1", "m")
    assert len({id(breaker.of(url, name)) for url in ("http://a/v1", "http://b/v1") for name in ("m", "n")}) == 4
