"""IPv6 is counted twice: by /64, and by the /56 around it, which one customer has whole."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from pytest_django import Settings

from accounts import quotas
from accounts.addresses import site_of
from accounts.identity import Identity
from accounts.limit_errors import QuotaExceeded
from accounts.models import Meter, Reservation, User
from accounts.plans import NETWORKS_OF_A_SITE
from accounts.quotas import Length, Want

pytestmark = pytest.mark.django_db

ELSEWHERE = "2001:db8:0:100::/64"


def network(number: int) -> Identity:
    """A visitor in one of the 256 networks of a site."""
    return Identity(visitor=uuid4(), address=f"2001:db8:0:{number:x}::/64")


def reserve(identity: Identity, tokens: int = 1) -> Reservation:
    return quotas.reserve(identity, uuid4(), length=Length(1, lambda: 1), wants=[Want(tokens)])


def refused(identity: Identity, tokens: int = 1) -> QuotaExceeded:
    with pytest.raises(QuotaExceeded) as caught:
        reserve(identity, tokens)
    return caught.value


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("2001:db8:1:2::/64", "2001:db8:1::/56"),
        ("2001:db8:1:ff::/64", "2001:db8:1::/56"),
        ("2001:db8:1:100::/64", "2001:db8:1:100::/56"),
        ("192.0.2.7", ""),
        ("", ""),
    ],
)
def test_the_site_of_a_network_is_its_56(address: str, site: str) -> None:
    assert site_of(address) == site


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("requests_per_minute", 2),
        ("tokens_per_minute", 2),
        ("unfinished_runs", 2),
        ("questions_in_all", 2),
        ("answers_per_month", 2),
    ],
)
def test_all_networks_of_a_site_together_have_as_much_as_sixteen(settings: Settings, name: str, most: int) -> None:
    settings.PLANS = {"anon": {name: most}}
    for number in range(most * NETWORKS_OF_A_SITE):
        reserve(network(number))
    reached = refused(network(200))
    assert (reached.limit.name, reached.limit.used) == (name, most * NETWORKS_OF_A_SITE)
    assert "Neighboring network addresses share this limit." in str(reached)
    reserve(Identity(visitor=uuid4(), address=ELSEWHERE))


def test_what_was_used_and_settled_counts_for_the_site_too(settings: Settings) -> None:
    settings.PLANS = {"anon": {"questions_in_all": 1, "tokens_per_minute": 10}}
    for number in range(NETWORKS_OF_A_SITE):
        quotas.settle(reserve(network(number), 5).ref, tokens=10, cost=Decimal(0), answered=True)
    assert refused(network(99)).limit.name == "questions_in_all"
    settings.PLANS = {"anon": {"tokens_per_minute": 10}}
    reached = refused(network(99))
    assert (reached.limit.name, reached.limit.used) == ("tokens_per_minute", 160)


def test_searches_of_a_site_are_counted_together(settings: Settings) -> None:
    settings.PLANS = {"anon": {"requests_per_minute": 1}}
    for number in range(NETWORKS_OF_A_SITE):
        quotas.request(network(number), uuid4())
    with pytest.raises(QuotaExceeded):
        quotas.request(network(99), uuid4())


def test_one_network_has_no_more_than_before(settings: Settings) -> None:
    settings.PLANS = {"anon": {"unfinished_runs": 2}}
    reserve(network(1))
    reserve(network(1))
    reached = refused(network(1))
    assert (reached.limit.limit, "share" in str(reached)) == (2, False)
    reserve(network(2))


def test_the_limit_that_will_refuse_is_the_one_that_is_shown(settings: Settings) -> None:
    settings.PLANS = {"anon": {"unfinished_runs": 2, "input_tokens": 9}}

    def shown(identity: Identity) -> dict[str, tuple[int, int]]:
        return {one.name: (one.used, one.limit) for one in quotas.uses(identity)}

    reserve(network(1))
    assert shown(network(1)) == {"unfinished_runs": (1, 2), "input_tokens": (0, 9)}
    for number in range(30):
        reserve(network(number + 2))
    assert shown(network(99)) == {"unfinished_runs": (31, 32), "input_tokens": (0, 9)}


def test_a_site_is_known_by_a_key_before(settings: Settings) -> None:
    settings.PLANS = {"anon": {"questions_in_all": 1}}
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "first", []
    for number in range(NETWORKS_OF_A_SITE):
        reserve(network(number))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "second", ["first"]
    refused(network(99))


def test_accounts_and_ipv4_have_no_site(settings: Settings, alice: User) -> None:
    asked: list[Any] = [Identity(user=alice, address="2001:db8::/64"), Identity(visitor=uuid4(), address="192.0.2.1")]
    for identity in asked:
        quotas.settle(reserve(identity).ref, tokens=1, cost=Decimal(0), answered=True)
    assert not Meter.objects.filter(key__startswith="site:").exists()
    assert set(Reservation.objects.values_list("site", flat=True)) == {None}
