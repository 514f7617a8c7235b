"""The processes of the Procfile as they are started: their logs, and the file by which they show that they turn."""

import http.client
import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.services.servers import free_port
from tests.support.away import silent
from tests.support.processes import ROOT, environment, manage

PATIENCE = 60.0
NAME = "Jane Roe jane@example.com"
COMMANDS = dict(line.split(": exec ", 1) for line in (ROOT / "Procfile").read_text(encoding="utf-8").splitlines())


def until(met: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Wait for a condition, while a process lives."""
    deadline = time.monotonic() + PATIENCE
    while not met():
        assert process.poll() is None, "the process has ended"
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.1)


@contextmanager
def started(name: str, folder: Path, **variables: str) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """A process of the Procfile and the file of its log; ended with the block."""
    path = f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}"
    log = folder / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            COMMANDS[name].split(),
            cwd=ROOT,
            env=environment(DEBUG="1", EDGAR_IDENTITY=NAME, DATA_DIR=str(folder), PATH=path, **variables),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process, log
        finally:
            process.terminate()
            process.wait(PATIENCE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A DATA_DIR with its tables."""
    done = manage("migrate", "--verbosity", "0", DEBUG="1", DATA_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    return tmp_path


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(port: int, method: str = "GET") -> bool:
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        asked.request(method, "/healthz")
        return asked.getresponse().status == 200
    except OSError:
        return False
    finally:
        asked.close()


def test_each_line_of_the_web_server_is_json_its_own_server_s_too(folder: Path) -> None:
    port = free_port()

    def answers() -> bool:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/nowhere", timeout=30)
        except urllib.error.HTTPError as error:
            return error.code == 404
        except OSError:
            return False
        return True

    with started("web", folder, PORT=str(port), WEB_WORKERS="1", LOG_FORMAT="json") as (process, log):
        until(answers, process)
        os.kill(children(process.pid)[0], signal.SIGKILL)
        until(lambda: "SIGKILL" in log.read_text(), process)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {"django.request", "gunicorn.error"} <= {line["logger"] for line in lines}


def test_a_body_that_is_not_read_does_not_end_its_connection(folder: Path) -> None:
    port = free_port()
    with started("web", folder, PORT=str(port), WEB_WORKERS="1") as (process, _):
        until(lambda: alive(port), process)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json"}
        for path, size in [("/api/v1/ask", 1_000_000), ("/", 3_000_000)] * 10:
            connection.request("POST", path, b"x" * size, headers)
            refused = connection.getresponse()
            assert refused.status == 413
            refused.read()
            # No new connection is opened for it.
            connection.auto_open = 0
            connection.request("GET", "/healthz")
            assert connection.getresponse().read() == b'{"alive": true}'
        connection.close()


def test_a_database_that_says_nothing_is_told_in_time_and_the_process_lives(folder: Path) -> None:
    port = free_port()
    with silent() as address:
        database = f"postgres://diligence:password@{address}/diligence"
        with started("web", folder, PORT=str(port), WEB_WORKERS="1", DATABASE_URL=database) as (process, log):
            until(lambda: alive(port), process)
            begun = time.monotonic()
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=PATIENCE)
            assert time.monotonic() - begun < 15
            told = json.load(refused.value)["parts"]
            assert refused.value.code == 503
            assert told["database"] == {"ok": False, "reason": "The database does not answer."}
            assert told["index"] == {"ok": False, "reason": "Not known: the database does not answer."}
            assert alive(port, "HEAD")
        assert "body" not in log.read_text()


@pytest.mark.parametrize("name", ["worker-answer", "beat"])
def test_a_process_without_an_address_touches_its_file(name: str, folder: Path) -> None:
    alive = folder / "alive"
    with started(name, folder, ALIVE_PATH=str(alive)) as (process, _):
        until(alive.exists, process)
        os.utime(alive, (0, 0))
        if name == "worker-answer":
            until(lambda: alive.stat().st_mtime > 0, process)
