"""Who asks: every request resolves once to an `Identity`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from accounts.models import User

# Kept inside the session and never the session key itself: the key changes at login, and it is a secret.
SESSION_KEY = "visitor"


@dataclass(frozen=True)
class Identity:
    """A signed-in user, or a visitor known by a UUID; neither for somebody who has not asked anything yet."""

    user: User | None = None
    visitor: UUID | None = None

    @property
    def is_staff(self) -> bool:
        return self.user is not None and self.user.is_staff


def identify(request: HttpRequest) -> Identity:
    """The identity of a request, without creating anything."""
    if request.user.is_authenticated:
        return Identity(user=cast("User", request.user))
    return Identity(visitor=visitor_of(request))


def visitor_of(request: HttpRequest) -> UUID | None:
    """The visitor UUID of the session, or None where there is none or it is damaged."""
    try:
        return UUID(request.session.get(SESSION_KEY, ""))
    except (ValueError, TypeError, AttributeError):
        return None


def ensure_identity(request: HttpRequest) -> Identity:
    """The identity of a request that is about to own something: an anonymous visitor gets a UUID now."""
    if request.identity.user is None and request.identity.visitor is None:
        request.session[SESSION_KEY] = str(uuid4())
        request.identity = identify(request)
    return request.identity


class IdentityMiddleware:
    """Sets `request.identity`, resolved at first use so that a static page costs no session query."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.identity = SimpleLazyObject(lambda: identify(request))
        return self.get_response(request)
