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
    NO_PROGRAM,
    WHO,
    Allowed,
    Row,
    World,
    by,
    everyone,
    owner,
    program,
    signed_in,
    staff,
    walk,
)
from tests.support.sample import Sample, put_sample, restored

QUESTION = "What was Northwind's revenue in fiscal 2024?"


def run(world: World) -> list[Any]:
    return [world.run.pk]


def watchlist(world: World) -> list[Any]:
    return [world.watchlist.pk]


def brought(world: World) -> list[Any]:
    return [world.brought.pk]


def ask(world: World) -> dict[str, Any]:
    return {"question": QUESTION}


def section(world: World) -> list[Any]:
    return [world.filing.accession, world.filing.sections.order_by("pk").first().key]


TABLE: dict[str, Row] = {
    # --- questions and answers ---
    "ask": Row(everyone(200), everyone(302), data=ask),
    "ask_question": Row(everyone(200), everyone(302), data=ask),
    "suggest": Row(everyone(200), NO),
    "run": Row(owner(200), NO, run),
    "run_progress": Row(owner(200), NO, run),
    "run_verify": Row(NO, owner(200), run),
    "run_ask_again": Row(NO, owner(302), run),
    "run_search_deeper": Row(NO, owner(302), run),
    "run_delete": Row(NO, owner(302), run),
    "run_star": Row(NO, owner(302), run),
    "run_note": Row(NO, owner(302), run),
    "run_compare": Row(owner(200), NO, lambda world: [world.run.pk, world.second.pk]),
    "run_feedback": Row(NO, owner(302), run, lambda world: {"verdict": "right"}),
    "run_share": Row(NO, owner(302), run),
    "run_unshare": Row(NO, owner(302), run),
    # Whoever has the link, and nobody else, for it cannot be guessed.
    "shared": Row(everyone(200), NO, lambda world: [world.share.token]),
    "run_table": Row(owner(200), NO, lambda world: [world.run.pk, "csv"]),
    "shared_table": Row(everyone(200), NO, lambda world: [world.share.token, "csv"]),
    "history": Row(everyone(200), NO),
    "history_file": Row(everyone(200), NO, lambda world: ["csv"]),
    "history_selected": Row(NO, everyone(302), data=lambda world: {"run": str(world.run.pk), "action": "delete"}),
    "watchlists": Row(everyone(200), everyone(302), data=lambda world: {"name": "Banks", "companies": "AAPL"}),
    "watchlist_add": Row(NO, owner(302), watchlist, lambda world: {"companies": "AAPL"}),
    "watchlist_remove": Row(NO, owner(302), lambda world: [world.watchlist.pk, world.company.cik]),
    "watchlist_rename": Row(NO, owner(302), watchlist, lambda world: {"name": "Semiconductors"}),
    "watchlist_up": Row(NO, owner(302), watchlist),
    "watchlist_delete": Row(NO, owner(302), watchlist),
    "watchlist_feed_address": Row(NO, owner(302), watchlist),
    "watchlist_mail": Row(NO, owner(302), watchlist),
    # Whoever has the address, which cannot be guessed.
    "watchlist_feed": Row(everyone(200), NO, lambda world: [world.watchlist.alert.feed]),
    "watchlist_unsubscribe": Row(everyone(200), everyone(200), lambda world: [world.watchlist.alert.unsubscribe]),
    "watch": Row(NO, everyone(302), lambda world: [world.company.cik]),
    "method": Row(everyone(200), NO),
    # --- figures asked without words ---
    "grid": Row(everyone(200), NO),
    # Of no companies and no measures there is no file.
    "grid_file": Row(everyone(400), NO, lambda world: ["csv"]),
    "grid_save": Row(NO, everyone(302), data=lambda world: {"companies": "AAPL", "measures": "revenue"}),
    "screener": Row(everyone(200), NO),
    "screener_file": Row(everyone(400), NO, lambda world: ["csv"]),
    "screen_save": Row(NO, everyone(302), data=lambda world: {"measures": "revenue", "name": "Largest"}),
    "screen_delete": Row(NO, owner(302), lambda world: [world.screen.pk]),
    "figure": Row(everyone(200), NO, lambda world: [world.company.cik, 2024, "growth of revenue"]),
    "favicon": Row(everyone(302), everyone(302)),
    # --- companies and filings ---
    "companies": Row(everyone(200), NO),
    "add_company": Row(NO, staff(422)),
    "company": Row(everyone(200), NO, lambda world: [world.company.cik]),
    "company_by_ticker": Row(everyone(302), NO, lambda world: ["aapl"]),
    "company_progress": Row(everyone(200), NO, lambda world: [world.company.cik]),
    "read_reports": Row(NO, staff(302), lambda world: [world.company.cik]),
    "cancel_ingestion": Row(NO, staff(302), lambda world: [world.company.cik]),
    "filing": Row(everyone(200), NO, lambda world: [world.filing.accession]),
    "section": Row(everyone(200), NO, section),
    # Without a position in the text there is no table.
    "printed_table": Row(everyone(404), NO, lambda world: [*section(world), "csv"]),
    "captions": Row(everyone(200), NO, lambda world: [world.filing.accession, "1A"]),
    # Of a filing of the SEC there is none.
    "original": Row(everyone(404), NO, lambda world: [world.filing.accession]),
    # To others than staff they do not exist; without a file there is nothing to read.
    "import_documents": Row(staff(200, otherwise=404), staff(422, otherwise=404)),
    "import_confirm": Row(
        staff(302, otherwise=404), staff(302, otherwise=404), brought, lambda world: {"discard": "1"}
    ),
    "import_progress": Row(staff(200, otherwise=404), NO, brought),
    "fact": Row(everyone(200), NO, lambda world: [world.fact.pk]),
    "search": Row(everyone(200), everyone(302), data=lambda world: {"q": "supply of wafers"}),
    "search_results": Row(owner(200), NO, lambda world: [world.search.pk]),
    "search_progress": Row(owner(200), NO, lambda world: [world.search.pk]),
    # --- the account; what touches its safety leads to the password first ---
    "account": Row(signed_in(200), by(anonymous=405, owner=405, other=405, staff=405)),
    "token_create": Row(signed_in(302), signed_in(302)),
    "token_revoke": Row(
        signed_in(302), by(anonymous=302, owner=302, other=404, staff=404), lambda world: [world.token.pk]
    ),
    "account_export": Row(signed_in(302), NO),
    "account_delete": Row(signed_in(302), signed_in(302)),
    # --- the API; its tokens are the owner's ---
    "api:root": Row(program(302), NO_PROGRAM),
    "api:api-root": Row(program(302), NO_PROGRAM),
    "api:documentation": Row(program(200), NO_PROGRAM),
    "api:openapi-json": Row(program(200), NO_PROGRAM),
    "api:ask": Row(program(405), program(202, posts=True), data=ask, headers={"Prefer": "respond-async"}),
    "api:runs": Row(program(200), NO_PROGRAM),
    "api:watchlists": Row(program(200), NO_PROGRAM),
    # A token that may only ask sees what was asked with it, and this run was not.
    "api:run": Row({**program(200, stranger=404), "ask": frozenset({404})}, NO_PROGRAM, run),
    # It takes both scopes, for what is found is read later.
    "api:start_search": Row(
        program(405),
        {**program(202, posts=True), "ask": frozenset({403})},
        data=lambda world: {"q": "supply of wafers"},
    ),
    "api:search": Row(program(200, stranger=404), NO_PROGRAM, lambda world: [world.search.pk]),
    # Of staff, by a token with a scope of its own; JSON is not taken.
    "api:import_document": Row(
        {**program(405), "read": frozenset({403})}, {**program(415, posts=True), "ask": frozenset({403})}
    ),
    "api:get_import": Row(
        {**by(anonymous=403, owner=403, other=403, staff=200)}, {**NO_PROGRAM, "ask": frozenset({403})}, brought
    ),
    "api:companies": Row(program(200), NO_PROGRAM),
    "api:company": Row(program(200), NO_PROGRAM, lambda world: [world.company.cik]),
    "api:coverage_of_all": Row(program(200), NO_PROGRAM),
    "api:filings": Row(program(200), NO_PROGRAM),
    "api:filing": Row(program(200), NO_PROGRAM, lambda world: [world.filing.accession]),
    "api:section": Row(program(200), NO_PROGRAM, section),
    "api:fact_answer": Row(program(422), NO_PROGRAM),
    "api:fact": Row(program(200), NO_PROGRAM, lambda world: [world.fact.pk]),
    "api:facts": Row(program(422), NO_PROGRAM),
    "api:table": Row(program(422), NO_PROGRAM),
    "api:screener": Row(program(422), NO_PROGRAM),
    "api:statements": Row(program(200), NO_PROGRAM, lambda world: [world.company.cik]),
    "api:concepts": Row(program(200), NO_PROGRAM),
    "api:usage": Row(program(200), NO_PROGRAM),
    "api:health": Row(program(200), NO_PROGRAM),
    "api:nowhere": Row(program(404), program(404, posts=True), lambda world: ["nowhere"]),
}
# Sign-in with a provider, and the addresses it had before. Asked is who started this process, not settings.OIDC: rows
# without an address say that the provider was not taken.
if os.environ.get("TEST_OIDC_SERVER_URL"):
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
