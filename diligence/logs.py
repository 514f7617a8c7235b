"""Log lines with the run and the account's hash, never with a question or a name."""

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.functional import SimpleLazyObject, empty
from pythonjsonlogger.json import JsonFormatter

# In a task, what is bound; in a request, the request, whose identity becomes known later.
_bound: ContextVar[dict[str, str] | None] = ContextVar("bound", default=None)
_hidden: ContextVar[tuple[str, ...]] = ContextVar("hidden", default=())
_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)

EMAIL = re.compile(r"[^\s@<>\"'(),;:=]+@[^\s@<>\"'(),;:]+\.[^\s@<>\"'(),;:.]+")


@contextmanager
def bound(*hidden: str, **names: str) -> Iterator[None]:
    """Add these values to every line logged inside the block. `hidden` values, such as a question, are removed from all
    lines.
    """
    held = _bound.set({**(_bound.get() or {}), **{name: value for name, value in names.items() if value}})
    hides = _hidden.set((*_hidden.get(), *filter(None, hidden)))
    try:
        yield
    finally:
        _hidden.reset(hides)
        _bound.reset(held)


def account(user: int | None, visitor: UUID | None) -> str:
    """A stable hash of the owner of a run or request; empty for nobody."""
    if user is None and visitor is None:
        return ""
    who = f"user:{user}" if user is not None else f"visitor:{visitor}"
    return salted_hmac("diligence.logs.account", who, algorithm="sha256").hexdigest()[:16]


def known(request: HttpRequest | None = None) -> dict[str, str]:
    """The run and account of the moment, or of a request, without any look-up."""
    found = dict(_bound.get() or {})
    request = request or _request.get()
    if request is None:
        return found
    if run := run_of(request):
        found.setdefault("run", run)
    identity = getattr(request, "identity", None)
    # A log line costs no query: an identity not yet resolved is left out.
    if isinstance(identity, SimpleLazyObject) and identity._wrapped is empty:  # type: ignore[attr-defined]
        identity = None
    if identity is not None:
        user = identity.user.pk if identity.user else None
        if who := account(user, identity.visitor):
            found.setdefault("account", who)
    return found


def run_of(request: HttpRequest) -> str:
    """The run in an address, pk on pages and run_id in the API; empty where there is none."""
    match = request.resolver_match
    if match is None or not (match.url_name or "").startswith("run"):
        return ""
    return str(match.kwargs.get("pk") or match.kwargs.get("run_id", ""))


def cleaned(text: str) -> str:
    """A text without the run's question and without e-mail addresses."""
    for hidden in _hidden.get():
        text = text.replace(hidden, "[question]")
    return EMAIL.sub("[e-mail]", text)


class Json(JsonFormatter):
    """A line as one JSON object: time, level, logger, message, context, and an error's traceback.

    Other attributes of a record are left out: Django attaches the request, whose text has the query string.
    """

    def __init__(self) -> None:
        super().__init__("%(message)s")

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """The object to write."""
        return {name: cleaned(value) if isinstance(value, str) else value for name, value in log_data.items()}

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        """Fill the object."""
        log_data["time"] = self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}Z"
        log_data["level"] = record.levelname
        log_data["logger"] = record.name
        log_data["message"] = record.getMessage()
        # Django logs a failed request after leaving it.
        log_data.update(known(getattr(record, "request", None)))
        if status := getattr(record, "status_code", None):
            log_data["status"] = status
        if error := message_dict.get("exc_info"):
            log_data["error"] = error


class Middleware:
    """Adds run and account to a request's log lines."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        held = _request.set(request)
        try:
            return self.get_response(request)
        finally:
            _request.reset(held)
