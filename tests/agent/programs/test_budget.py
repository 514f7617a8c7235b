"""A run spends what it is given, and says what is left."""

import threading
from decimal import Decimal

import pytest

from agent.programs import budget
from agent.programs.budget import Budget, Usage


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(budget.time, "monotonic", lambda: now[0])
    return now


def test_tokens_in_and_out_are_spent_together(clock: list[float]) -> None:
    spending = Budget(tokens=100, seconds=10)
    spending.spend(Usage(30, 20))
    assert spending.left().tokens == 50
    assert spending.allows(50)
    assert not spending.allows(51)


def test_what_was_spent_beyond_the_limit_leaves_nothing_and_no_debt(clock: list[float]) -> None:
    spending = Budget(tokens=100, cost=1, seconds=10)
    spending.spend(Usage(500, 500, Decimal(7)))
    assert (spending.left().tokens, spending.left().cost) == (0, 0)
    assert spending.spent.cost == Decimal(7)


def test_without_limits_only_the_time_ends(clock: list[float]) -> None:
    spending = Budget(tokens=0, seconds=10)
    spending.spend(Usage(10**9, 10**9, Decimal(10**6)))
    assert spending.left().tokens is None
    assert spending.left().cost is None
    assert spending.allows(10**9, 10**6)
    clock[0] += 10
    assert spending.left().seconds == 0
    assert not spending.allows(0)


def test_money_limits_only_what_costs(clock: list[float]) -> None:
    spending = Budget(tokens=0, cost=Decimal("0.10"), seconds=10)
    spending.spend(Usage(1, 1, Decimal("0.09")))
    assert spending.allows(1, Decimal("0.01"))
    assert not spending.allows(1, Decimal("0.011"))
    spending.spend(Usage(1, 1, Decimal("0.05")))
    assert spending.allows(1, 0)


def test_other_limits_count_what_was_spent_and_the_time_from_the_beginning(clock: list[float]) -> None:
    spending = Budget(tokens=100, cost=1, seconds=10)
    spending.spend(Usage(60, 20, Decimal("0.5")))
    clock[0] += 8
    spending.limit(tokens=200, cost=3, seconds=30)
    left = spending.left()
    assert (left.tokens, left.cost, left.seconds) == (120, Decimal("2.5"), 22)


def test_what_is_held_is_not_given_twice_and_is_given_back(clock: list[float]) -> None:
    spending = Budget(tokens=100, cost=1, seconds=10)
    with spending.held(60, Decimal("0.6")) as first:
        assert first
        with spending.held(60) as second:
            assert not second
        assert spending.left().tokens == 40
        assert spending.left().cost == Decimal("0.4")
    assert spending.left().tokens == 100


def test_what_was_held_is_given_back_after_an_error(clock: list[float]) -> None:
    spending = Budget(tokens=100, seconds=10)
    with pytest.raises(RuntimeError), spending.held(60):
        raise RuntimeError
    assert spending.left().tokens == 100


def test_an_estimate_marks_the_sum(clock: list[float]) -> None:
    spending = Budget(tokens=100, seconds=10)
    spending.spend(Usage(1, 1, estimated=True))
    spending.spend(Usage(1, 1))
    assert spending.spent == Usage(2, 2, Decimal(0), estimated=True)


def test_no_spending_of_six_threads_is_lost() -> None:
    spending = Budget(tokens=10**9, seconds=60)
    threads = [threading.Thread(target=lambda: [spending.spend(Usage(1, 2)) for _ in range(2000)]) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (spending.spent.tokens_in, spending.spent.tokens_out) == (12_000, 24_000)
