"""A mail server that does not answer: the page says so, and the link can be asked for again at once."""

import socket

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.support.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def unreachable(settings: Settings) -> None:
    """A mail server on a port where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings.EMAIL_PORT = free.getsockname()[1]
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"


def test_a_first_sign_in_without_mail_server_is_told_and_gets_its_link_once_there_is_one(
    client: Client, alice: User, unreachable: None, settings: Settings
) -> None:
    EmailAddress.objects.filter(user=alice).update(verified=False)
    failed = sign_in(client)
    assert failed.status_code == 503
    assert "The mail could not be sent" in failed.content.decode()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert sign_in(client).status_code == 302
    assert [one.to for one in mail.outbox] == [[alice.email]]


def test_a_link_for_a_new_password_that_is_not_sent_is_told(client: Client, alice: User, unreachable: None) -> None:
    assert client.post("/accounts/password/reset/", {"email": alice.email}).status_code == 503
