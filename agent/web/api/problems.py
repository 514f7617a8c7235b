"""Errors of the API: every one is a problem document (RFC 9457) with a `reason` for programs.

`accounts.problems` has the format. Errors raised inside an operation are handled here, and those before one is reached:
an unknown address, an unsupported method, a missing CSRF token.
"""

from collections.abc import Callable, Mapping
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
from agent.web.api import parameters
from diligence import unavailable

# Bytes of an API request: the longest question, escaped, with room to spare.
MOST_BYTES = 64 * 1024
JSON = "application/json"


class Problem(Exception):
    """An error that ends an operation. members: further fields of the document."""

    def __init__(
        self, status: int, reason: str, detail: str, headers: Mapping[str, str] | None = None, **members: Any
    ) -> None:
        super().__init__(detail)
        self.status, self.reason, self.detail = status, reason, detail
        self.headers, self.members = dict(headers or {}), members

    @property
    def sentences(self) -> str:
        """Its whole text; for faulty fields, what is wrong with each."""
        said = [f"{one['field']}: {one['message']}" for one in self.members.get("errors", ())]
        return " ".join(said) or self.detail

    @property
    def response(self) -> HttpResponse:
        answer = problem(self.status, self.detail, reason=self.reason, **self.members)
        for name, value in self.headers.items():
            answer[name] = value
        return answer


class NotFound(Problem):
    """It does not exist, or the caller may not see it; the two look the same."""

    def __init__(self, what: str) -> None:
        super().__init__(404, "not_found", f"There is no such {what}.")


class Invalid(Problem):
    """The request is not valid. errors: field -> sentences."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        listed = [{"field": name, "message": said} for name, sentences in errors.items() for said in sentences]
        super().__init__(
            422, "invalid", "Some values in the request are not valid; `errors` lists them.", errors=listed
        )


def register(api: NinjaAPI) -> None:
    """Make every error of an operation a problem."""
    api.add_exception_handler(Problem, problem_response)
    api.add_exception_handler(Http404, lambda request, error: NotFound("address").response)
    api.add_exception_handler(ValidationError, invalid)
    api.add_exception_handler(HttpError, malformed)
    api.add_exception_handler(TooManyFieldsSent, unread)
    api.add_exception_handler(Exception, failed)


def problem_response(request: HttpRequest, error: Problem | type[Problem]) -> HttpResponse:
    return error.response if isinstance(error, Problem) else failed(request, error)


def form_errors(form: Form, names: Mapping[str, str] | None = None) -> dict[str, list[str]]:
    """A form's errors by field. names: the API's names of fields that the form names differently."""
    return {(names or {}).get(name, name): [str(one) for one in said] for name, said in form.errors.items()}


def invalid(request: HttpRequest, error: ValidationError | type[ValidationError]) -> HttpResponse:
    """Parameters or body do not match the schema."""
    errors: dict[str, list[str]] = {}
    for one in getattr(error, "errors", []):
        # ("body", "asked", "question"): where it was sent, the parameter's own name, the field.
        path = [str(part) for part in one["loc"]]
        field = ".".join(path[2:] if path[0] == "body" and len(path) > 2 else path[1:])
        errors.setdefault(field or path[0], []).append(one["msg"].removeprefix("Value error, "))
    return Invalid(errors).response


def malformed(request: HttpRequest, error: HttpError | type[HttpError]) -> HttpResponse:
    """The body is not JSON, as the framework reports."""
    return problem(400, "The body is not JSON.", reason="malformed")


def unread(request: HttpRequest, error: TooManyFieldsSent | type[TooManyFieldsSent]) -> HttpResponse:
    """The address has more parameters than Django reads."""
    return problem(400, "The request is not read: it has too many parameters.", reason="malformed")


def failed(request: HttpRequest, error: Exception | type[Exception]) -> HttpResponse:
    """An internal error: reported to the log, not to the caller.

    A database that is away or a full disk is no internal error; it is answered as everywhere.
    """
    shown = error if isinstance(error, Exception) else None
    if again := unavailable.answer(request, shown):
        return again
    response = problem(500, "Something failed on our side. It has been logged.", reason="failed")
    log_response("Internal Server Error: %s", request.path, response=response, request=request, exception=shown)
    got_request_exception.send(sender=None, request=request)
    return response


def guarded(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view of the API that answers problems also for requests that reach no operation."""

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
            # Private to one account; revalidated each time and sent only if its ETag has changed.
            response["Cache-Control"] = "private, no-cache"
        return response

    # Cross-site requests: `accounts.identity` checks the token of requests with a session, exempt or not.
    return run


def refusal(request: HttpRequest) -> HttpResponse | None:
    """Why a request is rejected unread. HEAD is handled as GET; the server leaves out the body."""
    if request.method == "HEAD":
        request.method = "GET"
    if "Transfer-Encoding" in request.headers:
        return problem(411, "Send the body with its Content-Length, not in chunks.", reason="length_required")
    if request.method == "POST" and request.content_type != JSON:
        # Another site's form can send text, never JSON, without a preflight request.
        return problem(415, f"Send the body as {JSON}.", reason="unsupported_media_type")
    return unknown(request)


def unknown(request: HttpRequest) -> HttpResponse | None:
    """A problem for unknown parameters, such as a misspelled year, which the framework would ignore."""
    match = request.resolver_match
    taken = parameters.known(match.route, request.method or "") if match else None
    try:
        others = sorted(set(request.GET) - set(taken)) if taken is not None else []
    except TooManyFieldsSent as error:
        return unread(request, error)
    if not others:
        return None
    said = f"There is no such parameter here; there are: {', '.join(taken or ['none'])}."
    return Invalid({name: [said] for name in others}).response


def too_large(request: HttpRequest) -> TooLong | None:
    """The exceeded limit of a body; None where it is within.

    Pages accept more bytes than the API. The length is the header's; one that is no number exceeds every limit.
    """
    most = MOST_BYTES if request.path_info.startswith("/api/") else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    said = request.META.get("CONTENT_LENGTH") or "0"
    used = int(said) if said.isdecimal() else most + 1
    return TooLong(Limit("body_bytes", most, used)) if used > most else None


@csrf_exempt
def nowhere(request: HttpRequest, rest: str = "") -> HttpResponse:
    """The reply for any other address under the API."""
    response: HttpResponse = NotFound("address").response
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The reply to a request that Django rejects: a page for people, a problem for programs."""
    if request.path_info.startswith("/api/"):
        return problem(400, "The request is not read.", reason="malformed")
    page: HttpResponse = bad_request_page(request, exception)
    return page


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Settings.CSRF_FAILURE_VIEW: a page for people, a problem for programs."""
    if request.path_info.startswith("/api/"):
        detail = "A request with a session cookie needs the CSRF token: send the cookie csrftoken as X-CSRFToken too."
        return problem(403, detail, reason="csrf_failed")
    page: HttpResponse = csrf_page(request, reason=reason)
    return page
