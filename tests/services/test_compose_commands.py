"""What compose.yaml starts, with its own commands, variables and health checks: set up, ready, asked, and ended."""

import os
import re
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from django.db import connection
from pytest_django import Settings

from tests.services.composed import Proxy, Service, uncontained
from tests.services.conftest import PATIENCE, holds_the_node, until
from tests.services.servers import free_port, redis
from tests.support.processes import ROOT
from tests.test_compose import OURS, SECRETS

pytestmark = holds_the_node
FIGURE = "What was Apple's revenue in FY2024?"
PROSE = "What supply risks did Northwind disclose in fiscal 2025?"
BEAT_SECONDS = 60.0  # between two sweeps
# What a message that was lost leaves of a run, and a search server that was away of a filing.
LOSE_A_RUN = (
    "UPDATE agent_run SET status = 'queued', queued = NULL, heartbeat = NULL, finished = NULL, answer = NULL,"
    " outcome = '', summary = '', created = created - interval '1 hour' WHERE id = %s"
)
LOSE_A_FILING = (
    "UPDATE filings_filing SET indexed = '' WHERE id = (SELECT min(id) FROM filings_filing WHERE indexed <> '')"
)
WAITING = "SELECT count(*) FROM filings_filing WHERE indexed = '' AND chunks_stored > 0"
LOOKED = "SELECT checked FROM filings_health WHERE subject = 'index'"
DONE = "SELECT count(*) FROM agent_run WHERE id = %s AND status = 'done'"


@pytest.fixture
def database() -> Iterator[psycopg.Connection]:
    """The empty database that compose.yaml's PostgreSQL makes, on the server of the tests."""
    told = connection.settings_dict
    server = f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute("CREATE DATABASE diligence")
        with psycopg.connect(f"{server}/diligence", autocommit=True) as held:
            yield held
        admin.execute("DROP DATABASE diligence WITH (FORCE)")


@pytest.fixture
def stack(
    tmp_path: Path, database: psycopg.Connection, elastic: str, settings: Settings
) -> Iterator[dict[str, Service]]:
    """The services of compose.yaml that are ours, none of them started."""
    port = str(free_port())
    # The node outlives the test.
    others = {"ELASTICSEARCH_OPTIONS": f"index={settings.ELASTICSEARCH_INDEX}"}
    others["DJANGO_SETTINGS_MODULE"] = "tests.services.patient"
    with redis(urlsplit(SECRETS["redis_url"]).password or "") as broker:
        places = {
            "postgres:5432": f"{database.info.host}:{database.info.port}",
            "redis:6379": broker.url.rpartition("@")[2].partition("/")[0],
            "elasticsearch:9200": elastic.removeprefix("http://"),
            "localhost:8000": f"localhost:{port}",
        }
        found = {name: Service(name, tmp_path, places, **others) for name in OURS}
        found["web"].environment["PORT"] = port
        yield found
        for service in found.values():
            if service.process and service.process.poll() is None:
                os.killpg(service.process.pid, 9)
                service.process.wait()
            if service.log.exists():
                sys.stdout.write(f"--- {service.log.name}\n{service.log.read_text()[-4000:]}")


@pytest.fixture
def visitor(stack: dict[str, Service]) -> Iterator[httpx.Client]:
    """Somebody's browser, with https as compose.yaml has it where HTTPS is not said."""
    address = f"https://127.0.0.1:{stack['web'].environment['PORT']}"
    with httpx.Client(
        base_url=address, transport=Proxy(), headers={"Origin": address}, follow_redirects=True, timeout=30
    ) as browser:
        yield browser


def asked(visitor: httpx.Client, question: str) -> httpx.URL:
    """Ask by the page's own form; the address of the run."""
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', visitor.get("/").text)
    assert token
    assert visitor.post("/ask", data={"question": question}).status_code == 403
    reply = visitor.post("/ask", data={"question": question, "csrfmiddlewaretoken": token[1]})
    assert (reply.status_code, len(reply.history)) == (200, 1), reply.text
    return reply.url


def listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@pytest.mark.parametrize("name", OURS)
def test_what_compose_starts_writes_to_its_volumes_and_to_memory_only(name: str, tmp_path: Path) -> None:
    if why := uncontained():
        pytest.skip(f"services of compose.yaml run on a file system that they can write to: {why}")
    service = Service(name, tmp_path, {})
    for folder in service.writable.values():
        assert service.run("touch", f"{folder}/written").returncode == 0
        assert (folder / "written").exists()
    for folder in (ROOT, Path(sys.prefix), tmp_path, Path("/")):
        assert "Read-only file system" in service.run("touch", str(folder)).stderr
    held = service.run("grep", "-E", "^(CapEff|NoNewPrivs):", "/proc/self/status").stdout.split()
    assert held == ["CapEff:", "0" * 16, "NoNewPrivs:", "1"]


def test_what_compose_starts_is_set_up_ready_asked_and_ended(
    stack: dict[str, Service], visitor: httpx.Client, database: psycopg.Connection
) -> None:
    for _ in range(2):  # as the release is started, and started again
        stack["setup"].start()
        assert stack["setup"].ended(300) == 0
    web = stack["web"]
    web.start()
    # Rows and ports are looked at until something is there, and then what a person asks for: that takes a processor.
    until(lambda: listens(int(web.environment["PORT"])), "a web server that listens")
    until(web.is_healthy, "a web server that is healthy")
    style = re.search(r'href="(/static/[^"]+\.css)"', visitor.get("/").text)
    assert style
    assert visitor.get(style[1]).status_code == 200
    assert visitor.get("/healthz").json() == {"alive": True}
    unready = visitor.get("/readyz")
    assert (unready.status_code, unready.json()["parts"]["index"]["ok"]) == (503, False)

    running = {name: service for name, service in stack.items() if name != "setup"}
    for service in running.values():
        if service is not web:
            service.start()
    for name, service in running.items():
        until(service.is_healthy, f"{name} is healthy")
    until(lambda: database.execute(LOOKED).fetchone(), "a worker that has looked at the index")
    until(lambda: visitor.get("/readyz").status_code == 200, "a web server that knows of it")
    parts = visitor.get("/readyz").json()["parts"]
    assert parts == {name: {"ok": True} for name in ("database", "broker", "disk", "index")}

    figure, prose = asked(visitor, FIGURE), asked(visitor, PROSE)

    def value(query: str, *given: str) -> Any:
        return database.execute(query, given).fetchone()[0]  # type: ignore[index] # of an aggregate or a row that is there

    def answered(run: httpx.URL) -> bool:
        return bool(value(DONE, run.path.rpartition("/")[2]))

    until(lambda: answered(figure) and answered(prose), "both answers")
    assert "$391,035" in visitor.get(figure).text
    assert "<blockquote" in visitor.get(prose).text
    assert "Northwind" in visitor.get(prose).text

    # Nobody sends these but beat: workers have swept as they started, and both have answered since.
    looked = value(LOOKED)
    database.execute(LOSE_A_RUN, [figure.path.rpartition("/")[2]])
    database.execute(LOSE_A_FILING)
    assert value(WAITING) == 1
    until(lambda: answered(figure), "the figure again", BEAT_SECONDS + PATIENCE)
    assert "$391,035" in visitor.get(figure).text
    assert value("SELECT max(attempt) FROM agent_run") == 2
    until(lambda: value(WAITING) == 0, "the filing indexed again")
    until(lambda: value(LOOKED) > looked, "another look at the index")

    for service in running.values():
        assert service.process
        service.process.terminate()  # it alone, as a container's first process hands it on
    # Background work gives way to all else that this machine does meanwhile: the grace is for a machine to itself.
    ending = time.monotonic()
    for name, service in running.items():
        patience = max(service.grace, PATIENCE)
        assert service.ended(max(0.0, ending + patience - time.monotonic())) == 0, name
        errors = [line for line in service.log.read_text().splitlines() if '"level": "ERROR"' in line]
        assert not [line for line in errors if "/readyz" not in line], name
        assert "Read-only file system" not in service.log.read_text(), name
