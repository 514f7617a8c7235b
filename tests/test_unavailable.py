"""A database that is away, and a disk that is full: 503 with a reason for programs, a page for people, and back by itself."""

import errno
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
    connection,
)
from django.test import Client
from psycopg import errors

from diligence.unavailable import AWAY, DISK_FULL, Cause, cause_of
from tests.support.processes import forked

# One process with the settings of a deployment, visited while its database is away and after it is back. Of each visit its
# status, media type, reason and Retry-After.
VISITS = """
import json, os, sys, django
django.setup()
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
settings.API_WAIT_SECONDS = 0.1
file, aside = Path(settings.DATABASES["default"]["NAME"]), Path(settings.DATA_DIR, "aside")
call_command("collectstatic", interactive=False, verbosity=0)
from accounts.identity_middleware import SESSION_KEY
from accounts.models import User
from accounts.session_engine import SessionStore
from accounts.tokens import issue
from agent.models import Run
from uuid import uuid4
alice = User.objects.create_user("alice@example.com", "wonderland-42")
_, token = issue(alice, "of a test", ["ask", "read"])
visitor, session = uuid4(), SessionStore()
session[SESSION_KEY] = str(visitor)
session.save()
key = Run.objects.create(question="?", visitor=visitor).pk
signed_in = Client(raise_request_exception=False)
signed_in.force_login(alice)
cookie = Client(raise_request_exception=False)
cookie.cookies["sessionid"] = session.session_key
stranger = Client(raise_request_exception=False)
bearer = {"authorization": f"Bearer {token}"}
asked = {"question": "What was Apple's revenue in FY2024?"}
def visits():
    told = {}
    def visit(name, reply):
        media = reply.get("Content-Type", "").partition(";")[0]
        reason = reply.json().get("reason", "") if media.endswith("json") else ""
        told[name] = [reply.status_code, media, reason, reply.get("Retry-After", "")]
        if name == "page":
            told["text"] = reply.text
    for path in ("health", "usage", "companies", "coverage", "filings", "facts/1", "runs", f"runs/{key}"):
        if not path.startswith("runs"):
            visit(f"GET {path}", stranger.get(f"/api/v1/{path}"))
        visit(f"GET {path} with a session", cookie.get(f"/api/v1/{path}"))
        visit(f"GET {path} with a token", stranger.get(f"/api/v1/{path}", headers=bearer))
    for path, body in (("ask", asked), ("search", {"q": "competition"})):
        sent = {"data": body, "content_type": "application/json"}
        visit(f"POST {path}", stranger.post(f"/api/v1/{path}", headers={"prefer": "respond-async"}, **sent))
        visit(f"POST {path} with a token", stranger.post(f"/api/v1/{path}", headers=bearer, **sent))
    visit("GET docs", signed_in.get("/api/v1/docs"))
    visit("page", cookie.get("/history"))
    visit("page signed in", signed_in.get("/method"))
    visit("page with a token", stranger.get("/method", headers=bearer))
    visit("page of a run", cookie.get(f"/runs/{key}"))
    visit("poll", cookie.get(f"/runs/{key}/progress", headers={"HX-Request": "true"}))
    visit("admin", signed_in.get("/admin/"))
    visit("sign-in", stranger.post("/accounts/login/", {"login": "alice@example.com", "password": "x"}))
    visit("question", stranger.post("/ask", asked))
    visit("question of a visitor", cookie.post("/ask", asked))
    visit("figures", stranger.get("/metrics", headers={"authorization": "Bearer " + settings.METRICS_TOKEN}))
    return told
connection.close()
file.rename(aside)
file.mkdir()
away = visits()
file.rmdir()
aside.rename(file)
print(json.dumps([away, visits()]))
"""


PROBLEM = "application/problem+json"


