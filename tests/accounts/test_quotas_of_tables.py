"""A run that turns out to make a large table: it holds as many answers as the table counts, or none more."""

from collections.abc import Callable
from decimal import Decimal
from uuid import uuid4

import pytest
from pytest_django import Settings

from accounts import quotas
from accounts.identity import Identity
from accounts.limit_errors import QuotaExceeded
from accounts.models import Meter, Reservation, User
from accounts.plans import NETWORKS_OF_A_SITE
from accounts.quotas import Length, Share, Want

pytestmark = pytest.mark.django_db

VISITOR = Identity(visitor=uuid4(), address="192.0.2.1")
THREE = Share(3, "The table has 120 cells")


@pytest.fixture
def limits(settings: Settings) -> Callable[..., None]:
    """Sets the limits of visitors and of accounts."""

    def put(**numbers: float) -> None:
        settings.PLANS = {"anon": numbers, "user": numbers}

    return put


def reserve(identity: Identity = VISITOR) -> Reservation:
    return quotas.reserve(identity, uuid4(), length=Length(1, lambda: 1), wants=[Want(10)])


def settle(held: Reservation, answered: bool = True) -> None:
    quotas.settle(held.ref, tokens=1, cost=Decimal(0), answered=answered)


def used(identity: Identity = VISITOR) -> dict[str, int]:
    return {
        one.name: one.used for one in quotas.uses(identity) if one.name in {"answers_per_month", "questions_in_all"}
    }


def counted(key: str) -> tuple[int, int]:
    meter = Meter.objects.get(key=key)
    return meter.questions, meter.month_answers


def identity_of(kind: str, alice: User) -> tuple[Identity, User | None]:
    return (Identity(user=alice), alice) if kind == "user" else (VISITOR, None)


@pytest.mark.parametrize("kind", ["user", "anon"])
def test_it_is_held_while_it_is_made_and_counted_when_it_is_answered(
    limits: Callable[..., None], alice: User, kind: str
) -> None:
    limits(answers_per_month=10, questions_in_all=10)
    identity, user = identity_of(kind, alice)
    held = reserve(identity)
    assert used(identity) == {"answers_per_month": 1, "questions_in_all": 1}
    quotas.enlarge(held.ref, THREE, user)
    assert used(identity) == {"answers_per_month": 3, "questions_in_all": 3}
    settle(held)
    assert counted(held.key) == (3, 3)
    assert used(identity) == {"answers_per_month": 3, "questions_in_all": 3}


def test_twice_is_once_and_less_gives_nothing_back(limits: Callable[..., None]) -> None:
    limits(answers_per_month=4)
    held = reserve()
    for share in (THREE, THREE, Share(1), Share(4, "The table has 200 cells")):
        quotas.enlarge(held.ref, share, None)
    assert used() == {"answers_per_month": 4}
    settle(held)
    assert counted(held.key) == (4, 4)


@pytest.mark.parametrize(
    ("before", "said"),
    [(0, None), (7, None), (8, "2 are left"), (9, "1 is left")],
)
@pytest.mark.parametrize("name", ["answers_per_month", "questions_in_all"])
def test_it_is_refused_where_fewer_are_left_and_says_how_many(
    limits: Callable[..., None], name: str, before: int, said: str | None
) -> None:
    limits(**{name: 10})
    for _ in range(before):
        settle(reserve())
    held = reserve()
    if said is None:
        quotas.enlarge(held.ref, THREE, None)
        assert used() == {name: before + 3}
        return
    with pytest.raises(QuotaExceeded) as caught:
        quotas.enlarge(held.ref, THREE, None)
    # Its own answer is among those that it may have.
    assert caught.value.title.startswith(f"The table has 120 cells and takes 3 answers; {said}")
    assert caught.value.auth_required
    # What it held it holds, and is counted as.
    assert used() == {name: before + 1}
    settle(held, answered=False)
    assert counted(held.key) == (before + 1, before)


def test_the_refused_is_who_asks_not_who_asked_before(limits: Callable[..., None], alice: User, bob: User) -> None:
    limits(answers_per_month=4)
    quotas.enlarge(reserve(Identity(user=alice)).ref, THREE, alice)
    quotas.enlarge(reserve(Identity(user=bob)).ref, THREE, bob)
    with pytest.raises(QuotaExceeded) as caught:
        quotas.enlarge(reserve(Identity(user=bob)).ref, THREE, bob)
    assert not caught.value.auth_required


def test_what_is_not_open_is_left_as_it_is(limits: Callable[..., None]) -> None:
    limits(answers_per_month=2)
    quotas.enlarge(uuid4(), THREE, None)
    held = reserve()
    settle(held)
    quotas.enlarge(held.ref, THREE, None)
    assert counted(held.key) == (1, 1)


def test_without_a_limit_nothing_is_refused(settings: Settings) -> None:
    settings.PLANS = {}
    held = reserve()
    quotas.enlarge(held.ref, Share(400, "The table has 20,000 cells"), None)
    settle(held)
    assert counted(held.key) == (400, 400)


# --- IPv6 ---


def network(number: int) -> Identity:
    """A visitor in one of the 256 networks of a site."""
    return Identity(visitor=uuid4(), address=f"2001:db8:0:{number:x}::/64")


def test_a_network_and_its_site_count_both(limits: Callable[..., None]) -> None:
    limits(answers_per_month=5)
    held = reserve(network(1))
    quotas.enlarge(held.ref, THREE, None)
    assert held.site
    settle(held)
    assert [counted(key) for key in (held.key, held.site)] == [(3, 3), (3, 3)]


@pytest.mark.parametrize(("singles", "left"), [(0, None), (1, 2), (2, 1)])
def test_the_site_refuses_where_its_other_networks_have_left_it_too_little(
    limits: Callable[..., None], singles: int, left: int | None
) -> None:
    """Sixteen times three answers for the site: fifteen networks have used theirs, and others one each."""
    limits(answers_per_month=3)
    for number in range(NETWORKS_OF_A_SITE - 1):
        quotas.enlarge(reserve(network(number)).ref, THREE, None)
    for number in range(singles):
        reserve(network(100 + number))
    held = reserve(network(200))
    if left is None:
        quotas.enlarge(held.ref, THREE, None)
        assert Reservation.objects.get(ref=held.ref).answers == 3
        return
    with pytest.raises(QuotaExceeded) as caught:
        quotas.enlarge(held.ref, THREE, None)
    assert "Neighboring network addresses share this limit." in str(caught.value)
    assert f"{left} {'is' if left == 1 else 'are'} left" in str(caught.value)
    assert Reservation.objects.get(ref=held.ref).answers == 1
