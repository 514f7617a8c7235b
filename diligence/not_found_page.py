"""The site's own 404 pages, also under DEBUG."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.views.defaults import page_not_found


class NotFoundPage(HttpResponse):
    """A page of a view that says itself what was not found."""

    status_code = 404


class PlainNotFound:
    """Django's 404 under DEBUG lists URLs, which does not help a person at a demonstration."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # Programs already have their own reply.
        json = response.has_header("HX-Redirect") or "json" in response.get("Content-Type", "")
        if response.status_code == 404 and not json and not isinstance(response, NotFoundPage):
            return page_not_found(request, Http404())
        return response
