"""The web server as the Procfile starts it, on a database of its own, and a visitor who polls runs of theirs."""

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.services.servers import free_port
from tests.support.processes import manage
from tests.support.procfile import NAME, alive, started, until

# Migrates, collects static files, and prints the session of a visitor, runs of theirs that nobody ends, and a token of
# an account: one process, since each takes seconds to start.
PREPARE = """
import json
from uuid import uuid4
from django.core.management import call_command
from django.utils.timezone import now
from accounts.identity_middleware import SESSION_KEY
from accounts.models import User
from accounts.session_engine import SessionStore
from accounts.tokens import issue
from agent.models import Run
call_command("migrate", verbosity=0)
call_command("collectstatic", interactive=False, verbosity=0)
visitor, session = uuid4(), SessionStore()
session[SESSION_KEY] = str(visitor)
session.save()
runs = [Run.objects.create(question="?", visitor=visitor, status="running", attempt=1, heartbeat=now()) for _ in range(%d)]
_, token = issue(User.objects.create_user("alice@example.com", "wonderland-42"), "of a test", ["ask", "read"])
print(json.dumps({"session": session.session_key, "runs": [str(run.pk) for run in runs], "token": token}))
"""


@dataclass(frozen=True)
class Reply:
    """What was answered. status: 0 where no answer came."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def reason(self) -> str:
        return str(json.loads(self.text)["reason"])


class Visitor:
    """One connection to the server, opened again when it is closed."""

    def __init__(self, port: int, session: str) -> None:
        self.session = session
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Reply:
        sent = None if body is None else json.dumps(body).encode()
        if body is not None:
            headers["Content-Type"] = "application/json"
        if "Authorization" not in headers:
            headers["Cookie"] = f"sessionid={self.session}"
        try:
            self.connection.request(method, path, sent, headers)
            response = self.connection.getresponse()
            return Reply(response.status, dict(response.headers), response.read().decode())
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            return Reply(0, {}, repr(error))

    def poll(self, run: str) -> Reply:
        """As the page of a run does."""
        return self.ask("GET", f"/runs/{run}/progress", **{"HX-Request": "true"})


@dataclass(frozen=True)
class Website:
    """A web server that answers."""

    port: int
    session: str
    runs: list[str]
    token: str
    log: Path
    visitors: list[Visitor] = field(default_factory=list)

    def visitor(self) -> Visitor:
        """A new one, whose connection is closed with the server."""
        self.visitors.append(Visitor(self.port, self.session))
        return self.visitors[-1]


@contextmanager
def website(folder: Path, runs: int = 1, **variables: str) -> Iterator[Website]:
    """A server on the database of `variables`, migrated, with a visitor who has so many open runs."""
    port = free_port()
    given = {"SECRET_KEY": "x", "EDGAR_IDENTITY": NAME, **variables}
    prepared = manage("shell", "-v", "0", "-c", PREPARE % runs, timeout=300, DATA_DIR=str(folder), **given)
    assert prepared.returncode == 0, prepared.stderr[-2000:]
    with started("web", folder, PORT=str(port), DEBUG="", **given) as (process, log):
        found = Website(port, log=log, **json.loads(prepared.stdout.splitlines()[-1]))
        try:
            until(lambda: alive(port), process)
            yield found
        finally:
            for visitor in found.visitors:
                visitor.connection.close()
