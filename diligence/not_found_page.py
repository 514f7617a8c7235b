"""The site's own page for what is not there, under DEBUG too."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.views.defaults import page_not_found


class PlainNotFound:
    """Django answers 404 under DEBUG with its list of URLs, which tells a person at a demonstration nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # What speaks to programs has said in its own way that nothing is there.
        told = response.has_header("HX-Redirect") or "json" in response.get("Content-Type", "")
        if response.status_code == 404 and not told:
            return page_not_found(request, Http404())
        return response
