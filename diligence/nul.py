"""A NUL in an address: no name has one, and PostgreSQL takes none in a text. Nor is an encoding read that hides one."""

import codecs
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.defaults import bad_request

from accounts.problems import problem


class RefuseNul:
    """Answers 400 to an address with the character in its path or its query, and to whatever is not sent as UTF-8.

    Forms and bodies refuse the character themselves.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reason = refusal(request)
        if not reason:
            return self.get_response(request)
        if request.path_info.startswith("/api/"):
            return problem(400, reason, reason="malformed")
        return bad_request(request, ValueError())


def refusal(request: HttpRequest) -> str:
    """Why a request is not read, in a sentence; empty where it is."""
    if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
        return "The address has a NUL character."
    # Query and form are read in the encoding that the sender names. In UTF-7 or unicode_escape a NUL, or half of a
    # surrogate pair, is spelt with plain letters; idna and rot13 cannot be read with what is wrong replaced.
    if codecs.lookup(request.encoding or "utf-8").name != "utf-8":
        return "Only UTF-8 is read here."
    return ""
