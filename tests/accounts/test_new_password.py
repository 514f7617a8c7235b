"""A new password, and what ends with the old one: sessions always, API tokens where it is wished or was set by mail."""

import pytest
from django.core import mail
from django.test import Client

from accounts import tokens
from accounts.models import User
from tests.support.people import PASSWORD, PHRASE, link_in_mail, sign_in

pytestmark = pytest.mark.django_db

CHANGE = "/accounts/password/change/"
SENT = {"oldpassword": PASSWORD, "password1": PHRASE, "password2": PHRASE}


def works(text: str) -> bool:
    return Client(headers={"Authorization": f"Bearer {text}"}).get("/api/v1/usage").status_code == 200


def token(user: User, name: str = "Notebook") -> str:
    return tokens.issue(user, name, ["read"])[1]


def test_a_change_offers_to_revoke_the_tokens_and_does_so_unless_told_otherwise(client: Client, alice: User) -> None:
    texts = [token(alice), token(alice, "Server")]
    sign_in(client)
    page = client.get(CHANGE).content.decode()
    assert 'name="revoke_tokens" id="id_revoke_tokens" checked> Revoke my 2 API tokens too' in page
    page = client.post(CHANGE, {**SENT, "revoke_tokens": "on"}, follow=True).content.decode()
    assert "Your API tokens have been revoked." in page
    assert [works(text) for text in texts] == [False, False]


def test_tokens_stay_where_they_shall(client: Client, alice: User, bob: User) -> None:
    text = token(alice)
    sign_in(client)
    assert "Revoke my API token too" in client.get(CHANGE).content.decode()
    assert "revoked" not in client.post(CHANGE, SENT, follow=True).content.decode()
    assert works(text)


def test_a_change_that_is_refused_revokes_nothing(client: Client, alice: User) -> None:
    text = token(alice)
    sign_in(client)
    client.post(CHANGE, {**SENT, "oldpassword": "wrong", "revoke_tokens": "on"})
    assert works(text)


def test_without_tokens_nothing_is_offered(client: Client, alice: User, bob: User) -> None:
    token(bob)
    tokens.revoke(tokens.issue(alice, "Old", ["read"])[0])
    sign_in(client)
    assert "revoke_tokens" not in client.get(CHANGE).content.decode()
    assert client.post(CHANGE, {**SENT, "revoke_tokens": "on"}).status_code == 302


def test_a_password_set_by_mail_ends_all_sessions_and_tokens_and_says_so(
    client: Client, alice: User, bob: User
) -> None:
    text, others = token(alice), token(bob)
    elsewhere = Client()
    sign_in(elsewhere)
    client.post("/accounts/password/reset/", {"email": alice.email})
    assert works(text)
    page = client.get(link_in_mail(), follow=True)
    assert "This signs you out everywhere and revokes all your API tokens." in page.content.decode()
    done = client.post(page.request["PATH_INFO"], {"password1": PHRASE, "password2": PHRASE}, follow=True)
    assert "all your API tokens are revoked" in done.content.decode()
    assert (works(text), works(others)) == (False, True)
    assert elsewhere.get("/account").status_code == 302
    assert "Every browser has been signed out, and all API tokens have been revoked." in mail.outbox[-1].body
