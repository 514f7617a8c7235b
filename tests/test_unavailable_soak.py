"""A PostgreSQL that goes away for a while under a hundred open pages: nothing fails, and all are answered soon after."""

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services import servers
from tests.support.website import Reply, Website, website

POLLERS, EVERY = 100, 1.0
# Seconds with the database, without it, and with it again; and within how many all are answered once it is back.
BEFORE, AWAY, AFTER, SOON = 5.0, 20.0, 15.0, 5.0


@pytest.fixture
def postgres() -> Iterator[servers.Server]:
    try:
        with servers.postgres() as found:
            yield found
    except servers.Missing as missing:
        pytest.skip(str(missing))


def poller(site: Website, run: str, until: float, seen: list[tuple[float, Reply]]) -> None:
    """One page: a poll, what it was answered and when, and again."""
    visitor = site.visitor()
    while time.monotonic() < until:
        reply = visitor.poll(run)
        seen.append((time.monotonic(), reply))
        time.sleep(EVERY)


@pytest.mark.soak
def test_a_hundred_pages_outlive_a_database_that_is_away_for_twenty_seconds(
    postgres: servers.Server, tmp_path: Path
) -> None:
    seen: list[tuple[float, Reply]] = []
    with website(tmp_path, runs=POLLERS, DATABASE_URL=postgres.url) as site:
        until = time.monotonic() + BEFORE + AWAY + AFTER
        pages = [threading.Thread(target=poller, args=(site, run, until, seen)) for run in site.runs]
        for page in pages:
            page.start()
        time.sleep(BEFORE)
        gone = time.monotonic()
        postgres.stop()
        time.sleep(AWAY)
        postgres.start()
        back = time.monotonic()
        for page in pages:
            page.join()
        health = site.visitor().ask("GET", "/api/v1/health")
    counted = Counter(reply.status for _, reply in seen)
    last = max((at for at, reply in seen if reply.status == 503), default=gone) - back
    sys.stdout.write(f"{dict(counted)}, the last 503 {last:.1f} s after the database was back\n")
    assert set(counted) == {200, 503}
    assert all("Retry-After" in reply.headers for _, reply in seen if reply.status == 503)
    assert {reply.status for at, reply in seen if at > back + SOON} == {200}
    assert health.status == 200
    assert "Internal Server Error" not in site.log.read_text()
