"""The processes of the Procfile as they are started: their logs, and the file by which they show that they turn."""

import json
import os
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from tests.services.servers import free_port
from tests.support.away import silent
from tests.support.processes import forked
from tests.support.procfile import PATIENCE, alive, children, started, until
from tests.support.sample import copied_into


@pytest.fixture
def folder(tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Path:
    """A DATA_DIR with tables: those of the test database with all that they hold, where that is a file."""
    with django_db_blocker.unblock():
        copied_into(tmp_path)
    if connection.vendor == "sqlite":
        return tmp_path
    done = forked("manage.py", "migrate", "--verbosity", "0", DEBUG="1", DATA_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    return tmp_path


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


def test_a_database_that_says_nothing_is_told_in_time_and_the_process_lives(tmp_path: Path) -> None:
    port = free_port()
    with silent() as address:
        database = f"postgres://diligence:password@{address}/diligence"
        with started("web", tmp_path, PORT=str(port), WEB_WORKERS="1", DATABASE_URL=database) as (process, log):
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


def test_what_a_web_process_has_loaded_is_not_looked_at_by_each_collection(tmp_path: Path) -> None:
    code = "import gc, diligence.wsgi; print(gc.get_freeze_count() > len(gc.get_objects()), gc.isenabled())"
    done = forked("-c", code, DATA_DIR=str(tmp_path), SECRET_KEY="x")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", "True"]
