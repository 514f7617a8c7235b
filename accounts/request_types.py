"""The type of a request in our views, and what a poll is answered when there is nothing to poll any more."""

from django.http import Http404, HttpRequest, HttpResponse
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from accounts.identity import Identity
from accounts.models import Token, User


class Request(HttpRequest):
    """A request as the middleware leaves it. For annotations: nothing makes one."""

    identity: Identity
    token: Token | None
    htmx: HtmxDetails
    _dont_enforce_csrf_checks: bool


class SignedInRequest(Request):
    """A request behind `login_required`. On a page its user is the identity's."""

    user: User


def polled_in_vain(request: Request) -> HttpResponse:
    """At <page>/progress, where the session ended or the row was deleted: the whole page says so, not a part of it.

    Raises Http404 for a request that no page of ours made.
    """
    if not request.htmx:
        raise Http404
    response = HttpResponseClientRedirect(request.path.removesuffix("/progress"))
    response.status_code = 404
    return response
