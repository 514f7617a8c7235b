"""The type of requests in our views, and the reply to a poll for a page that is gone."""

from django.http import Http404, HttpRequest, HttpResponse
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from accounts.identity import Identity
from accounts.models import Token, User


class Request(HttpRequest):
    """A request as the middleware leaves it. For annotations only."""

    identity: Identity
    token: Token | None
    htmx: HtmxDetails
    _dont_enforce_csrf_checks: bool


class SignedInRequest(Request):
    """A request behind `login_required`. On a page its user is the identity's."""

    user: User


def polled_in_vain(request: Request) -> HttpResponse:
    """The reply to a poll at <page>/progress if the session ended or the row was deleted: reload the whole page.

    Raises Http404 for a request that no page of ours made.
    """
    if not request.htmx:
        raise Http404
    response = HttpResponseClientRedirect(request.path.removesuffix("/progress"))
    response.status_code = 404
    return response
