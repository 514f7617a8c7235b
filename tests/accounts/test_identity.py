"""Who asks: tier, key and address of a request."""

from datetime import timedelta

import pytest
import time_machine
from django.test import RequestFactory
from django.test.client import Client
from django.utils.timezone import now
from pytest_django.fixtures import Settings

from accounts.addresses import client_network
from accounts.identity import Identity, Tier
from accounts.models import Token, User


def network(address: str, forwarded: str | None = None) -> str:
    headers = {"X-Forwarded-For": forwarded} if forwarded is not None else {}
    return client_network(RequestFactory().get("/", REMOTE_ADDR=address, headers=headers))


@pytest.mark.parametrize(
    ("address", "seen"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        # IPv4 in IPv6 clothes, as a server that listens on [::] sees it: each its own, not all one network.
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        # A server behind a socket file.
        ("", ""),
    ],
)
def test_an_ipv6_address_counts_as_its_network(address: str, seen: str) -> None:
    assert network(address) == seen


def test_without_a_trusted_proxy_the_header_is_not_believed() -> None:
    assert network("192.0.2.7", "198.51.100.1") == "192.0.2.7"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "seen"),
    [
        (1, "198.51.100.1", "198.51.100.1"),
        # What a client writes itself stands to the left of what the trusted proxies have seen.
        (1, "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        (2, "203.0.113.9, 198.51.100.1, 10.0.0.1", "198.51.100.1"),
        (1, "203.0.113.9, 2001:db8:1:2::5", "2001:db8:1:2::/64"),
        (1, "[2001:db8:1:2::5]:4711", "2001:db8:1:2::/64"),
        (1, "198.51.100.1:4711", "198.51.100.1"),
        # Past the proxies, or from one that is broken: whoever connected.
        (2, "198.51.100.1", "192.0.2.7"),
        (1, "unknown", "192.0.2.7"),
        (1, "", "192.0.2.7"),
        (1, None, "192.0.2.7"),
    ],
)
def test_as_many_proxies_are_believed_as_the_setting_says(
    settings: Settings, proxies: int, forwarded: str | None, seen: str
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    assert network("192.0.2.7", forwarded) == seen


def test_attempts_to_sign_in_are_counted_by_the_same_address(client: Client, db: None, settings: Settings) -> None:
    """A client cannot buy itself new attempts with a header, nor with another address of its network."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    settings.ACCOUNT_RATE_LIMITS = {"login": "3/m/ip"}
    sent = {"login": "a@example.com", "password": "x"}

    def attempt(number: int) -> int:
        forwarded = f"203.0.113.{number}, 2001:db8:1:2::{number}"
        return client.post("/accounts/login/", sent, headers={"X-Forwarded-For": forwarded}).status_code

    assert [attempt(number) for number in range(1, 5)] == [200, 200, 200, 429]


@pytest.mark.parametrize(
    ("path", "most", "sent", "address"),
    [
        ("/accounts/signup/", 20, {}, "192.0.2.7"),
        ("/accounts/password/reset/", 20, {"email": "nobody-{}@example.com"}, "192.0.2.7"),
        # One person's mail box, from wherever.
        ("/accounts/password/reset/", 5, {"email": "nobody@example.com"}, "192.0.2.{}"),
    ],
)
def test_only_so_many_sign_up_or_ask_for_a_new_password_in_an_hour(
    client: Client, db: None, path: str, most: int, sent: dict[str, str], address: str
) -> None:
    start = now()

    def attempt(number: int, minutes: int) -> bool:
        fields = {name: value.format(number) for name, value in sent.items()}
        with time_machine.travel(start + timedelta(minutes=minutes), tick=False):
            return client.post(path, fields, REMOTE_ADDR=address.format(number)).status_code == 429

    assert [attempt(number, 2 * number) for number in range(most + 1)] == [False] * most + [True]
    assert not attempt(most + 1, 2 * most + 61)


def test_tiers() -> None:
    assert Identity().tier is Tier.ANON
    assert Identity(user=User(pk=1)).tier is Tier.USER
    assert Identity(user=User(pk=1, is_staff=True)).tier is Tier.STAFF


def test_the_key_names_an_account_or_hides_an_address(settings: Settings) -> None:
    assert Identity(user=User(pk=7), address="192.0.2.7").key == "user:7"
    key = Identity(address="192.0.2.7").key
    assert key == Identity(address="192.0.2.7").key
    assert key != Identity(address="192.0.2.8").key
    assert key.startswith("address:")
    assert "192.0.2.7" not in key
    # Only with the secret can somebody try out which address it was.
    settings.SECRET_KEY = "another"
    assert Identity(address="192.0.2.7").key != key


def test_a_token_may_do_what_its_scopes_say_and_a_session_everything() -> None:
    assert Identity(user=User(pk=1)).may("ask")
    reading = Identity(user=User(pk=1), token=Token(scopes=["read"]))
    assert reading.may("read")
    assert not reading.may("ask")
