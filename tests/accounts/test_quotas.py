"""The ledger: what is reserved and settled, which limit says no, and when there is room again."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from pytest_django import Settings

from accounts import quotas, usage
from accounts.identity import Identity
from accounts.limit_errors import LimitReached, QuotaExceeded, TooLong
from accounts.models import Meter, Override, Plan, Reservation, User
from accounts.quotas import Length, Want

pytestmark = pytest.mark.django_db

VISITOR = Identity(visitor=uuid4(), address="192.0.2.1")
NOTHING = Decimal(0)


@pytest.fixture
def limits(settings: Settings) -> Any:
    """Sets the limits of visitors."""

    def put(**numbers: float) -> None:
        settings.PLANS = {**settings.PLANS, "anon": numbers}

    return put


def reserve(identity: Identity = VISITOR, *wants: int, ref: UUID | None = None, length: int = 1) -> Reservation:
    found = [Want(tokens) for tokens in wants or (10,)]
    return quotas.reserve(identity, ref or uuid4(), length=Length(length, lambda: length), wants=found)


def refused(identity: Identity = VISITOR, *wants: int, **how: Any) -> LimitReached:
    with pytest.raises(LimitReached) as caught:
        reserve(identity, *wants, **how)
    return caught.value


def settle(held: Reservation, tokens: int = 0, **how: Any) -> None:
    quotas.settle(held.ref, **{"tokens": tokens, "cost": NOTHING, "answered": True, **how})


def earlier(seconds: float, **fields: str) -> None:
    """Move what is in the ledger into the past."""
    for row in Reservation.objects.all():
        row.at -= timedelta(seconds=seconds)
        row.closed = row.closed and row.closed - timedelta(seconds=seconds)
        row.save()


# --- the last minute ---


def test_requests_are_counted_for_a_minute_and_no_longer(limits: Any) -> None:
    limits(requests_per_minute=2)
    reserve()
    earlier(40)
    settle(reserve())
    reached = refused()
    assert (reached.reason, reached.limit.used, reached.limit.limit) == ("too_many_questions", 2, 2)
    assert reached.limit.window_s == 60
    assert reached.limit.retry_after_s in (19, 20)
    earlier(20)
    reserve()
    assert refused().limit.retry_after_s in (39, 40)


def test_a_request_that_is_given_up_stays_counted_in_its_minute(limits: Any) -> None:
    limits(requests_per_minute=1, unfinished_runs=1, tokens_per_minute=10)
    quotas.release(reserve().ref)
    assert refused().limit.name == "requests_per_minute"
    earlier(61)
    reserve()


def test_tokens_are_held_while_a_run_is_unfinished_and_count_for_a_minute_after_it(limits: Any) -> None:
    limits(tokens_per_minute=100)
    held = reserve(VISITOR, 90)
    earlier(600)
    assert refused(VISITOR, 20).limit.used == 90
    settle(held, 40)
    reserve(VISITOR, 60)
    assert refused(VISITOR, 1).reason == "too_many_tokens"
    earlier(61)
    reserve(VISITOR, 40)


def test_the_first_want_that_fits_is_reserved(limits: Any) -> None:
    limits(tokens_per_minute=100)
    assert [reserve(VISITOR, 80, 30, 5).tokens for _ in range(3)] == [80, 5, 5]
    assert reserve(VISITOR, 80, 10, 5).tokens == 10
    assert isinstance(refused(VISITOR, 80, 30, 5), QuotaExceeded)


def test_the_last_want_is_never_more_than_a_whole_minute(limits: Any) -> None:
    limits(tokens_per_minute=100)
    assert reserve(VISITOR, 500, 300).tokens == 100
    assert refused(VISITOR, 300).reason == "too_many_tokens"


def test_before_the_last_want_is_refused_its_question_is_counted_exactly(limits: Any) -> None:
    limits(tokens_per_minute=100)
    counted: list[str] = []

    def exact() -> int:
        counted.append("")
        return 10

    def hold() -> int:
        # 50 tokens at most, and 20 more.
        wants = [Want(80), Want(70)]
        return quotas.reserve(VISITOR, uuid4(), length=Length(50, exact), wants=wants).tokens

    assert (hold(), counted) == (80, [])
    settle(Reservation.objects.get(), 60)
    assert (hold(), counted) == (30, [""])
    with pytest.raises(QuotaExceeded):
        hold()


def test_what_was_used_beyond_what_was_reserved_counts_too(limits: Any) -> None:
    limits(tokens_per_minute=100)
    settle(reserve(VISITOR, 10), 95)
    assert refused(VISITOR, 10).limit.used == 95


@pytest.mark.parametrize("name", ["requests_per_minute", "answers_per_month", "unfinished_runs", "questions_in_all"])
def test_where_a_plan_lets_nothing_through_no_moment_is_named(name: str) -> None:
    Plan.objects.create(name="Closed", tier="anon", **{name: 0})
    reached = refused()
    assert (reached.limit.name, reached.limit.retry_after_s) == (name, None)
    assert "Try again" not in str(reached)


def test_a_ledger_whose_clock_was_set_back_forgives_it(limits: Any) -> None:
    limits(requests_per_minute=1, tokens_per_minute=10)
    settle(reserve(VISITOR, 10), 10)
    earlier(-30)
    assert refused().reason == "too_many_questions"
    earlier(-3600)
    reserve()


# --- longer than a minute ---


def test_unfinished_runs_are_capped_until_one_ends(limits: Any) -> None:
    limits(unfinished_runs=2)
    first, second = reserve(), reserve()
    reached = refused()
    assert (reached.reason, reached.headers["Retry-After"]) == ("too_many_unfinished", "5")
    assert str(reached) == "2 of your questions are still unanswered. Try again as soon as one is answered."
    settle(first)
    quotas.release(second.ref)
    assert [reserve(), reserve()]
    refused()


def test_questions_in_all_count_answers_and_refusals_and_unfinished_ones(limits: Any) -> None:
    limits(questions_in_all=3)
    settle(reserve(), answered=True)
    settle(reserve(), answered=False)
    held = reserve()
    reached = refused()
    assert (reached.reason, reached.limit.used, reached.auth_required) == ("questions_used_up", 3, True)
    assert (reached.limit.window_s, reached.limit.retry_after_s) == (None, None)
    settle(held, asked=False, answered=False)
    reserve()


def test_answers_of_a_month_do_not_count_in_the_next(limits: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    limits(answers_per_month=1)
    moment = datetime(2026, 11, 30, 23, 59, 50, tzinfo=UTC)
    for module in (quotas, usage):
        monkeypatch.setattr(module, "clock", lambda: moment)
    settle(reserve(), answered=False)
    settle(reserve(), answered=True)
    reached = refused()
    assert (reached.reason, reached.limit.window_s, reached.limit.retry_after_s) == (
        "month_used_up",
        30 * 24 * 3600,
        10,
    )
    moment = datetime(2026, 12, 1, 0, 0, 0, tzinfo=UTC)
    settle(reserve(), 7)
    meter = Meter.objects.get()
    assert (meter.month_answers, meter.month_tokens, meter.answers, meter.questions) == (1, 7, 2, 3)


def test_when_the_months_money_is_used_up_what_costs_nothing_is_left(limits: Any) -> None:
    limits(cost_per_month=1.0)
    dear = [Want(1000, Decimal("0.60")), Want(500, Decimal("0.30")), Want(10)]
    length = Length(1, lambda: 1)
    first = quotas.reserve(VISITOR, uuid4(), length=length, wants=dear)
    second = quotas.reserve(VISITOR, uuid4(), length=length, wants=dear)
    assert (first.tokens, second.tokens) == (1000, 500)
    assert quotas.reserve(VISITOR, uuid4(), length=length, wants=dear).tokens == 10
    settle(first, cost=Decimal("0.05"))
    settle(second, cost=Decimal("0.30"))
    assert quotas.reserve(VISITOR, uuid4(), length=length, wants=dear).tokens == 1000


# --- the question's own length ---


def test_a_question_is_measured_only_where_it_may_be_too_long(limits: Any) -> None:
    limits(input_tokens=10)

    def never() -> int:
        raise AssertionError("It cannot be too long.")

    quotas.reserve(VISITOR, uuid4(), length=Length(10, never), wants=[Want(1)])
    quotas.reserve(VISITOR, uuid4(), length=Length(11, lambda: 10), wants=[Want(1)])
    with pytest.raises(TooLong) as caught:
        quotas.reserve(VISITOR, uuid4(), length=Length(99, lambda: 11), wants=[Want(1)])
    assert (caught.value.status, caught.value.reason, caught.value.limit.used) == (413, "question_too_long", 11)
    assert Reservation.objects.count() == 2


# --- settling ---


def test_a_run_is_settled_once(limits: Any) -> None:
    held = reserve(VISITOR, 50)
    settle(held, 20, cost=Decimal("0.5"))
    settle(held, 30, cost=Decimal("0.5"))
    quotas.release(held.ref)
    held.refresh_from_db()
    assert (held.state, held.tokens, held.used_tokens) == ("settled", 50, 20)
    meter = Meter.objects.get()
    assert (meter.tokens, meter.cost, meter.answers) == (20, Decimal("0.5"), 1)


def test_what_nobody_reserved_is_not_settled() -> None:
    quotas.settle(uuid4(), tokens=5, cost=NOTHING, answered=True)
    quotas.release(uuid4())
    assert not Meter.objects.exists()


def test_what_no_run_stands_for_is_given_back_once_it_is_old_enough(limits: Any) -> None:
    limits(tokens_per_minute=100)
    left, living = reserve(VISITOR, 40), reserve(VISITOR, 40)
    assert quotas.sweep([]) == 0
    earlier(quotas.GRACE.total_seconds() + 1)
    assert quotas.sweep([living.ref]) == 1
    left.refresh_from_db()
    living.refresh_from_db()
    assert (left.state, living.state) == ("expired", "open")
    assert reserve(VISITOR, 60)


def test_a_run_that_ends_after_it_was_given_back_counts(limits: Any) -> None:
    held = reserve()
    earlier(3600)
    quotas.sweep([])
    settle(held, 12)
    assert Meter.objects.get().tokens == 12


def test_reservations_of_long_ago_are_forgotten_and_their_sums_are_not() -> None:
    settle(reserve(), 5)
    waiting = reserve()
    earlier(quotas.KEPT.total_seconds() + 60)
    quotas.sweep([waiting.ref])
    assert [row.ref for row in Reservation.objects.all()] == [waiting.ref]
    assert Meter.objects.get().tokens == 5


# --- who is counted together, and by which numbers ---


def test_each_address_and_each_account_has_its_own(limits: Any, alice: User, bob: User) -> None:
    limits(unfinished_runs=1)
    reserve()
    assert refused(Identity(visitor=uuid4(), address="192.0.2.1"))
    reserve(Identity(visitor=VISITOR.visitor, address="192.0.2.2"))
    reserve(Identity(user=alice, address="192.0.2.1"))
    reserve(Identity(user=bob, address="192.0.2.1"))


def test_a_plan_takes_the_place_of_a_tiers_numbers_and_an_override_of_a_plans(
    settings: Settings, alice: User, bob: User, charlie: User
) -> None:
    settings.PLANS = {"user": {"unfinished_runs": 1}}
    mine = Identity(user=alice)
    reserve(mine)
    assert not refused(mine).auth_required
    Plan.objects.create(name="Everybody", tier="user", unfinished_runs=2)
    reserve(mine)
    refused(mine)
    override = Override.objects.create(user=alice, unfinished_runs=3)
    reserve(mine)
    refused(mine)
    override.plan = Plan.objects.create(name="Team", unfinished_runs=100, requests_per_minute=4)
    override.unfinished_runs = None
    override.save()
    reserve(mine)
    assert refused(mine).reason == "too_many_questions"
    assert [reserve(Identity(user=bob)) for _ in range(2)]
    refused(Identity(user=bob))
    assert [reserve(Identity(user=charlie)) for _ in range(5)]
    Plan.objects.create(name="Staff", tier="staff", unfinished_runs=5)
    assert refused(Identity(user=charlie)).limit.limit == 5


def test_use_is_told_with_every_limit(limits: Any) -> None:
    limits(requests_per_minute=5, tokens_per_minute=100, input_tokens=9, cost_per_month=2.5, questions_in_all=50)
    settle(reserve(VISITOR, 60), 30, cost=Decimal("0.011"))
    reserve(VISITOR, 20)
    told = {one.name: (one.used, one.limit, one.retry_after_s) for one in quotas.uses(VISITOR)}
    assert told == {
        "requests_per_minute": (2, 5, None),
        "tokens_per_minute": (50, 100, None),
        "input_tokens": (0, 9, None),
        "cost_per_month": (2, 250, None),
        "questions_in_all": (2, 50, None),
    }


def test_nothing_is_limited_where_nothing_is_set(settings: Settings) -> None:
    settings.PLANS = {"anon": dict.fromkeys(settings.PLANS["anon"], 0)}
    assert [reserve(VISITOR, 10**6) for _ in range(3)]
    assert quotas.uses(VISITOR) == []


def test_a_deleted_account_leaves_nothing(alice: User) -> None:
    settle(reserve(Identity(user=alice)), 5)
    reserve(Identity(user=alice))
    quotas.forget(Identity(user=alice))
    assert not Meter.objects.exists()
    assert not Reservation.objects.exists()
