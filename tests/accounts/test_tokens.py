"""API tokens: what they open, what they do not, and their part of the account page."""

import base64
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from accounts import tokens
from accounts.models import Token, User
from tests.support.people import reauthenticate, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.accounts.token_urls")]

BOTH = ("ask", "read")


def send(text: str, method: str = "get", path: str = "/api/who", client: Client | None = None) -> HttpResponse:
    call = getattr(client or Client(enforce_csrf_checks=True), method)
    return call(path, headers={"Authorization": f"Bearer {text}"})


def token_of(user: User, *scopes: str, **more: Any) -> str:
    return tokens.issue(user, "Notebook", scopes or BOTH, **more)[1]


def test_a_token_authenticates_its_account(alice: User) -> None:
    found = send(token_of(alice)).json()
    assert found == {
        "identity": "alice@example.com",
        "user": "alice@example.com",
        "visitor": False,
        "token": "Notebook",
    }


def test_the_database_holds_no_token(alice: User) -> None:
    text = token_of(alice)
    row = Token.objects.values().get()
    assert text not in str(row)
    assert len(row["hash"]) == 64
    assert text.startswith(row["prefix"])
    # 32 random bytes.
    assert len(text.removeprefix("dlg_")) == 43


@pytest.mark.parametrize(
    "header", ["dlg_wrong", "Token dlg_wrong", "Bearer\tdlg_wrong", "Basic dlg_wrong", "bearer  dlg_wrong"]
)
@pytest.mark.parametrize("path", ["/", "/history", "/api/v1/runs"])
def test_a_token_of_ours_written_otherwise_does_not_make_a_visitor(client: Client, header: str, path: str) -> None:
    assert client.get(path, headers={"Authorization": header}).status_code == 401


def test_another_way_of_sending_a_token_does_not_make_a_visitor(client: Client, alice: User) -> None:
    text = token_of(alice)
    packed = base64.b64encode(f"{text}:".encode()).decode()
    for headers in (
        *({name: text} for name in ("X-API-Key", "X-Auth-Token", "x-access-token", "Api-Key", "X-Token")),
        *({name: f"Bearer {text}"} for name in ("X-Authorization", "Proxy-Authorization")),
        *({"Authorization": sent} for sent in (f"Basic {packed}", "ApiKey abc", "Token wrong", "Bearer,")),
    ):
        assert client.get("/api/v1/companies", headers=headers).status_code == 401
    # With as much of the padding as is left, whatever it takes.
    for name in ("", "a", "ab"):
        packed = base64.b64encode(f"{name}:{text}".encode()).decode().rstrip("=")
        for sent in (packed, f"{packed}=", f"{packed}=="):
            assert client.get("/api/v1/companies", headers={"Authorization": f"Basic {sent}"}).status_code == 401
    for name in ("access_token", "api_key", "apikey", "key", "token"):
        for sent in (text, "wrong", ""):
            assert client.get("/api/v1/companies", {name: sent}).status_code == 401
        assert client.get("/companies", {name: text}).status_code == 401
        assert client.get("/companies", {name: "of a box"}).status_code == 200
    assert client.get(f"/api/v1/companies?access_token={text.replace('_', '%5F')}").status_code == 401
    # What a question speaks of, and where a browser comes from, is none.
    assert (
        client.get("/", {"q": f"What is {text}?"}, headers={"Referer": f"http://testserver/?q={text}"}).status_code
        == 200
    )
    # A proxy's own password.
    assert client.get("/method", headers={"Authorization": "Basic Y3VyYXRvcjpzZWNyZXQ="}).status_code == 200


@pytest.mark.parametrize("path", ["/api/who", "/", "/companies", "/nowhere"])
@pytest.mark.parametrize("text", ["dlg_wrong", "", "wrong", "dlg_a dlg_b", "dlg_\udcff"])
def test_a_wrong_token_is_never_anonymous(text: str, path: str) -> None:
    response = send(text, path=path)
    assert response.status_code == 401
    assert response["Content-Type"] == "application/problem+json"
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert response.json()["status"] == 401


