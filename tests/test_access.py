"""Every address, by whoever asks, by GET and by POST, from one table. A new address fails here until it has a row.

TABLE has a row for each address by its name, namespace first: what it answers to whom. The admin and allauth's pages
have a rule each, for all of their addresses. Where people may sign in with a provider there are more, and all of it is
tried once more there: tests/test_access_openid.py.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.admin.sites import site
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from accounts import tokens
from accounts.identity import Identity
from accounts.models import User
from agent.models import Screen, Share, Watchlist, WatchlistAlert, unguessable
from filings.models import Company, Fact, Import, SearchRequest, Section
from tests.support import answers
from tests.support.access import (
    NO,
    WHO,
    Allowed,
    Row,
    World,
    everyone,
    signed_in,
    walk,
)
from tests.support.access_table import TABLE
from tests.support.sample import Sample, put_sample, restored

# Sign-in with a provider, and the addresses it had before. Asked is who started this process, not settings.OIDC: rows
# without an address say that the provider was not taken.
if os.environ.get("TEST_OIDC"):
    TABLE |= {
        "openid_connect_login": Row(everyone(200), everyone(302), lambda world: ["oidc"]),
        # What comes back from there and was not begun here signs nobody in.
        "openid_connect_callback": Row(everyone(401), everyone(401), lambda world: ["oidc"]),
        "socialaccount_login_cancelled": Row(everyone(200), NO),
        "socialaccount_login_error": Row(everyone(401), NO),
        "socialaccount_signup": Row(everyone(302), everyone(302)),
        "socialaccount_connections": Row(signed_in(200), signed_in(200)),
        "accounts/social/login/cancelled/": Row(everyone(301), everyone(301)),
        "accounts/social/login/error/": Row(everyone(301), everyone(301)),
        "accounts/social/signup/": Row(everyone(301), everyone(301)),
        "accounts/social/connections/": Row(everyone(301), everyone(301)),
    }
# Answered before anybody is asked who they are, and to whoever watches the process; metrics take a token of their own.
WATCHED = {"healthz": {200}, "readyz": {200, 503}, "metrics": {401, 403, 404}}

# --- allauth: below accounts/ ---
# For whoever has no account, or is not signed in yet. Everything else of allauth's is for whoever is.
ENTRANCES = {
    "account_login",
    "account_signup",
    "account_logout",
    "account_inactive",
    "account_email_verification_sent",
    "account_confirm_email",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "account_confirm_login_code",
    "mfa_authenticate",
    "mfa_login_webauthn",
}
ARGS: dict[str, list[Any]] = {
    "account_confirm_email": ["nothing"],
    "account_reset_password_from_key": ["x", "y"],
    "mfa_remove_webauthn": [1],
    "mfa_edit_webauthn": [1],
}

WALKED = list(walk())
ADDRESSES = dict(WALKED)
OF_ALLAUTH = sorted(name for name, route in ADDRESSES.items() if route.startswith("accounts/") and name not in TABLE)
OF_AN_ACCOUNT = sorted(name for name, route in ADDRESSES.items() if route.startswith("account"))
OF_THE_ADMIN = sorted(name for name in ADDRESSES if name.startswith("admin:"))


def world_of(owner: User, sample: Sample) -> World:
    """What the addresses name, made for its owner."""
    first = answers.run_with(answers.number_answer(), user=owner)
    filing = sample.filing("NWND", 2024) if Section.objects.exists() else sample.filing("AAPL", 2024)
    watchlist = Watchlist.objects.make(Identity(user=owner), "Chips")
    WatchlistAlert.objects.create(watchlist=watchlist, feed=unguessable())
    return World(
        owner=owner,
        run=first,
        second=answers.run_with(answers.number_answer(), user=owner),
        share=Share.objects.create(run=first),
        search=SearchRequest.objects.create(user=owner, text="supply of wafers"),
        screen=Screen.objects.save_as(Identity(user=owner), "Largest", "measures=revenue"),
        watchlist=watchlist,
        company=sample["AAPL"],
        filing=filing,
        fact=Fact.objects.order_by("pk").first(),
        token=tokens.issue(owner, "Notebook", ["read"])[0],
        brought=Import.objects.create(filename="call.txt", sha256="0" * 64, size=1, status=Import.Status.ASKED),
    )


@dataclass(frozen=True)
class Stage:
    """What stands for all tests of a module: the keys of sessions, and the tokens, by who has them."""

    world: World
    sessions: dict[str, str]
    tokens: dict[str, str]


@pytest.fixture(scope="module")
def stage(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, request: pytest.FixtureRequest
) -> Iterator[Stage]:
    with django_db_blocker.unblock(), restored():
        # A transactional test before this one has emptied the database.
        if not Company.objects.filter(in_sample=True).exists():
            put_sample(Path(request.config.cache.mkdir("sample")))
        people = {
            "owner": User.objects.create_user("alice@example.com", "wonderland-42"),
            "other": User.objects.create_user("bob@example.com", "builder-4242"),
            "staff": User.objects.create_superuser("charlie@example.com", "chocolate-42"),
        }
        sessions = {}
        for who, user in people.items():
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
            client = Client()
            client.force_login(user)
            sessions[who] = client.session.session_key
        issued = {scope: tokens.issue(people["owner"], scope, [scope])[1] for scope in ("ask", "read")}
        yield Stage(world_of(people["owner"], Sample()), sessions, issued)


@pytest.fixture
def world(stage: Stage, db: None) -> World:
    return stage.world


def in_session(stage: Stage, who: str, **options: Any) -> Client:
    """A client of somebody who is signed in."""
    client = Client(**options)
    client.cookies[settings.SESSION_COOKIE_NAME] = stage.sessions[who]
    return client


@pytest.fixture
def clients(stage: Stage, db: None) -> dict[str, Client]:
    """A client for each of WHO."""
    found = {"anonymous": Client(), **{who: in_session(stage, who) for who in stage.sessions}}
    return found | {who: Client(headers={"Authorization": f"Bearer {text}"}) for who, text in stage.tokens.items()}


def address(name: str, args: list[Any]) -> str:
    """The path of an address; one without a name is called by its route."""
    return f"/{name}" if ADDRESSES[name] == name else reverse(name, args=args)


def tried(clients: dict[str, Client], method: str, path: str, **sent: Any) -> Iterator[tuple[str, HttpResponse]]:
    """The answer to each of WHO, each as if nobody had asked before."""
    for who in WHO:
        cache.clear()
        with transaction.atomic():
            yield who, (response := getattr(clients[who], method)(path, **sent))
            # Of a file, nobody has read it.
            if response.streaming:
                b"".join(response)
            transaction.set_rollback(True)


def check(name: str, method: str, allowed: Allowed, answered: Iterator[tuple[str, HttpResponse]]) -> list[str]:
    return [
        f"{method.upper()} {name} as {who}: {response.status_code}, not {sorted(allowed[who])}"
        for who, response in answered
        if response.status_code not in allowed[who]
    ]


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    # Of two addresses with one name, one would be tried and the other not.
    assert len(ADDRESSES) == len(WALKED)
    ruled = {*OF_ALLAUTH, *OF_THE_ADMIN, *WATCHED}
    assert sorted(set(ADDRESSES) - ruled - set(TABLE)) == [], "write a row for it in TABLE"
    assert sorted(set(TABLE) - set(ADDRESSES)) == []
    assert set(ENTRANCES) <= set(OF_ALLAUTH)


@pytest.mark.parametrize("name", TABLE)
def test_each_address_answers_whom_it_should(name: str, clients: dict[str, Client], world: World) -> None:
    row = TABLE[name]
    path = address(name, row.args(world))
    sent: dict[str, Any] = {"data": row.data(world), "headers": row.headers}
    if name.startswith("api:"):
        sent["content_type"] = "application/json"
    wrong = check(name, "get", row.get, tried(clients, "get", path))
    wrong += check(name, "post", row.post, tried(clients, "post", path, **sent))
    assert wrong == []


@pytest.mark.parametrize("name", WATCHED)
def test_whoever_watches_the_process_is_nobody_of_ours(name: str, clients: dict[str, Client]) -> None:
    for _, response in tried(clients, "get", reverse(name)):
        assert response.status_code in WATCHED[name]
    for _, response in tried(clients, "post", reverse(name)):
        assert response.status_code in {401, 403, 405}


@pytest.mark.parametrize("name", OF_ALLAUTH)
def test_the_pages_of_an_account_are_for_whoever_is_signed_in(name: str, clients: dict[str, Client]) -> None:
    path = reverse(name, args=ARGS.get(name, []))
    for method in ("get", "post"):
        for who, response in tried(clients, method, path):
            told = (method, who, response.status_code, response.get("Location", ""))
            if who in {"ask", "read"}:
                assert response.status_code == 403, told
            elif who == "anonymous" and name not in ENTRANCES:
                assert response.status_code == 302, told
                assert response["Location"].startswith(reverse("account_login")), told
            else:
                assert response.status_code < 500, told


@pytest.mark.parametrize("name", OF_AN_ACCOUNT)
def test_nobody_stores_a_page_of_an_account(name: str, clients: dict[str, Client], world: World) -> None:
    path = address(name, TABLE[name].args(world) if name in TABLE else ARGS.get(name, []))
    for method in ("get", "post"):
        for who, response in tried(clients, method, path):
            told = response.get("Cache-Control", "").split(", ")
            assert {"private", "no-store"} <= set(told), (method, who, response.status_code, told)


def admin_path(name: str) -> str:
    """An address of the admin; where it names an object, one that is not there."""
    route = ADDRESSES[name]
    return "/" + re.sub(r"\(\?P<url>.*\)\$$", "nowhere", re.sub(r"<(int:)?[^>]+>", "1", route)).replace("^", "")


@pytest.mark.parametrize("name", OF_THE_ADMIN)
def test_the_admin_is_for_staff(name: str, clients: dict[str, Client]) -> None:
    path = admin_path(name)
    signs = {"admin:login", "admin:logout", "admin:jsi18n"}
    for method in ("get", "post"):
        for who, response in tried(clients, method, path):
            told = (method, path, who, response.status_code, response.get("Location", ""))
            if who in {"ask", "read"}:
                assert response.status_code == 403, told
            elif who == "staff":
                assert response.status_code < 500, told
            elif name not in signs:
                # To sign in, or refused; the admin's own page never.
                assert response.status_code in {302, 403, 405}, told
                if response.status_code == 302:
                    assert response["Location"].startswith(("/admin/login/", "/accounts/login/")), told


def test_no_page_of_the_admin_is_registered_past_its_rule() -> None:
    assert len(OF_THE_ADMIN) > 5 * len(site._registry)
