"""Rejects NUL characters in addresses and cookies: no name has one, and PostgreSQL rejects them.

Encodings that could hide one are rejected too.
"""

import codecs
from collections.abc import Callable, Mapping

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_header_parameters
from django.views.defaults import bad_request

from accounts.problems import problem


class Request(WSGIRequest):
    """A request that is read as UTF-8, and only after RefuseNul has checked it.

    Django decodes the query at once in any encoding that Content-Type names, and no middleware catches what that
    raises. content_params: None where the header itself cannot be read.
    """

    def _set_content_type_params(self, meta: Mapping[str, str]) -> None:
        try:
            self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        # From Python's parser of mail headers, whose parameters may have their own encodings.
        except (TypeError, ValueError):
            self.content_type, self.content_params = "", None


class RefuseNul:
    """Answers 400 to the character in a path, query or cookie, and to requests not in UTF-8.

    Forms and bodies reject the character themselves.
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
    """Why a request is rejected, in a sentence; empty where it is not."""
    if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
        return "The address has a NUL character."
    # Written as \000 between quotes.
    if any("\0" in value for value in request.COOKIES.values()):
        return "A cookie has a NUL character."
    if request.content_params is None:
        return "The Content-Type cannot be read."
    # UTF-7 and unicode_escape spell a NUL, or half of a surrogate pair, in plain letters; idna and rot13 cannot be read
    # with errors replaced.
    if not is_utf_8(request.content_params.get("charset", "utf-8")):
        return "Only UTF-8 is read here."
    return ""


def is_utf_8(encoding: str) -> bool:
    """Whether the name is UTF-8's or unknown: Django reads unknown encodings as UTF-8."""
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        return True
    except ValueError:
        # A NUL in it.
        return False
