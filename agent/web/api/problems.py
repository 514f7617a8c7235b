"""Turns every error of the API into a problem document (RFC 9457) with a `reason` for programs.

`accounts.problems` defines the format. This module handles errors inside an operation and errors before one is
reached: an unknown address, an unsupported method, a missing CSRF token.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.core.signals import got_request_exception
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.log import log_response
from django.views.csrf import csrf_failure as csrf_page
from django.views.decorators.csrf import csrf_exempt
from django.views.defaults import bad_request as bad_request_page
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from accounts.limit_errors import Limit, TooLong
from accounts.problems import problem
from accounts.request_types import Request
from agent.web.api import parameters
from diligence import unavailable, uploads

# Most bytes of a request body: enough for the longest question with every character escaped.
MOST_BYTES = 64 * 1024
# The same of a certificate: that of the largest table has 400 kB.
VERIFY, MOST_CERTIFIED = "/api/v1/verify", 1_000_000
JSON, FILES = "application/json", "multipart/form-data"


class Problem(Exception):
    """An error reply, raised to end an operation. members: further fields of the problem document."""

    def __init__(
        self, status: int, reason: str, detail: str, headers: Mapping[str, str] | None = None, **members: Any
    ) -> None:
        super().__init__(detail)
        self.status, self.reason, self.detail = status, reason, detail
        self.headers, self.members = dict(headers or {}), members

    @property
    def sentences(self) -> str:
        """What is wrong: one sentence for each invalid field, or else the detail."""
        said = [f"{one['field']}: {one['message']}" for one in self.members.get("errors", ())]
        return " ".join(said) or self.detail

    @property
    def response(self) -> HttpResponse:
        answer = problem(self.status, self.detail, reason=self.reason, **self.members)
        for name, value in self.headers.items():
            answer[name] = value
        return answer


class NotFound(Problem):
    """404: it does not exist or the caller may not see it; the reply is the same for both. near: what may be meant."""

    def __init__(self, what: str, near: Sequence[str] = ()) -> None:
        meant = f" Closest: {', '.join(near)}." if near else ""
        super().__init__(404, "not_found", f"There is no such {what}.{meant}")


class Invalid(Problem):
    """422: values in the request are not valid. errors: field -> sentences."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        listed = [{"field": name, "message": said} for name, sentences in errors.items() for said in sentences]
        super().__init__(
            422, "invalid", "Some values in the request are not valid; `errors` lists them.", errors=listed
        )


def register(api: NinjaAPI) -> None:
    """Let the API answer every error inside an operation with a problem document."""
    api.add_exception_handler(Problem, problem_response)
    api.add_exception_handler(Http404, lambda request, error: NotFound("address").response)
    api.add_exception_handler(ValidationError, invalid)
    api.add_exception_handler(HttpError, malformed)
    api.add_exception_handler(TooManyFieldsSent, unread)
    api.add_exception_handler(Exception, failed)


def problem_response(request: HttpRequest, error: Problem | type[Problem]) -> HttpResponse:
    return error.response if isinstance(error, Problem) else failed(request, error)


def form_errors(form: Form, names: Mapping[str, str] | None = None) -> dict[str, list[str]]:
    """A form's errors by field. names: form field -> API field, where the names differ."""
    return {(names or {}).get(name, name): [str(one) for one in said] for name, said in form.errors.items()}


def invalid(request: HttpRequest, error: ValidationError | type[ValidationError]) -> HttpResponse:
    """The reply if parameters or body do not match the schema."""
    errors: dict[str, list[str]] = {}
    for one in getattr(error, "errors", []):
        # For example ("body", "asked", "question"): where it was sent, the Python parameter, the field.
        path = [str(part) for part in one["loc"]]
        field = ".".join(path[2:] if path[0] == "body" and len(path) > 2 else path[1:])
        errors.setdefault(field or path[0], []).append(one["msg"].removeprefix("Value error, "))
    return Invalid(errors).response


def malformed(request: HttpRequest, error: HttpError | type[HttpError]) -> HttpResponse:
    """The reply if the body is not JSON."""
    return problem(400, "The body is not JSON.", reason="malformed")


def unread(request: HttpRequest, error: TooManyFieldsSent | type[TooManyFieldsSent]) -> HttpResponse:
    """The reply if the address has more parameters than Django reads."""
    return problem(400, "The request has too many parameters, so it was not read.", reason="malformed")