def test_a_revoked_token_is_refused_at_once(alice: User) -> None:
    text = token_of(alice)
    tokens.revoke(Token.objects.get())
    assert send(text).status_code == 401


def test_an_expired_token_is_refused(alice: User) -> None:
    text = token_of(alice, expires=now() + timedelta(days=30))
    with time_machine.travel(now() + timedelta(days=29)):
        assert send(text).status_code == 200
    with time_machine.travel(now() + timedelta(days=30, seconds=1)):
        assert send(text).status_code == 401


def test_the_token_of_a_closed_account_is_refused(alice: User) -> None:
    text = token_of(alice)
    User.objects.update(is_active=False)
    assert send(text).status_code == 401


def test_other_schemes_are_none_of_ours(client: Client) -> None:
    assert client.get("/api/who", headers={"Authorization": "Basic YTpi"}).status_code == 200


@pytest.mark.parametrize(
    ("scopes", "method", "status"),
    [
        (["read"], "get", 200),
        (["read"], "head", 200),
        (["read"], "post", 403),
        (["ask"], "post", 200),
        (["ask"], "get", 403),
        (["ask", "read"], "post", 200),
        (["ask", "read"], "get", 200),
        (["ask", "read"], "delete", 403),
        (["ask", "read"], "put", 403),
        (["ask", "read"], "patch", 403),
    ],
)
def test_a_token_does_what_its_scopes_say(alice: User, scopes: list[str], method: str, status: int) -> None:
    assert send(token_of(alice, *scopes), method).status_code == status


@pytest.mark.parametrize("path", ["/", "/history", "/account", "/account/export?file", "/accounts/email/", "/admin/"])
def test_a_token_opens_no_page(charlie: User, path: str) -> None:
    response = send(token_of(charlie), path=path)
    assert response.status_code == 403
    assert response.json()["reason"] == "not_for_tokens"


