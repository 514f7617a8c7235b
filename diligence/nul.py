"""A NUL in an address: no name has one, and PostgreSQL takes none in a text."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.defaults import bad_request

from accounts.problems import problem


class RefuseNul:
    """Answers 400 to an address with the character in its path or its query; forms and bodies refuse it themselves."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" not in request.path_info and "%00" not in request.META.get("QUERY_STRING", ""):
            return self.get_response(request)
        if request.path_info.startswith("/api/"):
            return problem(400, "The address has a NUL character.", reason="malformed")
        return bad_request(request, ValueError())
