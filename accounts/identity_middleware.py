"""Finds out who sends a request, from its token, its session or its address, and refuses tokens outside their scopes."""

import base64
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal, cast
from uuid import UUID, uuid4

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.functional import SimpleLazyObject

from accounts import tokens
from accounts.addresses import client_network
from accounts.identity import Identity
from accounts.problems import problem
from accounts.request_types import Request

# The visitor's UUID in the session. The session key itself changes at sign-in and is a secret.
SESSION_KEY = "visitor"
# Tokens work only at these addresses: pages are for the person at the browser.
OPEN_TO_TOKENS = "api/"
# Where a token with only the scope `ask` gets the answers to its own questions, and nothing else.
OF_WHAT_WAS_ASKED = {"api:run", "api:certificate"}
# What is sent here is compared and not kept.
ONLY_READS = {"api:verified"}
# Searches start here, and their results need the scope `read`: so starting one needs both scopes.
READ_LATER = {"api:start_search"}
# What staff import, and what became of it.
OF_IMPORTS = {"api:import_document", "api:get_import"}
SAFE = {"GET", "HEAD", "OPTIONS"}
# Other ways in which services accept tokens: headers and addresses.
ELSEWHERE = ("X-API-Key", "X-Auth-Token", "X-Access-Token")
IN_ADDRESS = ("access_token", "api_key", "apikey", "key", "token")
# Headers that may contain an address with a token.
OF_BROWSERS = {"Cookie", "Referer", "Hx-Current-Url"}


def identify(request: HttpRequest) -> Identity:
    """The identity of a request; creates no visitor and no session."""
    address = client_network(request)
    token = getattr(request, "token", None)
    if token is not None:
        return Identity(user=token.user, address=address, token=token)
    if request.user.is_authenticated:
        return Identity(user=request.user, address=address)
    return Identity(visitor=visitor_of(request), address=address)


def visitor_of(request: HttpRequest) -> UUID | None:
    """The visitor's UUID from the session; None where it is missing or damaged."""
    try:
        return UUID(request.session.get(SESSION_KEY, ""))
    except (ValueError, TypeError, AttributeError):
        return None


def ensure_identity(request: Request) -> Identity:
    """The identity of a request that will own a run or search; a new visitor gets a UUID."""
    if request.identity.user is None and request.identity.visitor is None:
        request.session[SESSION_KEY] = str(uuid4())
        request.identity = identify(request)
    return request.identity


def forget_new(request: HttpRequest) -> None:
    """Take back the UUID given to a request that was then refused, so that it leaves no session."""
    if request.session.session_key is None:
        request.session.pop(SESSION_KEY, None)


def bearer(request: HttpRequest) -> str | None:
    """The token of `Authorization: Bearer`, possibly empty; None where no token was sent.

    A token sent in another form counts as one that opens nothing. A proxy's password does not.
    """
    header = request.headers.get("Authorization", "")
    others = (value for name, value in request.headers.items() if name not in {*OF_BROWSERS, "Authorization"})
    if any(name in request.headers for name in ELSEWHERE) or any(tokens.START in value for value in others):
        return ""
    # A page may have a parameter of that name; the API has none.
    named = in_address(request)
    if named and (
        request.path_info.startswith(f"/{OPEN_TO_TOKENS}") or any(value.startswith(tokens.START) for value in named)
    ):
        return ""
    scheme, *sent = header.split(None, 1) or [""]
    if scheme.lower() == "bearer":
        return sent[0].strip() if sent else ""
    if scheme.lower() == "basic" and tokens.START not in unpacked("".join(sent)):
        return None
    return header or None


def in_address(request: HttpRequest) -> list[str]:
    """The values of parameters named like a token. An address with too many parameters is refused elsewhere."""
    with suppress(TooManyFieldsSent):
        return [request.GET[name] for name in IN_ADDRESS if name in request.GET]
    return []


def unpacked(sent: str) -> str:
    """The value of a Basic header, raw and decoded."""
    with suppress(ValueError):
        # Some clients omit the padding; excess is ignored.
        return sent + base64.b64decode(f"{sent}==").decode(errors="replace")
    return sent


class IdentityMiddleware:
    """Sets `request.identity` and `request.token`.

    Without a token the identity is resolved at first use, so that a static page costs no session query. With one, the
    request is the token's, whatever cookie comes along; an invalid one is answered 401 everywhere, so that nobody
    continues as an anonymous visitor without noticing.
    """

    def __init__(self, get_response: Callable[[Request], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Request) -> HttpResponse:
        request.token = None
        sent = bearer(request)
        if sent is not None:
            try:
                request.token = tokens.recognise(sent)
            except tokens.TokenRefused as refused:
                return unauthorized(str(refused))
            request.user = request.token.user
            # A browser adds cookies by itself and never this header: no other site can make it send a token.
            request._dont_enforce_csrf_checks = True
        request.identity = cast("Identity", SimpleLazyObject(lambda: identify(request)))
        return self.get_response(request)

    def process_view(
        self, request: Request, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        if request.token is not None:
            return outside_scope(request)
        # CSRF-exempt views are for programs, which have no session. With a session, the cookie alone would
        # authenticate, and other sites could use it.
        if getattr(view, "csrf_exempt", False) and settings.SESSION_COOKIE_NAME in request.COOKIES:
            return CsrfViewMiddleware(HttpResponse).process_view(request, HttpResponse, (), {})
        return None


def outside_scope(request: Request) -> HttpResponse | None:
    """The reply if the token's scopes do not allow the request; None if they do."""
    match = request.resolver_match
    if match is None or not match.route.startswith(OPEN_TO_TOKENS):
        return problem(403, "API tokens work only under /api/.", reason="not_for_tokens")
    needed: Literal["ask", "read", "import"]
    if match.view_name in OF_IMPORTS and request.method in {*SAFE, "POST"}:
        needed = "import"
    elif request.method in SAFE:
        needed = "ask" if match.view_name in OF_WHAT_WAS_ASKED and request.identity.may("ask") else "read"
    elif request.method == "POST":
        reads = match.view_name in ONLY_READS or (match.view_name in READ_LATER and request.identity.may("ask"))
        needed = "read" if reads else "ask"
    else:
        return problem(403, "API tokens can only read and ask.", reason="not_for_tokens")
    if request.identity.may(needed):
        return None
    response = problem(403, f"The token does not have the scope “{needed}”.", reason="insufficient_scope")
    response["WWW-Authenticate"] = f'Bearer realm="Diligence", error="insufficient_scope", scope="{needed}"'
    return response


def unauthorized(detail: str) -> HttpResponse:
    """The reply (401) to an invalid token."""
    response = problem(401, detail, reason="invalid_token")
    response["WWW-Authenticate"] = 'Bearer realm="Diligence", error="invalid_token"'
    response["Cache-Control"] = "no-store"
    return response
