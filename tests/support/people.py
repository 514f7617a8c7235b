"""What people do to sign up and in, by the pages' own forms."""

import re
import time
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from django.core import mail
from django.http import HttpResponse
from django.test import Client

from accounts.models import User

PASSWORD = "wonderland-42"
PHRASE = "a-long-phrase-7"


def sign_up(client: Client, email: str = "dana@example.com", password: str = PHRASE, **more: Any) -> HttpResponse:
    return client.post("/accounts/signup/", {"email": email, "password1": password, "password2": password, **more})


def link_in_mail() -> str:
    """The path of the first link of the last mail."""
    return str(re.search(r"http://testserver(/\S+)", mail.outbox[-1].body)[1])


def confirm(client: Client) -> HttpResponse:
    """Open the link of the last mail and press the button."""
    return client.post(link_in_mail())


def sign_in(client: Client, email: str = "alice@example.com", password: str = PASSWORD, **more: Any) -> HttpResponse:
    return client.post("/accounts/login/", {"login": email, "password": password, **more})


def with_app(user: User) -> str:
    """Give a user an authenticator app; the secret that it holds."""
    secret = auth.generate_totp_secret()
    auth.TOTP.activate(user, secret)
    return secret


def code(secret: str, ahead: int = 0) -> str:
    """What the app shows; a code counts once, so a second one is `ahead` by a period."""
    counter = int(time.time()) // 30 + ahead
    return str(auth.format_hotp_value(auth.hotp_value(secret, counter)))


def factors(user: User) -> list[str]:
    return sorted(Authenticator.objects.filter(user=user).values_list("type", flat=True))


def reauthenticate(client: Client, password: str = PASSWORD) -> HttpResponse:
    """Type the password once more, as the sensitive pages want it."""
    return client.post("/accounts/reauthenticate/", {"password": password})
