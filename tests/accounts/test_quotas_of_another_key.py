"""After a change of SECRET_KEY an address has used what it had used before, as long as the old key is a fallback."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from pytest_django import Settings

from accounts import quotas
from accounts.identity import Identity
from accounts.limit_errors import QuotaExceeded
from accounts.models import Meter, Reservation
from accounts.quotas import Length, Want

pytestmark = pytest.mark.django_db

VISITOR = Identity(visitor=uuid4(), address="192.0.2.1")
OTHER = Identity(visitor=uuid4(), address="192.0.2.2")


@pytest.fixture
def keys(settings: Settings) -> Any:
    """Sets SECRET_KEY and its fallbacks."""

    def put(newest: str, *before: str) -> None:
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = newest, list(before)

    put("first")
    return put


def reserve(identity: Identity = VISITOR, tokens: int = 1) -> Reservation:
    return quotas.reserve(identity, uuid4(), length=Length(1, lambda: 1), wants=[Want(tokens)])


def ask(identity: Identity = VISITOR, tokens: int = 1) -> None:
    quotas.settle(reserve(identity, tokens).ref, tokens=tokens, cost=Decimal("0.01"), answered=True)


def used(identity: Identity = VISITOR) -> dict[str, int]:
    return {one.name: one.used for one in quotas.uses(identity)}


def test_all_that_an_address_has_used_still_counts(keys: Any, settings: Settings) -> None:
    settings.PLANS = {
        "anon": {
            "requests_per_minute": 9,
            "tokens_per_minute": 100,
            "questions_in_all": 9,
            "answers_per_month": 9,
            "cost_per_month": 1.0,
            "unfinished_runs": 9,
        }
    }
    ask(tokens=7)
    reserve(tokens=2)
    before = used()
    assert before["questions_in_all"] == 2
    keys("second", "first")
    assert used() == before
    ask(tokens=20)
    keys("third", "second", "first")
    assert used() == {
        "requests_per_minute": 3,
        "tokens_per_minute": 29,
        "questions_in_all": 3,
        "answers_per_month": 3,
        "cost_per_month": 2,
        "unfinished_runs": 1,
    }
    assert set(used(OTHER).values()) == {0}


@pytest.mark.parametrize("limit", ["questions_in_all", "requests_per_minute", "unfinished_runs", "answers_per_month"])
def test_a_limit_is_not_exceeded_by_a_change_of_keys(keys: Any, settings: Settings, limit: str) -> None:
    settings.PLANS = {"anon": {limit: 2}}
    reserve()
    keys("second", "first")
    reserve()
    keys("third", "second", "first")
    with pytest.raises(QuotaExceeded) as caught:
        reserve()
    assert (caught.value.limit.name, caught.value.limit.used) == (limit, 2)
    reserve(OTHER)


def test_the_newest_key_is_what_is_written(keys: Any) -> None:
    held = reserve()
    keys("second", "first")
    ask()
    quotas.settle(held.ref, tokens=5, cost=Decimal(0), answered=True)
    newest, before = VISITOR.keys
    assert {meter.key: meter.tokens for meter in Meter.objects.all()} == {newest: 1, before: 5}
    assert Reservation.objects.filter(key=newest).count() == 1


def test_without_the_fallback_what_an_old_key_counted_is_nobodys(keys: Any, settings: Settings) -> None:
    settings.PLANS = {"anon": {"questions_in_all": 1}}
    ask()
    keys("second")
    ask()
