"""What an attacker tries at the doors: one test for each way."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import hashers
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from tests.support.people import PASSWORD, PHRASE, code, confirm, link_in_mail, sign_in, sign_up, with_app

pytestmark = pytest.mark.django_db

ELSEWHERE = [
    "https://elsewhere.example/",
    "//elsewhere.example/",
    "/\\elsewhere.example/",
    "\\\\elsewhere.example/",
    "https:elsewhere.example",
    "http:///elsewhere.example",
    "javascript:alert(1)",
    "https://testserver@elsewhere.example/",
    "https://testserver.elsewhere.example/",
    " //elsewhere.example/",
    # Browsers leave the tab out.
    "/\t/elsewhere.example",
]


@pytest.mark.parametrize("where", ELSEWHERE)
def test_open_redirect_by_signing_in_up_out_and_once_more(client: Client, alice: User, where: str) -> None:
    def leads(response: HttpResponse) -> str:
        return str(response["Location"])

    signed = leads(sign_in(client, next=where))
    again = leads(client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": where}))
    out = leads(client.post("/accounts/logout/", {"next": where}))
    sign_up(client, next=where)
    up = leads(confirm(client))
    for place in (signed, again, out, up):
        assert re.match(r"/(?![/\\\t])", place), place


def test_session_fixation(client: Client, alice: User) -> None:
    """Who planted a session before the sign-in does not have it after."""
    client.post("/ask", {"question": "Northwind revenue in fiscal 2024"})
    planted = client.session.session_key
    sign_in(client)
    assert client.session.session_key != planted
    attacker = Client()
    attacker.cookies["sessionid"] = planted
    assert attacker.get("/account").status_code == 302


def test_session_fixation_between_password_and_second_step(client: Client, alice: User) -> None:
    secret = with_app(alice)
    sign_in(client)
    between = client.session.session_key
    client.post("/accounts/2fa/authenticate/", {"code": code(secret)})
    assert client.get("/account").status_code == 200
    assert client.session.session_key != between


def test_a_new_password_ends_the_other_sessions(client: Client, alice: User) -> None:
    other = Client()
    sign_in(other)
    sign_in(client)
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": PHRASE, "password2": PHRASE})
    assert client.get("/account").status_code == 200
    assert other.get("/account").status_code == 302
    # Whoever did not do this learns of it.
    assert mail.outbox[-1].subject == "Diligence: Password Changed"


class Seen:
    """What whoever tries an address can tell: the answer, and what takes long (hashes of passwords, mails)."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hashes = 0
        encode = hashers.MD5PasswordHasher.encode

        def counted(hasher: Any, *args: Any, **kwargs: Any) -> str:
            self.hashes += 1
            return str(encode(hasher, *args, **kwargs))

        monkeypatch.setattr(hashers.MD5PasswordHasher, "encode", counted)

    def by(self, tried: Callable[[Client, str], HttpResponse], email: str) -> tuple[Any, ...]:
        client, self.hashes, mails = Client(), 0, len(mail.outbox)
        response = tried(client, email)
        after = client.get(response.url) if response.status_code == 302 else response
        return (
            response.status_code,
            response.get("Location"),
            self.shape(response, email),
            self.shape(after, email),
            sorted(client.cookies),
            self.hashes,
            len(mail.outbox) - mails,
        )

    @staticmethod
    def shape(response: HttpResponse, email: str) -> str:
        page = response.content.decode().replace(email, "<address>")
        page = re.sub(r'(csrfmiddlewaretoken" value=|X-CSRFToken": )"[^"]+"', "", page)
        return re.sub(r'id="id_\w+-\d+"', "", page)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    return Seen(monkeypatch)


def test_enumeration_by_signing_in(seen: Seen, alice: User, bob: User) -> None:
    def tried(client: Client, email: str) -> HttpResponse:
        return sign_in(client, email, "not-the-password")

    unknown = seen.by(tried, "nobody@example.com")
    assert seen.by(tried, alice.email) == unknown
    # Neither one that is not confirmed, nor closed, nor without a password.
    assert seen.by(tried, bob.email) == unknown
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert seen.by(tried, bob.email) == unknown
    with_app(alice)
    assert seen.by(tried, alice.email) == unknown
    alice.set_unusable_password()
    alice.save()
    assert seen.by(tried, alice.email) == unknown


