"""Signing up, in and out, and the account page."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.support.people import PASSWORD, confirm, link_in_mail, reauthenticate, sign_in, sign_up


@pytest.mark.parametrize(
    ("address", "heading"),
    [
        ("/accounts/login/", "Sign in"),
        ("/accounts/signup/", "Create an account"),
        ("/accounts/password/reset/", "Set a new password"),
        ("/accounts/password/reset/done/", "Check your e-mail"),
        ("/accounts/password/reset/key/done/", "The new password is set"),
        ("/accounts/password/reset/key/x-y/", "This link no longer works"),
        ("/accounts/confirm-email/", "Check your e-mail"),
        ("/accounts/confirm-email/nothing/", "This link no longer works"),
        ("/accounts/inactive/", "This account is closed"),
    ],
)
def test_pages_for_people_without_an_account_are_in_our_language(
    client: Client, db: None, address: str, heading: str
) -> None:
    page = client.get(address).content.decode()
    assert f"<h1>{heading}</h1>" in page
    assert 'class="site-header"' in page


@pytest.mark.parametrize(
    ("address", "heading"),
    [
        ("/account", "Account"),
        ("/accounts/email/", "E-mail addresses"),
        ("/accounts/password/change/", "Change password"),
        ("/accounts/logout/", "Sign out"),
        ("/accounts/2fa/", "Passkeys and two-step sign-in"),
    ],
)
def test_pages_of_an_account_ask_a_visitor_to_sign_in(
    client: Client, as_alice: Client, address: str, heading: str
) -> None:
    assert f"<h1>{heading}</h1>" in as_alice.get(address).content.decode()
    assert client.get(address).status_code == 302


@pytest.mark.parametrize(
    ("address", "heading"),
    [
        ("/account/export", "Download your data"),
        ("/account/delete", "Delete the account"),
        ("/accounts/2fa/totp/activate/", "Set up an authenticator app"),
        ("/accounts/2fa/webauthn/add/", "Add a passkey"),
    ],
)
def test_pages_that_touch_its_safety_ask_for_the_password_once_more(
    client: Client, alice: User, address: str, heading: str
) -> None:
    sign_in(client)
    assert client.get(address).url.startswith("/accounts/reauthenticate/")
    reauthenticate(client)
    page = client.get(address).content.decode()
    assert f"<h1>{heading}</h1>" in page
    assert 'class="site-header"' in page


def test_signing_up_takes_the_link_in_the_mail_and_then_signs_in(client: Client, db: None) -> None:
    assert sign_up(client).url == "/accounts/confirm-email/"
    assert client.get("/account").status_code == 302
    page = client.get(link_in_mail())
    assert b"<h1>Confirm the address</h1>" in page.content
    assert confirm(client).url == "/"
    assert "dana@example.com, verified" in client.get("/account").content.decode()


def test_the_link_signs_nobody_else_in(client: Client, db: None) -> None:
    sign_up(client)
    other = Client()
    confirm(other)
    assert EmailAddress.objects.get().verified
    assert other.get("/account").status_code == 302


def test_a_second_account_with_the_same_address_is_not_made(client: Client, alice: User) -> None:
    sign_up(client, email="Alice@Example.com")
    assert User.objects.count() == 1


@pytest.mark.parametrize("password", ["short", "12345678901", "password123"])
def test_a_weak_password_is_refused_beside_its_field(client: Client, db: None, password: str) -> None:
    response = sign_up(client, password=password)
    assert response.status_code == 200
    assert b'id="id_password1-error"' in response.content
    assert not User.objects.exists()


def test_signing_in_goes_where_it_was_asked_for(client: Client, alice: User) -> None:
    sent = {"login": "alice@example.com", "password": PASSWORD, "next": "/history"}
    assert client.post("/accounts/login/", sent).url == "/history"


def test_signing_in_never_leads_off_the_site(client: Client, alice: User) -> None:
    sent = {"login": "alice@example.com", "password": PASSWORD, "next": "https://elsewhere.example/"}
    assert client.post("/accounts/login/", sent).url == "/"


def test_a_wrong_password_keeps_the_address_and_says_one_thing(client: Client, alice: User) -> None:
    page = client.post("/accounts/login/", {"login": "alice@example.com", "password": "wrong"}).content.decode()
    assert 'role="alert"' in page
    assert 'value="alice@example.com"' in page
    unknown = client.post("/accounts/login/", {"login": "nobody@example.com", "password": "wrong"}).content.decode()
    alert = re.compile(r'role="alert".*?</div>', re.DOTALL)
    assert alert.search(page)[0] == alert.search(unknown)[0]


def test_signing_out_takes_a_button_not_a_link(as_alice: Client) -> None:
    as_alice.get("/accounts/logout/")
    assert as_alice.get("/account").status_code == 200
    as_alice.post("/accounts/logout/")
    assert as_alice.get("/account").status_code == 302


def test_a_closed_account_cannot_sign_in(client: Client, alice: User) -> None:
    User.objects.update(is_active=False)
    client.post("/accounts/login/", {"login": "alice@example.com", "password": PASSWORD})
    assert client.get("/account").status_code == 302


def test_letters_are_in_our_words_and_plain_text(client: Client, alice: User) -> None:
    new, unknown = "o'neil@example.com", "nobody@example.com"
    for address in (new, alice.email):
        sign_up(client, email=address)
    for address in (new, unknown):
        client.post("/accounts/password/reset/", {"email": address})
    assert [(letter.subject, letter.to) for letter in mail.outbox] == [
        ("Diligence: Confirm your e-mail address", [new]),
        ("Diligence: You already have an account", [alice.email]),
        ("Diligence: Set a new password", [new]),
        ("Diligence: No account with this address", [unknown]),
    ]
    for letter in mail.outbox:
        assert letter.to[0] in letter.body
        assert letter.body.endswith("-- \nDiligence, testserver")


def test_a_second_address_is_told_whose_it_becomes(as_alice: Client, alice: User) -> None:
    reauthenticate(as_alice)
    as_alice.post("/accounts/email/", {"email": "new@example.com", "action_add": ""})
    assert "The account alice@example.com has added new@example.com as an address." in mail.outbox[-1].body


def test_a_password_is_set_anew_by_mail(client: Client, alice: User) -> None:
    client.post("/accounts/password/reset/", {"email": "alice@example.com"})
    page = client.get(link_in_mail(), follow=True)
    assert b"<h1>Set a new password</h1>" in page.content
    client.post(page.request["PATH_INFO"], {"password1": "another-phrase-8", "password2": "another-phrase-8"})
    assert User.objects.get().check_password("another-phrase-8")


def test_the_admin_is_named_only_to_staff(as_alice: Client, as_charlie: Client) -> None:
    assert b'href="/admin/"' not in as_alice.get("/account").content
    assert b'href="/admin/"' in as_charlie.get("/account").content