def failed(request: HttpRequest, error: Exception | type[Exception]) -> HttpResponse:
    """The reply to an internal error; its cause goes to the log, not to the caller.

    If the database is unreachable or the disk is full, the reply says so, as on the pages.
    """
    shown = error if isinstance(error, Exception) else None
    if again := unavailable.answer(request, shown):
        return again
    response = problem(500, "Something failed on our side. It has been logged.", reason="failed")
    log_response("Internal Server Error: %s", request.path, response=response, request=request, exception=shown)
    got_request_exception.send(sender=None, request=request)
    return response


def guarded(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wraps a view of the API, so that requests that reach no operation get a problem document too."""

    @csrf_exempt
    @wraps(view)
    def run(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            refused = refusal(request)
            response = refused if refused is not None else view(request, *args, **kwargs)
        except Http404:
            response = NotFound("address").response
        if response.status_code == 405:
            allowed = response.headers["Allow"]
            response = problem(405, f"Allowed here: {allowed}.", reason="method_not_allowed")
            response["Allow"] = allowed
        patch_vary_headers(response, ["Authorization", "Cookie"])
        if not response.has_header("Cache-Control"):
            # Replies are private to one account; clients must revalidate them by their ETag each time.
            response["Cache-Control"] = "private, no-cache"
        return response

    # CSRF: `accounts.identity` checks the token of requests with a session, also for exempt views.
    return run


def refusal(request: HttpRequest) -> HttpResponse | None:
    """The reply to a request that is rejected before it is read; None if it is fine. HEAD is handled as GET."""
    if request.method == "HEAD":
        request.method = "GET"
    if "Transfer-Encoding" in request.headers:
        return problem(411, "Send the body with its Content-Length, not in chunks.", reason="length_required")
    wanted = FILES if request.path_info in uploads.PATHS else JSON
    if request.method == "POST" and request.content_type != wanted:
        # Another site's form cannot send JSON without a preflight request, so anything else is refused. With files, the
        # CSRF token or the token of the API tells them apart.
        return problem(415, f"Send the body as {wanted}.", reason="unsupported_media_type")
    return unknown(request)


def unknown(request: HttpRequest) -> HttpResponse | None:
    """The reply to unknown parameters, such as a misspelled `year`, which the framework would ignore."""
    match = request.resolver_match
    taken = parameters.known(match.route, request.method or "") if match else None
    try:
        others = sorted(set(request.GET) - set(taken)) if taken is not None else []
    except TooManyFieldsSent as error:
        return unread(request, error)
    if not others:
        return None
    said = f"Unknown parameter. This address takes: {', '.join(taken or ['none'])}."
    return Invalid({name: [said] for name in others}).response


def may_bring(request: Request) -> bool:
    """Whether a request may be as long as files are: of staff, by a token only if that is its scope."""
    return request.identity.is_staff and request.identity.may("import")


def too_large(request: Request) -> TooLong | None:
    """The exceeded limit if a request body is too large; otherwise None.

    Staff may bring files. Pages accept more bytes than the API. The length comes from the header; if it is not a number, the body is refused.
    """
    most = MOST_BYTES if request.path_info.startswith("/api/") else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if request.path_info == VERIFY:
        most = MOST_CERTIFIED
    if request.path_info in uploads.PATHS and may_bring(request):
        most = uploads.most_bytes()
    said = request.META.get("CONTENT_LENGTH") or "0"
    used = int(said) if said.isdecimal() else most + 1
    return TooLong(Limit("body_bytes", most, used)) if used > most else None


@csrf_exempt
def nowhere(request: HttpRequest, rest: str = "") -> HttpResponse:
    """The reply for unknown addresses under /api/."""
    response: HttpResponse = NotFound("address").response
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The reply to a request that Django rejects: a page for people, a problem document for programs."""
    if request.path_info.startswith("/api/"):
        return problem(400, "The request could not be read.", reason="malformed")
    page: HttpResponse = bad_request_page(request, exception)
    return page


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The reply if the CSRF token is missing: a page for people, a problem document for programs."""
    if request.path_info.startswith("/api/"):
        detail = "A request with a session cookie needs the CSRF token: send the cookie csrftoken as X-CSRFToken too."
        return problem(403, detail, reason="csrf_failed")
    page: HttpResponse = csrf_page(request, reason=reason)
    return page
