"""The site's own 404 page, also under DEBUG."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.views.defaults import page_not_found


class PlainNotFound:
    """Django's 404 under DEBUG lists URLs, which does not help a person at a demonstration."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # Programs already have their own reply.
        told = response.has_header("HX-Redirect") or "json" in response.get("Content-Type", "")
        if response.status_code == 404 and not told:
            return page_not_found(request, Http404())
        return response