def test_a_request_with_cookie_and_token_is_the_tokens(alice: User, bob: User) -> None:
    """Also for CSRF: the cookie authenticates nothing, so it need not be protected."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(bob)
    for path in ("/api/who", "/api/guarded"):
        found = send(token_of(alice), "post", path, client).json()
        assert (found["identity"], found["user"]) == ("alice@example.com", "alice@example.com")


def test_a_wrong_token_with_a_cookie_is_refused(bob: User) -> None:
    client = Client()
    client.force_login(bob)
    assert send("dlg_wrong", client=client).status_code == 401


def test_a_view_exempt_from_csrf_takes_no_session_without_it(bob: User) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post("/api/who").status_code == 200
    client = Client(enforce_csrf_checks=True)
    client.force_login(bob)
    assert client.post("/api/who").status_code == 403
    client.get("/accounts/password/change/")
    sent = client.post("/api/who", headers={"X-CSRFToken": client.cookies["csrftoken"].value})
    assert sent.json()["identity"] == "bob@example.com"


def test_the_last_use_is_written_once_a_minute(alice: User) -> None:
    text = token_of(alice)
    start = now()

    def writes(after: float) -> int:
        with (
            time_machine.travel(start + timedelta(seconds=after), tick=False),
            CaptureQueriesContext(connection) as seen,
        ):
            assert send(text).status_code == 200
        return sum(query["sql"].startswith("UPDATE") for query in seen)

    assert [writes(after) for after in (0, 1, 59, 61, 62)] == [1, 0, 0, 1, 0]
    assert Token.objects.get().last_used == start + timedelta(seconds=61)


def create(client: Client, **fields: Any) -> HttpResponse:
    return client.post("/account/tokens", {"name": "Notebook", "scopes": ["ask"], "days": "90", **fields})


def shown(response: HttpResponse) -> str:
    found = re.search(r'id="made">(dlg_[^<]+)<', response.content.decode())
    return found[1] if found else ""


@pytest.fixture
def at_home(client: Client, alice: User) -> Client:
    """Alice, who has just typed her password once more."""
    sign_in(client)
    reauthenticate(client)
    return client


def test_a_token_is_shown_once(at_home: Client) -> None:
    response = create(at_home)
    text = shown(response)
    assert send(text, "post").status_code == 200
    assert "no-store" in response["Cache-Control"]
    page = at_home.get("/account").content.decode()
    assert text not in page
    assert text[: tokens.SHOWN] in page
    made = Token.objects.get()
    assert made.scopes == ["ask"]
    assert timedelta(days=89) < made.expires - now() < timedelta(days=91)


def test_the_account_page_tells_when_a_token_was_used_and_when_it_expires(at_home: Client, alice: User) -> None:
    token_of(alice)
    told = [f"<dt>{one}</dt><dd>never</dd>" for one in ("Last used", "Expires")]
    assert all(one in at_home.get("/account").content.decode() for one in told)
    used, expires = datetime(2026, 11, 3, 4, 5, tzinfo=UTC), datetime(2126, 2, 1, tzinfo=UTC)
    Token.objects.update(last_used=used, expires=expires)
    page = at_home.get("/account").content.decode()
    assert f'<dt>Last used</dt><dd><time datetime="{used.isoformat()}">3 Nov 2026, 04:05</time></dd>' in page
    assert f'<dt>Expires</dt><dd><time datetime="{expires.isoformat()}">1 Feb 2126</time></dd>' in page


def test_a_token_is_made_only_after_the_password_once_more(client: Client, alice: User) -> None:
    sign_in(client)
    response = create(client)
    assert response.url.startswith("/accounts/reauthenticate/")
    assert not Token.objects.exists()
    # The password typed, what was asked for goes on.
    assert shown(client.post(response.url, {"password": "wonderland-42", "next": "/account/tokens"}))


@pytest.mark.parametrize(
    ("fields", "why", "focused"),
    [
        ({"name": " "}, "Name: type what the token is used for.", 'id="id_name"'),
        ({"name": "x" * 65}, "Name: up to 60 characters; this one has 65.", 'id="id_name"'),
        ({"scopes": []}, "Scope: choose at least one.", 'value="ask"'),
        ({"scopes": ["ask", "admin"]}, "Scope: admin is none of these.", 'value="ask"'),
        ({"days": "5"}, "Expires after: choose 30 days, 90 days, 1 year or never.", 'id="id_days"'),
    ],
)
def test_a_token_that_cannot_be_made_is_told_why_and_what_was_typed_stays(
    at_home: Client, fields: dict[str, Any], why: str, focused: str
) -> None:
    sent = {"name": "Notebook of Alice", "scopes": ["ask"], "days": "365", **fields}
    response = create(at_home, **sent)
    page = response.content.decode()
    assert response.status_code == 422
    assert re.findall(r'class="error"[^>]*>([^<]+)<', page) == [why]
    assert [focused in tag for tag in re.findall(r"<[^>]+ autofocus[^>]*>", page)] == [True]
    assert f'value="{sent["name"]}"' in page
    assert ('<option value="365" selected>' in page) == (sent["days"] == "365")
    checked = re.findall(r'name="scopes" value="(\w+)" checked', page)
    assert checked == [one for one in sent["scopes"] if one != "admin"]
    assert not Token.objects.exists()


def test_an_account_has_only_so_many_tokens(at_home: Client, alice: User) -> None:
    for _ in range(tokens.MOST):
        token_of(alice)
    refused = create(at_home, name="One more", days="30")
    page = refused.content.decode()
    assert refused.status_code == 422
    assert f"You already have {tokens.MOST} tokens" in page
    assert 'value="One more"' in page
    assert '<option value="30" selected>' in page
    tokens.revoke(Token.objects.first())
    assert create(at_home).status_code == 200


def test_revoking_ends_it_and_takes_it_from_the_list(at_home: Client, alice: User) -> None:
    text = token_of(alice)
    at_home.post(f"/account/tokens/{Token.objects.get().pk}/revoke")
    assert send(text).status_code == 401
    assert text[: tokens.SHOWN] not in at_home.get("/account").content.decode()


def test_nobody_revokes_the_token_of_another(at_home: Client, bob: User) -> None:
    text = token_of(bob)
    assert at_home.post(f"/account/tokens/{Token.objects.get().pk}/revoke").status_code == 404
    assert send(text).status_code == 200
    assert text[: tokens.SHOWN] not in at_home.get("/account").content.decode()
