"""What second factors are computed from, encrypted in the database: by whichever key, and through a change of keys."""

import re
from io import StringIO

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.support.people import code, sign_in, with_app

pytestmark = pytest.mark.django_db


def signs_in(client: Client, secret: str) -> bool:
    sign_in(client)
    return client.post("/accounts/2fa/authenticate/", {"code": code(secret)}).status_code == 302


def stored() -> str:
    """All that the table holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT type, data FROM mfa_authenticator ORDER BY type")
        return str(cursor.fetchall())


def in_clear(user: User, kind: str, **data: object) -> Authenticator:
    """A second factor as it was stored before anything was encrypted."""
    return Authenticator.objects.create(user=user, type=kind, data=data)


def test_neither_secret_nor_seed_is_in_the_table(client: Client, alice: User) -> None:
    secret = with_app(alice)
    codes = RecoveryCodes.activate(alice)
    seed = get_adapter().decrypt(codes.instance.data["seed"])
    assert re.fullmatch("[0-9a-f]{80}", seed)
    for hidden in (secret, seed):
        assert hidden not in stored()
    assert signs_in(client, secret)


def test_a_recovery_code_signs_in_once(client: Client, alice: User) -> None:
    with_app(alice)
    first = RecoveryCodes.activate(alice).generate_codes()[0]
    for other, status in ((client, 302), (Client(), 200)):
        sign_in(other)
        assert other.post("/accounts/2fa/authenticate/", {"code": first}).status_code == status


def test_what_was_stored_in_clear_is_read_on(client: Client, alice: User) -> None:
    secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    in_clear(alice, "totp", secret=secret)
    row = in_clear(alice, "recovery_codes", seed="0f" * 40, used_mask=0)
    assert signs_in(client, secret)
    other = Client()
    sign_in(other)
    recovery = RecoveryCodes(row).generate_codes()[0]
    assert other.post("/accounts/2fa/authenticate/", {"code": recovery}).status_code == 302


def test_another_key_leaves_second_factors_as_they_are(client: Client, alice: User, settings: Settings) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the old key", []
    secret = with_app(alice)
    codes = RecoveryCodes.activate(alice).generate_codes()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the new key", ["the old key"]
    assert signs_in(client, secret)
    assert RecoveryCodes.activate(alice).generate_codes() == codes


def test_where_no_key_fits_no_code_does(
    client: Client, alice: User, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the old key", []
    secret = with_app(alice)
    settings.SECRET_KEY = "a key of nobody"
    assert not signs_in(client, secret)
    assert not signs_in(Client(), "")
    assert "SECRET_KEY_FALLBACKS" in caplog.text


def test_renewed_the_old_key_can_go(client: Client, alice: User, bob: User, settings: Settings) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the old key", []
    secret = with_app(alice)
    codes = RecoveryCodes.activate(alice).generate_codes()
    in_clear(bob, "totp", secret="JBSWY3DPEHPK3PXP")
    in_clear(bob, "webauthn", name="Key", credential={})
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the new key", ["the old key"]
    said = StringIO()
    call_command("renew_second_factors", stdout=said)
    assert said.getvalue() == "Encrypted with SECRET_KEY: 3.\n"
    assert "JBSWY3DPEHPK3PXP" not in stored()
    settings.SECRET_KEY_FALLBACKS = []
    assert signs_in(client, secret)
    assert RecoveryCodes.activate(alice).generate_codes() == codes
    assert get_adapter().decrypt(bob.authenticator_set.get(type="totp").data["secret"]) == "JBSWY3DPEHPK3PXP"


def test_what_no_key_reads_is_told_and_left(alice: User, bob: User, settings: Settings) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the old key", []
    with_app(alice)
    settings.SECRET_KEY = "the new key"
    with_app(bob)
    before = alice.authenticator_set.get().data
    with pytest.raises(CommandError, match="Not readable with any key: 1"):
        call_command("renew_second_factors", stdout=StringIO())
    assert alice.authenticator_set.get().data == before
