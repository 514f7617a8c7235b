"""What cannot be done now and can be tried again: the database is away, the disk is full, or no mail can be sent.

Whoever meets it, a view, a template or another middleware, is answered here: 503 with Retry-After, as a problem document
under /api/ and elsewhere as a page that needs no database.
"""

import logging
import sqlite3
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from accounts.mail_errors import MailNotSent
from accounts.problems import problem
from diligence import atomic_files
from diligence.atomic_files import is_full

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
# An outage is logged with its traceback once in so many seconds by each process, and by a line each time.
TRACEBACK_SECONDS = 60.0
# Of SQLite, the primary result codes of a file that is locked, out of reach or broken off; a missing table is another.
AWAY_CODES = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    }
)
# Of PostgreSQL, the classes of a connection that is lost, of resources that are used up, of a server that is stopped and
# of its machine's errors; 57014, a query that was cancelled, is another.
AWAY_STATES = ("08", "53", "57P", "58")
POSTGRESQL_DISK_FULL = "53100"


@dataclass(frozen=True)
class Cause:
    """Why something cannot be done now. reason: for programs; title and detail: for people."""

    reason: str
    title: str
    detail: str


AWAY = Cause(
    "unavailable",
    "The database does not answer",
    "The database does not answer. Try again in a few seconds.",
)
DISK_FULL = Cause(
    "disk_full",
    "The disk is full",
    "The disk of this installation is full, so nothing can be saved. Try again once its operator has freed space.",
)
MAIL_NOT_SENT = Cause(
    "mail_not_sent",
    "The mail could not be sent",
    "The mail server of this installation did not take the mail. Try again later, or tell its operator.",
)


def cause_of(error: BaseException | None) -> Cause | None:
    """Why a request failed that may be sent again later; None for every other error, those of the database included."""
    if error is not None and is_full(error):
        return DISK_FULL
    if isinstance(error, MailNotSent):
        return MAIL_NOT_SENT
    if not isinstance(error, OperationalError | InterfaceError):
        return None
    driver = error.__cause__
    if isinstance(driver, sqlite3.Error):
        # The low byte is the primary code.
        code = getattr(driver, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        # What SQLite maps beside the database has other codes on a full disk.
        if code == sqlite3.SQLITE_FULL or (
            code in {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN} and atomic_files.is_short()
        ):
            return DISK_FULL
        return AWAY if code in AWAY_CODES else None
    # A server that was not reached has said no state.
    state = getattr(driver, "sqlstate", None)
    if state == POSTGRESQL_DISK_FULL:
        return DISK_FULL
    return AWAY if state is None or state.startswith(AWAY_STATES) else None


def answer(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """503 where an error says that it can be tried again later; None where it is another."""
    cause = cause_of(error)
    if cause is None:
        return None
    log(request, cause, error)
    response: HttpResponse
    if request.path_info.startswith("/api/"):
        response = problem(503, cause.detail, reason=cause.reason)
    elif "HX-Request" in request.headers:
        # htmx shows no error: the page stays as it is, says that it cannot reach us, and goes on asking.
        response = HttpResponse(cause.detail, status=503, content_type="text/plain")
    else:
        again = request.get_full_path() if request.method == "GET" else ""
        # Without the request: no context processor asks for a session or a user.
        response = HttpResponse(render_to_string("503.html", {"cause": cause, "again": again}), status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    response["Cache-Control"] = "no-store"
    # It is logged above, and is no error of ours.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


_next_traceback: dict[str, float] = {}


def log(request: HttpRequest, cause: Cause, error: BaseException | None) -> None:
    """A line for each request, the first of an outage with its traceback as an error."""
    now = time.monotonic()
    if now >= _next_traceback.get(cause.reason, 0.0):
        _next_traceback[cause.reason] = now + TRACEBACK_SECONDS
        logger.error("%s: %s %s is answered 503", cause.title, request.method, request.path, exc_info=error)
    else:
        logger.warning("%s: %s %s is answered 503", cause.title, request.method, request.path)


def note(sender: Any, request: HttpRequest | None = None, **kwargs: Any) -> None:
    """Keep what another middleware raised: Django makes a page of status 500 of it before ours sees the response."""
    if request is not None:
        request.raised = sys.exception()  # type: ignore[attr-defined]


got_request_exception.connect(note)


class Middleware:
    """Answers 503 in place of 500 where the error is one of these."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 500:
            return response
        return answer(request, getattr(request, "raised", None)) or response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return answer(request, exception)


class NotAnswered(logging.Filter):
    """Of Django's lines of errors in requests, those that are not answered here: each would have its traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        return cause_of(record.exc_info[1] if record.exc_info else None) is None
