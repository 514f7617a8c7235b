"""Quotas on PostgreSQL and Redis: a hundred asks at once, Redis lost and flushed, a worker killed."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.utils.timezone import now
from pytest_django import Settings

from accounts import quotas
from accounts.identity import Identity
from accounts.models import Meter, Reservation, User
from accounts.plans import NETWORKS_OF_A_SITE
from accounts.redis_rate_windows import MOST_ENTRIES, Windows
from agent.models import Run
from agent.runs import create_run
from tests.services.conftest import Worker, until
from tests.services.servers import free_port
from tests.support.askers import ask_at_once
from tests.support.holdings import northwind
from tests.support.model_behaviours import hang
from tests.support.model_server import LocalModel
from tests.support.processes import ROOT, environment
from tests.support.quota_scenarios import SCENARIOS, check, settled, sites

VISITOR = Identity(visitor=uuid4(), address="192.0.2.1")


@pytest.mark.parametrize(
    "in_redis",
    [
        pytest.param(False, id="PostgreSQL", marks=pytest.mark.soak),
        pytest.param(True, id="PostgreSQL and Redis"),
    ],
)
def test_no_limit_is_exceeded_by_one(transactional_db: None, tmp_path: Path, in_redis: bool) -> None:
    known = Worker(tmp_path).variables
    redis = django_settings.REDIS_URL if in_redis else ""
    variables = environment(**{**known, "REDIS_URL": redis})
    found = ask_at_once(list(SCENARIOS.values()), variables, str(ROOT))
    check(found)
    windows = Windows(django_settings.REDIS_URL).storage.get_connection().keys("quota:*")
    assert bool(windows) is in_redis
    assert Meter.objects.filter(key__startswith="site:").count() == sites()
    assert Reservation.objects.filter(state="settled").count() == settled()


def reserve(*tokens: int, identity: Identity = VISITOR) -> Reservation:
    wants = [quotas.Want(one) for one in tokens or (1,)]
    return quotas.reserve(identity, uuid4(), length=quotas.Length(1, lambda: 1), wants=wants)


def taken(most: int, *tokens: int) -> int:
    """How many of so many asks are taken."""
    count = 0
    for _ in range(most):
        try:
            reserve(*tokens)
        except quotas.QuotaExceeded:
            return count
        count += 1
    return count


def test_without_redis_the_ledger_goes_on_counting_where_it_was(db: None, settings: Settings) -> None:
    settings.PLANS = {"anon": {"requests_per_minute": 5, "tokens_per_minute": 100}}
    assert taken(3, 10) == 3
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    assert taken(5, 10) == 2
    told = {one.name: one.used for one in quotas.uses(VISITOR)}
    assert told == {"requests_per_minute": 5, "tokens_per_minute": 50}


def test_a_redis_that_comes_back_empty_forgives_a_minute_and_nothing_else(db: None, settings: Settings) -> None:
    settings.PLANS = {"anon": {"requests_per_minute": 5, "tokens_per_minute": 100, "questions_in_all": 8}}
    assert taken(9, 10) == 5
    for row in Reservation.objects.all():
        quotas.settle(row.ref, tokens=10, cost=row.cost, answered=True)
    cache.clear()
    assert taken(9, 60, 10) == 3
    assert {row.tokens for row in Reservation.objects.filter(state="open")} == {60, 10}


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ({"unfinished_runs": 1}, "too_many_unfinished"),
        ({"questions_in_all": 1}, "questions_used_up"),
        ({"answers_per_month": 1}, "month_used_up"),
        ({"tokens_per_minute": 1}, "too_many_tokens"),
    ],
)
@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::/64"])
def test_what_a_later_limit_refuses_uses_up_no_request(
    db: None, settings: Settings, limit: dict[str, int], reason: str, address: str
) -> None:
    settings.PLANS = {"anon": {"requests_per_minute": 5, **limit}}
    asker = Identity(visitor=uuid4(), address=address)
    reserve(identity=asker)
    for _ in range(9):
        with pytest.raises(quotas.QuotaExceeded) as caught:
            reserve(identity=asker)
        assert caught.value.reason == reason
    assert {one.name: one.used for one in quotas.uses(asker)}["requests_per_minute"] == 1


def test_tokens_that_were_used_in_a_site_are_counted_in_redis(db: None, settings: Settings) -> None:
    settings.PLANS = {"anon": {"tokens_per_minute": 100}}
    for number in range(NETWORKS_OF_A_SITE):
        held = reserve(100, identity=Identity(address=f"2001:db8:0:{number:x}::/64"))
        quotas.settle(held.ref, tokens=100, cost=held.cost, answered=True)
    Reservation.objects.update(used_tokens=0)
    with pytest.raises(quotas.QuotaExceeded) as caught:
        reserve(1, identity=Identity(address="2001:db8:0:ff::/64"))
    assert (caught.value.limit.used, caught.value.limit.limit) == (1600, 1600)
    assert reserve(1, identity=Identity(address="2001:db8:0:100::/64"))


def test_tokens_that_were_used_are_counted_in_redis(db: None, settings: Settings) -> None:
    settings.PLANS = {"anon": {"tokens_per_minute": 100}}
    held = reserve(90)
    with pytest.raises(quotas.QuotaExceeded):
        reserve(20)
    quotas.settle(held.ref, tokens=30, cost=held.cost, answered=True)
    # What the ledger says of it does not matter while Redis is there.
    Reservation.objects.update(used_tokens=0)
    assert {one.name: one.used for one in quotas.uses(VISITOR)} == {"tokens_per_minute": 30}
    assert reserve(70)
    with pytest.raises(quotas.QuotaExceeded) as caught:
        reserve(1)
    assert 0 < (caught.value.limit.retry_after_s or 0) <= 60


@pytest.mark.parametrize("limit", [1000, MOST_ENTRIES, 1_000_000])
def test_a_window_of_many_tokens_is_no_longer_than_it_need_be(db: None, limit: int) -> None:
    found = Windows(django_settings.REDIS_URL)
    found.spend("key", limit, limit // 2)
    assert found.tokens("key", limit)[0] == limit // 2
    # More than is left: what is left.
    found.spend("key", limit, limit)
    used, wait = found.tokens("key", limit)
    assert used == limit
    assert 58 <= wait <= 60
    assert found.storage.get_connection().llen("quota:tokens:key") <= MOST_ENTRIES


@pytest.fixture
def hanging(tmp_path: Path, empty: None, settings: Settings) -> Iterator[tuple[Worker, LocalModel]]:
    """A worker whose model does not answer."""
    with LocalModel() as model:
        for name, value in model.settings().items():
            setattr(settings, name, value)
        found = Worker(tmp_path, **model.variables())
        model.always(hang(60.0))
        yield found, model
        model.over.set()
        found.stop()


def test_a_killed_workers_run_is_settled_once_by_the_next(
    hanging: tuple[Worker, LocalModel], alice: User, settings: Settings
) -> None:
    worker, model = hanging
    settings.PLANS = {"user": {"tokens_per_minute": 41_500, "unfinished_runs": 1}}
    northwind()
    worker.start()
    run = create_run.start(
        Identity(user=alice), "What does Northwind Instruments say about competition in fiscal 2025?"
    )
    until(lambda: model.asked, "a question to the model")
    worker.kill()
    row = Reservation.objects.get()
    assert (row.state, row.tokens) == ("open", 37_500)
    with pytest.raises(quotas.QuotaExceeded):
        reserve(1, identity=Identity(user=alice))
    gone = now() - timedelta(minutes=10)
    Run.objects.update(heartbeat=gone, created=gone, queued=gone)
    worker.variables["MODEL_RUN_LIMITS"] = ",".join(f"{mode}_seconds=1" for mode in settings.MODEL_RUN_TOKENS)
    worker.start()
    until(lambda: not Run.objects.get().is_open, "the end of the run")
    run.refresh_from_db()
    row.refresh_from_db()
    assert (run.attempt, row.state) == (2, "settled")
    assert Meter.objects.get().questions == 1
    assert reserve(1, identity=Identity(user=alice))
