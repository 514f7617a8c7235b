"""What `make run` starts: web and workers on SQLite and the filesystem broker, and their clean end."""

import http.cookiejar
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from tests.services.conftest import until
from tests.services.servers import free_port
from tests.support.processes import ROOT, environment, living, manage

BIN = Path(sys.executable).parent
OPENER = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))


def answers(url: str) -> bool:
    try:
        return bool(OPENER.open(url, timeout=10).status == 200)
    except OSError:
        return False


@pytest.mark.parametrize("how", [pytest.param(signal.SIGINT, marks=pytest.mark.soak), signal.SIGTERM])
def test_it_starts_answers_and_ends_without_a_trace(tmp_path: Path, how: signal.Signals) -> None:
    port = free_port()
    variables = {"DEBUG": "1", "DATA_DIR": str(tmp_path / "data"), "PORT": str(port), "LOG_LEVEL": "WARNING"}
    variables["VECTORS_DIR"] = str(settings.VECTORS_DIR)
    prepared = manage("migrate", "--verbosity", "0", **variables)
    assert prepared.returncode == 0, prepared.stderr
    log = (tmp_path / "log").open("w+")
    process = subprocess.Popen(
        [BIN / "honcho", "--env", os.devnull, "start"],
        cwd=ROOT,
        env={**environment(**variables), "PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONUNBUFFERED": "1"},
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        until(lambda: answers(f"http://127.0.0.1:{port}/companies"), "a page")
        address = ask(port, "Will the moon be made of cheese next year?")
        until(lambda: "Not answered" in text_of(address), "a refusal, which needs a worker")
        pids = {int(pid) for pid in re.findall(r"started \(pid=(\d+)\)", (tmp_path / "log").read_text())}
        assert len(pids) == 4
    finally:
        os.killpg(process.pid, how)
        process.wait(30)
        log.close()
    said = (tmp_path / "log").read_text()
    assert "Traceback" not in said
    assert living(sessions=pids | {process.pid}) == []


def text_of(address: str) -> str:
    return str(OPENER.open(address, timeout=10).read().decode())


def ask(port: int, question: str) -> str:
    """Ask as a browser without JavaScript does; the address of the run."""
    page = text_of(f"http://127.0.0.1:{port}/")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token
    form = urllib.parse.urlencode({"question": question, "csrfmiddlewaretoken": token[1]}).encode()
    return str(OPENER.open(f"http://127.0.0.1:{port}/ask", form, timeout=10).url)


def test_a_port_in_use_is_a_clear_error(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = manage("prepare", "--port", port, DEBUG="1", DATA_DIR=str(tmp_path))
    assert result.returncode == 1
    assert f"Port {port} cannot be used" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("port", ["abc", "-1", "70000", ""])
def test_a_port_that_is_none_is_a_clear_error(port: str) -> None:
    with pytest.raises(CommandError, match="PORT must be a number"):
        call_command("prepare", f"--port={port}")


def test_the_demo_account_is_refused_outside_debug() -> None:
    with pytest.raises(CommandError, match="only with DEBUG=1"):
        call_command("demo_account")
