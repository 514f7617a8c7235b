"""Limits guesses of passwords and second-factor codes, for each account and address, and for each account.

Wrong guesses lock that account for that address only. Guesses from many addresses count together, strangers' apart from
those of each browser that has signed in to the account before: strangers cannot use up the owner's. An owner at a new
browser sets a new password by mail, and is then known. (OWASP: device cookies.) Each of the two is an entry of
settings.ACCOUNT_RATE_LIMITS.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from allauth.account.adapter import get_adapter
from allauth.account.signals import password_reset, user_logged_in
from allauth.core.internal import ratelimit
from django.conf import settings
from django.core import signing
from django.db.models import Q
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string

from accounts.addresses import client_network
from accounts.models import User

Secret = Literal["password", "code"]


COOKIE = "known_browser"
SALT = "accounts.browsers"
AGE = 365 * 24 * 3600
# Accounts remembered in one browser.
MOST = 5


@dataclass(frozen=True)
class Guess:
    """One guess that was counted, and can be uncounted."""

    counted: Sequence[Any]

    def was_right(self) -> None:
        """Uncount a correct guess."""
        for usage in self.counted:
            usage.rollback()


def guess(request: HttpRequest, secret: Secret, account: str, browser: str) -> Guess:
    """Count a guess before it is checked. Raises forms.ValidationError if there are too many.

    account: an e-mail address or a key, whether or not there is such an account. browser: from `known_as`, "" for a
    stranger.
    """
    counted = []
    for action, key in (
        (f"{secret}_from_address", from_address(request, account)),
        (f"{secret}_of_account", f"{browser or 'strangers'} {account}"),
    ):
        usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        if usage is None:
            raise get_adapter().validation_error("too_many_login_attempts")
        counted.append(usage)
    return Guess(counted)


def forget(request: HttpRequest, secret: Secret, account: str) -> None:
    """Forget wrong guesses from the address of a request whose sender has proved to be the owner."""
    key = from_address(request, account)
    ratelimit.clear(request, app="allauth.account", action=f"{secret}_from_address", key=key)


def from_address(request: HttpRequest, account: str) -> str:
    return f"{client_network(request)} {account}"


def browser_of(request: HttpRequest) -> tuple[str, list[int]]:
    """A browser's number and accounts, the last one first; "" and none without our cookie."""
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
    """Like `known_as`, for an account given by its e-mail address. For an unknown browser, needs no database query."""
    number, accounts = browser_of(request)
    its = Q(email__iexact=email) | Q(emailaddress__email__iexact=email)
    return number if accounts and User.objects.filter(its, pk__in=accounts).exists() else ""


# A person who sets a new password by mail is the owner too, and may have been locked out by strangers.
@receiver([user_logged_in, password_reset])
def remember(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Make the browser known with the response to a request."""
    request.signed_in_to = user.pk  # type: ignore[attr-defined]


class KnownBrowserMiddleware:
    """Sets the cookie of a browser that has signed in."""

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