def test_enumeration_by_asking_for_a_new_password(seen: Seen, alice: User, bob: User) -> None:
    def tried(client: Client, email: str) -> HttpResponse:
        return client.post("/accounts/password/reset/", {"email": email})

    unknown = seen.by(tried, "nobody@example.com")
    assert unknown[0:2] == (302, "/accounts/password/reset/done/")
    assert seen.by(tried, alice.email) == unknown
    assert seen.by(tried, bob.email) == unknown
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert seen.by(tried, alice.email) == unknown


def test_enumeration_by_signing_up(seen: Seen, alice: User, bob: User) -> None:
    unknown = seen.by(sign_up, "nobody@example.com")
    assert unknown[0:2] == (302, "/accounts/confirm-email/")
    assert seen.by(sign_up, alice.email) == unknown
    assert seen.by(sign_up, bob.email) == unknown
    assert User.objects.count() == 3


def test_mass_assignment(client: Client, alice: User) -> None:
    """Fields that no form has are not taken from one."""
    more = dict.fromkeys(("is_staff", "is_superuser", "is_active", "id", "pk", "user", "user_id", "groups"), "1")
    sign_up(client, **more)
    made = User.objects.get(email="dana@example.com")
    assert (made.is_staff, made.is_superuser, made.groups.count()) == (False, False, 0)
    assert made.pk != 1 or alice.pk == 1

    at_home = Client()
    sign_in(at_home)
    at_home.post("/accounts/reauthenticate/", {"password": PASSWORD})
    forms: list[tuple[str, dict[str, Any]]] = [
        ("/accounts/email/", {"action_add": "", "email": "new@example.com", "verified": "1", "primary": "1"}),
        ("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": PHRASE, "password2": PHRASE}),
        ("/account/tokens", {"name": "x", "scopes": ["read"], "days": "30", "user": made.pk, "hash": "0" * 64}),
    ]
    for path, fields in forms:
        at_home.post(path, {**fields, **more, "user": str(made.pk)})
    alice.refresh_from_db()
    assert (alice.is_staff, alice.is_superuser) == (False, False)
    assert not alice.emailaddress_set.get(email="new@example.com").verified
    assert alice.tokens.get().scopes == ["read"]
    assert alice.tokens.get().hash != "0" * 64


def test_header_injection_by_the_host(client: Client, alice: User) -> None:
    """A link in a mail leads to this site, whatever host the request named."""
    reset = {"email": alice.email}
    for headers in ({"Host": "elsewhere.example"}, {"Host": "testserver:80@elsewhere.example"}):
        assert client.post("/accounts/password/reset/", reset, headers=headers).status_code == 400
    assert not mail.outbox
    client.post("/accounts/password/reset/", reset, headers={"X-Forwarded-Host": "elsewhere.example"})
    assert link_in_mail().startswith("/accounts/password/reset/key/")
    assert "elsewhere" not in mail.outbox[0].message().as_string()


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "%0d%0a", "\u2028"])
def test_header_injection_by_an_address(client: Client, db: None, settings: Settings, end: str) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    hostile = f"dana@example.com{end}Bcc: victim@example.com"
    sign_up(client, email=hostile)
    client.post("/accounts/password/reset/", {"email": hostile})
    sign_in(client, hostile, next=f"/history{end}Set-Cookie: a=b")
    for sent in mail.outbox:
        assert [*sent.to, *sent.cc, *sent.bcc] == ["dana@example.com"]
        assert "Bcc" not in dict(sent.message().items())
    assert "a" not in client.cookies
    assert not User.objects.exists()


def test_header_injection_by_next(client: Client, alice: User) -> None:
    response = sign_in(client, next="/history\r\nSet-Cookie: a=b")
    assert "\n" not in response["Location"]
    assert "a" not in client.cookies
