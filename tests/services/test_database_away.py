"""PostgreSQL stopped, started and cut off under a web server that keeps its connections: 503 meanwhile, and then as before."""

import threading
from collections.abc import Iterator

import psycopg
import pytest
from django.conf import settings

from tests.services import servers
from tests.services.conftest import until
from tests.services.servers import Server, give_tables
from tests.support.website import Reply, Website, website

# One web server for all of the file.
pytestmark = pytest.mark.xdist_group("database_away")
ASKED = {"question": "What was Apple's revenue in FY2024?"}
NO_WAIT = {"Prefer": "respond-async"}


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    """A cluster that a test may stop and start."""
    with servers.postgres() as found:
        yield found


@pytest.fixture(scope="module")
def site(django_db_setup: None, postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Website]:
    """A web server that keeps its connections for longer than any test takes."""
    give_tables(postgres.url)
    variables = {"DATABASE_URL": f"{postgres.url}?conn_max_age=600", "REDIS_URL": settings.REDIS_URL}
    with website(tmp_path_factory.mktemp("site"), **variables) as found:
        yield found


def visits(site: Website) -> dict[str, Reply]:
    visitor, bearer = site.visitor(), {"Authorization": f"Bearer {site.token}"}
    (run,) = site.runs
    found = {f"GET {path}": visitor.ask("GET", f"/api/v1/{path}") for path in ("health", "usage", f"runs/{run}")}
    found |= {f"token {path}": visitor.ask("GET", f"/api/v1/{path}", **bearer) for path in ("companies", "runs")}
    found["POST ask"] = visitor.ask("POST", "/api/v1/ask", ASKED, **bearer, **NO_WAIT)
    found["POST search"] = visitor.ask("POST", "/api/v1/search", {"q": "competition"}, **bearer)
    found["page"] = visitor.ask("GET", "/history")
    found["poll"] = visitor.poll(run)
    return found


def test_a_server_that_is_stopped_is_503_and_answers_by_itself_once_it_is_back(
    site: Website, postgres: Server
) -> None:
    for _ in range(8):  # of each thread one connection
        before = {name: reply.status for name, reply in visits(site).items()}
    assert set(before.values()) == {200, 202}
    for _ in range(2):
        postgres.stop()
        away = visits(site)
        assert {name: reply.status for name, reply in away.items()} == dict.fromkeys(before, 503)
        assert {reply.headers.get("Retry-After") for reply in away.values()} == {"5"}
        for name, reply in away.items():
            if name not in {"page", "poll"}:
                assert reply.headers["Content-Type"] == "application/problem+json"
                assert reply.reason == "unavailable"
        assert "<h1>The database does not answer</h1>" in away["page"].text
        assert site.visitor().ask("GET", "/readyz").status == 503
        assert site.visitor().ask("GET", "/healthz").status == 200
        postgres.start()
        # The first request of each kept connection, too.
        for _ in range(8):
            assert {name: reply.status for name, reply in visits(site).items()} == before
    assert "Internal Server Error" not in site.log.read_text()


def test_a_connection_that_is_cut_in_the_middle_of_a_request_is_503_once(site: Website, postgres: Server) -> None:
    replies: list[Reply] = []
    bearer = {"Authorization": f"Bearer {site.token}"}
    sent = (
        lambda: replies.append(site.visitor().poll(site.runs[0])),
        lambda: replies.append(site.visitor().ask("POST", "/api/v1/ask", ASKED, **bearer, **NO_WAIT)),
    )
    with psycopg.connect(postgres.url, autocommit=True) as operator:
        waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid <> pg_backend_pid()"
        with psycopg.connect(postgres.url) as other:
            other.execute("LOCK TABLE agent_run IN ACCESS EXCLUSIVE MODE")
            requests = [threading.Thread(target=one) for one in sent]
            for one in requests:
                one.start()
            until(lambda: len(operator.execute(waiting).fetchall()) == len(sent), "requests that wait for the table")
            for (pid,) in operator.execute(waiting).fetchall():
                operator.execute("SELECT pg_terminate_backend(%s)", [pid])
            for one in requests:
                one.join(30)
    assert [(reply.status, reply.headers.get("Retry-After")) for reply in replies] == [(503, "5")] * len(sent)
    assert {reply.status for reply in visits(site).values()} == {200, 202}


def test_a_column_that_is_missing_is_an_error_of_ours(site: Website, postgres: Server) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as operator:
        operator.execute("ALTER TABLE agent_run RENAME COLUMN question TO other")
        reply = site.visitor().ask("GET", f"/api/v1/runs/{site.runs[0]}")
        operator.execute("ALTER TABLE agent_run RENAME COLUMN other TO question")
    assert (reply.status, reply.reason) == (500, "failed")
