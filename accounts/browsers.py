"""Browsers that have signed in to an account before: each has a cookie that says to which, and gives no right."""

from collections.abc import Callable
from typing import Any

from allauth.account.signals import password_reset, user_logged_in
from django.conf import settings
from django.core import signing
from django.db.models import Q
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string

from accounts.models import User

COOKIE = "known_browser"
SALT = "accounts.browsers"
AGE = 365 * 24 * 3600
# Accounts that one browser is known by.
MOST = 5


def browser_of(request: HttpRequest) -> tuple[str, list[int]]:
    """The number of a browser and its accounts, the last one first; "" and none where it has no cookie of ours."""
    try:
        number, *accounts = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=AGE)
    except signing.BadSignature:
        return "", []
    return number, accounts


def known_as(request: HttpRequest, user: int) -> str:
    """The number of a browser that has signed in to an account; "" for a stranger."""
    number, accounts = browser_of(request)
    return number if user in accounts else ""


def known_by_email(request: HttpRequest, email: str) -> str:
    """The same by an e-mail address of the account. A stranger is asked nothing of the database."""
    number, accounts = browser_of(request)
    its = Q(email__iexact=email) | Q(emailaddress__email__iexact=email)
    return number if accounts and User.objects.filter(its, pk__in=accounts).exists() else ""


# Whoever sets a new password by mail is the owner too, and may have been locked out by strangers.
@receiver([user_logged_in, password_reset])
def remember(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Have the answer to a request make its browser known."""
    request.signed_in_to = user.pk  # type: ignore[attr-defined]


class KnownBrowserMiddleware:
    """Gives a browser its cookie when it has signed in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, "signed_in_to", None)
        if user is not None:
            number, accounts = browser_of(request)
            known = [user, *(one for one in accounts if one != user)][:MOST]
            response.set_cookie(
                COOKIE,
                signing.dumps([number or get_random_string(22), *known], salt=SALT),
                max_age=AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response