@pytest.mark.parametrize("debug", ["0", pytest.param("1", marks=pytest.mark.soak)])
def test_a_database_that_cannot_be_opened_is_503_everywhere_until_it_can(
    debug: str, tmp_path: Path, migrated: Path
) -> None:
    shutil.copy(migrated, tmp_path / "diligence.sqlite3")
    given = {"DATA_DIR": str(tmp_path), "DEBUG": debug, "SECRET_KEY": "x", "METRICS_TOKEN": "m" * 32}
    done = forked("-c", VISITS, ALLOWED_HOSTS="testserver", timeout=150, **given)
    assert done.returncode == 0, done.stderr[-3000:]
    away, back = json.loads(done.stdout.splitlines()[-1])
    page = away.pop("text")
    assert "<h1>The database does not answer</h1>" in page
    assert "/history" in page
    # Programs are told in a document; what htmx asks for is not shown.
    media = {name: PROBLEM if name.startswith(("GET", "POST")) else "text/html" for name in away} | {
        "poll": "text/plain"
    }
    assert away == {name: [503, media[name], "unavailable" if media[name] == PROBLEM else "", "5"] for name in away}
    del back["text"]
    assert {name: status for name, (status, *_) in back.items() if status >= 400} == {
        "page with a token": 403,
        "GET facts/1": 404,
        "GET facts/1 with a session": 404,
        "GET facts/1 with a token": 404,
        f"GET {next(name for name in back if 'runs/' in name).split()[1]} with a token": 404,
    }
    # However many visits there were, one of them tells where.
    assert done.stderr.count("ERROR diligence.unavailable") == 1
    assert "ERROR django.request" not in done.stderr


def raised(statements: str, at: str = ":memory:") -> sqlite3.Error:
    """What SQLite raises."""
    with closing(sqlite3.connect(at, timeout=0)) as database, pytest.raises(sqlite3.Error) as caught:
        database.executescript(statements)
    return caught.value


def caused(kind: type[DatabaseError | InterfaceError], driver: Exception | None) -> Exception:
    """As Django raises what its driver did."""
    error = kind("x")
    error.__cause__ = driver
    return error


def locked(folder: Path) -> sqlite3.Error:
    at = str(folder / "locked.sqlite3")
    with closing(sqlite3.connect(at)) as other:
        other.execute("BEGIN EXCLUSIVE")
        return raised("CREATE TABLE x (y)", at)


OF_SQLITE: dict[str, tuple[Callable[[Path], sqlite3.Error], Cause | None]] = {
    "a file that is locked": (locked, AWAY),
    "a file that may not grow": (lambda _: raised("PRAGMA max_page_count=1; CREATE TABLE x (y)"), DISK_FULL),
    "a missing table": (lambda _: raised("SELECT * FROM x"), None),
    "a missing column": (lambda _: raised("CREATE TABLE x (y); SELECT z FROM x"), None),
    "what is no SQL": (lambda _: raised("SELEC"), None),
}


@pytest.mark.parametrize("name", OF_SQLITE)
def test_of_sqlite_s_errors_those_of_its_file_are_told_from_ours(name: str, tmp_path: Path) -> None:
    make, expected = OF_SQLITE[name]
    assert cause_of(caused(OperationalError, make(tmp_path))) == expected


@pytest.mark.parametrize(
    ("kind", "driver", "expected"),
    [
        (OperationalError, psycopg.OperationalError("connection refused"), AWAY),
        (OperationalError, errors.ConnectionTimeout("away"), AWAY),
        (OperationalError, errors.AdminShutdown("stopped"), AWAY),
        (OperationalError, errors.CannotConnectNow("starting"), AWAY),
        (OperationalError, errors.TooManyConnections("all taken"), AWAY),
        (OperationalError, errors.DiskFull("full"), DISK_FULL),
        (OperationalError, errors.QueryCanceled("cancelled"), None),
        (OperationalError, errors.DeadlockDetected("deadlock"), None),
        (OperationalError, None, AWAY),
        (InterfaceError, None, AWAY),
        (InterfaceError, sqlite3.InterfaceError("misuse"), None),
        (ProgrammingError, errors.UndefinedColumn("no column"), None),
        (IntegrityError, errors.UniqueViolation("twice"), None),
        (DataError, errors.NumericValueOutOfRange("too large"), None),
    ],
)
def test_of_postgresql_s_errors_those_of_its_connection_are_told_from_ours(
    kind: type[DatabaseError | InterfaceError], driver: Exception | None, expected: Cause | None
) -> None:
    assert cause_of(caused(kind, driver)) == expected


def test_a_disk_that_takes_nothing_is_told_whoever_wrote() -> None:
    assert cause_of(OSError(errno.ENOSPC, "No space left on device")) == DISK_FULL
    assert cause_of(OSError(errno.EACCES, "Permission denied")) is None
    assert cause_of(None) is None


def test_a_column_that_is_missing_is_still_an_error_of_ours(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE filings_company RENAME COLUMN name TO other")
    visitor = Client(raise_request_exception=False)
    response = visitor.get("/api/v1/companies")
    assert (response.status_code, response.json()["reason"]) == (500, "failed")
    assert visitor.get("/companies").status_code == 500
