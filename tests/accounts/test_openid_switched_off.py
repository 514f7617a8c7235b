"""OpenID Connect switched off after people have signed in with it: nothing of theirs is lost, and nothing fails."""

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core import mail
from django.db import connection
from django.test import Client

from accounts.models import User
from tests.support.people import link_in_mail, reauthenticate, sign_in

pytestmark = pytest.mark.django_db
LONG = "a-long-phrase-7"


@pytest.fixture
def dana() -> User:
    """Somebody who has signed in with a provider only."""
    assert not settings.OIDC
    user = User.objects.create_user("dana@example.com")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    connect(user)
    return user


def connect(user: User) -> SocialAccount:
    return SocialAccount.objects.create(user=user, provider="oidc", uid=f"sub-{user.pk}")


def test_who_has_no_password_sets_one_and_signs_in(client: Client, dana: User) -> None:
    client.post("/accounts/password/reset/", {"email": dana.email})
    assert mail.outbox[-1].to == [dana.email]
    form = client.get(link_in_mail(), follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": LONG, "password2": LONG})
    other = Client()
    assert sign_in(other, dana.email, LONG).status_code == 302
    page = other.get("/account").content.decode()
    assert dana.email in page
    assert "Connected accounts" not in page
    assert SocialAccount.objects.filter(user=dana).exists()


def test_nobody_is_offered_a_provider(client: Client, dana: User) -> None:
    page = client.get("/accounts/login/").content.decode()
    assert "oidc" not in page.lower()


def test_a_provider_has_no_pages(client: Client, alice: User) -> None:
    sign_in(client)
    for path in ("3rdparty/", "3rdparty/signup/", "3rdparty/login/error/", "oidc/oidc/login/", "social/connections/"):
        assert client.get(f"/accounts/{path}").status_code == 404


def test_the_account_is_deleted_with_what_is_connected(client: Client, alice: User) -> None:
    connect(alice)
    sign_in(client)
    reauthenticate(client)
    assert client.post("/account/delete", {"email": alice.email}).url == "/"
    connection.check_constraints()
    assert not SocialAccount.objects.exists()


def test_the_admin_shows_and_deletes_whoever_signed_in_so(as_charlie: Client, dana: User) -> None:
    assert as_charlie.get(f"/admin/accounts/user/{dana.pk}/change/").status_code == 200
    assert "Social accounts: 1" in as_charlie.get(f"/admin/accounts/user/{dana.pk}/delete/").content.decode()
    assert as_charlie.post(f"/admin/accounts/user/{dana.pk}/delete/", {"post": "yes"}).status_code == 302
    connection.check_constraints()
    assert not User.objects.filter(pk=dana.pk).exists()
    assert not SocialAccount.objects.exists()
