"""The second step of sign-in, and staff, who may be made to have one."""

import re

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from tests.support.people import code, factors, reauthenticate, sign_in, with_app

pytestmark = pytest.mark.django_db
CHOCOLATE = "chocolate-42"


def test_an_app_is_set_up_with_its_first_code(client: Client, alice: User) -> None:
    sign_in(client)
    reauthenticate(client)
    page = client.get("/accounts/2fa/totp/activate/").content.decode()
    secret = re.search(r'id="secret"[^>]*>([A-Z2-7]+)<', page)[1]
    assert client.post("/accounts/2fa/totp/activate/", {"code": "000000"}).status_code == 200
    assert factors(alice) == []
    assert client.post("/accounts/2fa/totp/activate/", {"code": code(secret)}).url == "/accounts/2fa/recovery-codes/"
    assert factors(alice) == ["recovery_codes", "totp"]
    assert len(re.findall(r"<li>\d{8}</li>", client.get("/accounts/2fa/recovery-codes/").content.decode())) == 10


def test_a_password_alone_no_longer_signs_in(client: Client, alice: User) -> None:
    secret = with_app(alice)
    assert sign_in(client).url == "/accounts/2fa/authenticate/"
    assert client.get("/account").status_code == 302
    page = client.post("/accounts/2fa/authenticate/", {"code": "000000"}).content.decode()
    assert 'aria-invalid="true"' in page
    assert client.post("/accounts/2fa/authenticate/", {"code": code(secret)}).url == "/"
    assert client.get("/account").status_code == 200


def test_a_code_counts_once(client: Client, alice: User) -> None:
    secret = with_app(alice)
    used = code(secret)
    sign_in(client)
    client.post("/accounts/2fa/authenticate/", {"code": used})
    other = Client()
    sign_in(other)
    other.post("/accounts/2fa/authenticate/", {"code": used})
    assert other.get("/account").status_code == 302


def test_codes_cannot_be_tried_at_will(client: Client, alice: User) -> None:
    with_app(alice)
    sign_in(client)
    for number in range(5):
        client.post("/accounts/2fa/authenticate/", {"code": f"00000{number}"})
    page = client.post("/accounts/2fa/authenticate/", {"code": "000009"}).content.decode()
    assert "Too many" in page


def test_without_a_confirmed_address_nobody_locks_its_owner_out(client: Client, bob: User) -> None:
    client.force_login(bob)
    bob.emailaddress_set.create(email=bob.email, verified=False, primary=True)
    assert client.get("/accounts/2fa/totp/activate/").url == "/accounts/2fa/"


def test_staff_need_no_second_factor_where_none_is_required(client: Client, charlie: User) -> None:
    sign_in(client, charlie.email, CHOCOLATE)
    assert client.get("/admin/").status_code == 200


@pytest.fixture
def required(settings: Settings) -> None:
    settings.STAFF_MFA = True


@pytest.mark.usefixtures("required")
def test_staff_without_a_second_factor_are_sent_to_set_it_up(client: Client, charlie: User) -> None:
    sign_in(client, charlie.email, CHOCOLATE)
    for address in ("/admin/", "/admin/accounts/user/", "/admin/login/?next=/admin/"):
        page = client.get(address, follow=True)
        assert page.redirect_chain[-1][0] == "/accounts/2fa/"
    assert "Staff need a second factor to open the admin" in page.content.decode()
    # Nothing of the admin answers meanwhile.
    changed = client.post(f"/admin/accounts/user/{charlie.pk}/change/", {"email": "other@example.com"})
    assert changed.status_code == 302
    assert User.objects.get(pk=charlie.pk).email == "charlie@example.com"


@pytest.mark.usefixtures("required")
def test_staff_who_signed_in_with_one_are_let_in(client: Client, charlie: User) -> None:
    secret = with_app(charlie)
    sign_in(client, charlie.email, CHOCOLATE)
    client.post("/accounts/2fa/authenticate/", {"code": code(secret)})
    assert client.get("/admin/").status_code == 200


@pytest.mark.usefixtures("required")
def test_a_session_from_before_is_asked_for_the_code(client: Client, charlie: User) -> None:
    sign_in(client, charlie.email, CHOCOLATE)
    secret = with_app(charlie)
    step = client.get("/admin/", follow=True).redirect_chain[-1][0]
    assert step == "/accounts/2fa/reauthenticate/?next=%2Fadmin%2F"
    assert client.post(step, {"code": code(secret), "next": "/admin/"}).url == "/admin/"
    assert client.get("/admin/").status_code == 200


@pytest.mark.usefixtures("required")
def test_others_are_refused_as_before(client: Client, alice: User) -> None:
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/accounts/login/")
    with_app(alice)
    client.force_login(alice)
    assert client.get("/admin/", follow=True).status_code == 403


def test_the_admin_shows_no_secret(client: Client, charlie: User) -> None:
    secret = with_app(charlie)
    client.force_login(charlie)
    row = charlie.authenticator_set.get()
    page = client.get(f"/admin/mfa/authenticator/{row.pk}/change/").content.decode()
    assert "totp" in page.lower()
    assert secret not in page
