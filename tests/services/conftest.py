"""Tests here run on the PostgreSQL, the Redis and the Elasticsearch that `make test-services` has started."""

import fcntl
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from filings.models import Company
from tests.services.search_node import Elasticsearch
from tests.support.processes import ROOT, environment

# The longest of the groups of pytest-xdist, which is begun first: those who hold the node for long, behind each other.
holds_the_node = pytest.mark.xdist_group("node")
PATIENCE = 120.0  # seconds for what takes one or two: two tests, and all that they start, share the machine


@pytest.fixture(autouse=True)
def services() -> None:
    if connection.vendor != "postgresql" or not settings.REDIS_URL:
        pytest.skip("needs PostgreSQL and Redis: make test-services")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.services)


def until(true: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    """Wait for something that happens in another process."""
    deadline = time.monotonic() + patience
    while not true():
        assert time.monotonic() < deadline, f"not within {patience:.0f} s: {what}"
        time.sleep(0.05)


class Worker:
    """A worker as the Procfile starts it, in a process group of its own, on the test's database and Redis."""

    def __init__(self, data_dir: Path, *work: str, **variables: str) -> None:
        self.work = work or ("answer", "ingest")
        database = connection.settings_dict
        url = f"postgres://{database['USER']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
        self.variables: dict[str, str] = {
            "DATABASE_URL": url,
            "REDIS_URL": settings.REDIS_URL,
            "SECRET_KEY": settings.SECRET_KEY,
            "DATA_DIR": str(data_dir),
            # The model as it is run is built once, for all of them.
            "VECTORS_DIR": str(settings.VECTORS_DIR),
            "EDGAR_IDENTITY": settings.EDGAR_IDENTITY,
            "EDGAR_BASE_URL": settings.EDGAR_BASE_URL,
            "WORKER_CONCURRENCY": "answer=2",
            **variables,
        }
        self.log = data_dir / "worker.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "manage.py", "worker", *self.work]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment(**self.variables),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def kill(self) -> None:
        """As when the machine takes it away: no goodbye, children included."""
        assert self.process
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None

    def stop(self) -> None:
        """As a supervisor stops it: a signal to the whole group."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


@pytest.fixture
def empty(transactional_db: None) -> None:
    """A database and a queue with nothing in them. The first test of a session finds the sample, which has a
    Northwind Instruments too."""
    from diligence.celery import app

    if Company.objects.exists():
        call_command("flush", verbosity=0, interactive=False)
    app.control.purge()


@pytest.fixture
def worker(tmp_path: Path, empty: None) -> Iterator[Worker]:
    """A worker, not started yet."""
    found = Worker(tmp_path)
    yield found
    found.stop()
    if found.log.exists():
        sys.stdout.write(found.log.read_text()[-8000:])  # which is shown where the test failed


@contextmanager
def held(how: int) -> Iterator[None]:
    """The one Elasticsearch, LOCK_SH with the tests of other processes or LOCK_EX alone."""
    with (Path(os.environ["TEST_ELASTICSEARCH_HOME"]) / "lock").open("a") as lock:
        fcntl.flock(lock, how)
        yield


@pytest.fixture
def alone() -> Iterator[None]:
    """For tests that kill, hang or starve the node: it is named before `elastic`."""
    if not os.environ.get("TEST_ELASTICSEARCH_HOME"):
        pytest.skip("needs an Elasticsearch node of its own, not the one at ELASTICSEARCH_URL")
    with held(fcntl.LOCK_EX):
        yield


@pytest.fixture
def elastic(settings: Settings, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a real Elasticsearch, in which this test has an alias of its own."""
    url = os.environ.get("TEST_ELASTICSEARCH_URL")
    if not url:
        pytest.skip("needs Elasticsearch: make test-services says why there is none")
    if os.environ.get("TEST_ELASTICSEARCH_HOME") and "alone" not in request.fixturenames:
        with held(fcntl.LOCK_SH):
            yield from alias(url, settings)
    else:
        yield from alias(url, settings)


def alias(url: str, settings: Settings) -> Iterator[str]:
    from filings.search.elastic_calls import client

    settings.ELASTICSEARCH_URL, settings.ELASTICSEARCH_INDEX = url, f"t{uuid.uuid4().hex[:12]}"
    settings.ELASTICSEARCH_TIMEOUT = 10.0
    yield url
    settings.ELASTICSEARCH_TIMEOUT = 30.0
    with client() as found:
        for name in found.indices.get(index=f"{settings.ELASTICSEARCH_INDEX}*").body:
            found.indices.delete(index=name)


@pytest.fixture
def node(alone: None, elastic: str) -> Iterator[Elasticsearch]:
    """The server's process, for tests that kill or hang it; up and answering again afterwards."""
    found = Elasticsearch(Path(os.environ["TEST_ELASTICSEARCH_HOME"]), int(elastic.rpartition(":")[2]))
    yield found
    if running(found):
        found.run("resume")
    found.run("start")


def running(node: Elasticsearch) -> bool:
    """Whether its process is there, hung or not."""
    try:
        os.kill(int((node.home / "node.pid").read_text()), 0)
    except (OSError, ValueError):
        return False
    return True
