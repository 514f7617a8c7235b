"""Slow clients and unread bodies for a minute: at the web server, and behind the proxies as docs/installing.md has them."""

import http.client
import re
import shutil
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.services.servers import free_port
from tests.support.processes import ROOT
from tests.support.procfile import alive, started, until
from tests.support.slow_clients import asked, slow_clients

pytestmark = [pytest.mark.soak, pytest.mark.alone]

SECONDS, SLOW = 60.0, 50
PAGE = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
NGINX = """
daemon off; pid {folder}/pid; error_log stderr; worker_processes 1;
events {{ worker_connections 1024; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; {block} }}
}}
"""


def documented(first: str) -> str:
    """The block of the page in which a line begins so."""
    (found,) = re.findall(rf"^```\n((?:(?!```).)*^{re.escape(first)}.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


def caddy(folder: Path, port: int, behind: int) -> list[str]:
    """The command of Caddy with the documented block, without https."""
    text = documented("diligence.example.com {").replace("127.0.0.1:8000", f"127.0.0.1:{behind}")
    text = text.replace("diligence.example.com", f"http://127.0.0.1:{port}").replace("{\n", "{\n    admin off\n", 1)
    if "2.6.2" in subprocess.run(["caddy", "version"], capture_output=True, text=True, check=True).stdout:
        text = text.replace("request_buffers 4MiB", "buffer_requests")
    path = folder / "Caddyfile"
    path.write_text(text, encoding="utf-8")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(path)]


def nginx(folder: Path, port: int, behind: int) -> list[str]:
    """The command of nginx with the documented block."""
    block = documented("location / {").replace("127.0.0.1:8000", f"127.0.0.1:{behind}")
    path = folder / "nginx.conf"
    path.write_text(NGINX.format(folder=folder, port=port, block=block), encoding="utf-8")
    return ["nginx", "-c", str(path)]


@contextmanager
def proxied(name: str, folder: Path, behind: int) -> Iterator[int]:
    """The port at which the site is to be had: behind a proxy, or its own."""
    if name == "directly":
        yield behind
        return
    if not shutil.which(name):
        pytest.skip(f"NO {name.upper()}: apt-get install {name}")
    port = free_port()
    command = {"caddy": caddy, "nginx": nginx}[name](folder, port, behind)
    with (folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    try:
        until(lambda: alive(port), process)
        yield port
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.parametrize("name", ["directly", "caddy", "nginx"])
def test_fifty_slow_clients_for_a_minute_delay_nobody(name: str, tmp_path: Path) -> None:
    behind = free_port()
    with (
        started("web", tmp_path, PORT=str(behind), TRUSTED_PROXY_COUNT="0" if name == "directly" else "1") as (
            process,
            _,
        ),
    ):
        until(lambda: alive(behind), process)
        with proxied(name, tmp_path, behind) as port, slow_clients(port, SLOW, every=2.0):
            took = asked(port, SECONDS)
    answered = [seconds for seconds in took if seconds is not None]
    assert len(answered) == len(took) > SECONDS
    percentile = statistics.quantiles(answered, n=20)[-1]
    said = f"{name}: {len(took)} answers, median {statistics.median(answered):.3f} s, p95 {percentile:.3f} s"
    print(said)  # noqa: T201 - in the report of the soak
    assert percentile <= 1.0


@pytest.mark.parametrize("name", ["directly", "caddy", "nginx"])
def test_bodies_that_nobody_reads_lose_no_request_of_others(name: str, tmp_path: Path) -> None:
    behind, lost, over = free_port(), [], threading.Event()

    def leave(port: int) -> None:
        """Send bodies that are not read, one connection after another."""
        head = "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: {0}\r\n\r\n"
        for number in range(400):
            if over.is_set():
                return
            size = (70_000, 900_000)[number % 2]
            with socket.create_connection(("127.0.0.1", port), 30) as connection:
                connection.sendall(head.format(size).encode() + b"x" * size)
                connection.recv(4096)

    with started("web", tmp_path, PORT=str(behind)) as (process, _):
        until(lambda: alive(behind), process)
        with proxied(name, tmp_path, behind) as port:
            hostile = threading.Thread(target=leave, args=(port,))
            hostile.start()
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            until_then, sent = time.monotonic() + SECONDS / 2, 0
            while time.monotonic() < until_then:
                connection.request("POST", "/api/v1/nowhere", b"{}", {"Content-Type": "application/json"})
                status = connection.getresponse()
                status.read()
                sent += 1
                if status.status != 404:
                    lost.append(status.status)
                time.sleep(0.02)
            connection.close()
            over.set()
            hostile.join()
    assert (sent > 100, lost) == (True, [])
