"""What a client that sends slowly, leaves its body unread or never reads can do to others: nothing."""

import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from pytest_django import Settings

from diligence import web_server
from diligence.web_server import Server
from tests.services.servers import free_port
from tests.support.procfile import alive, started, until
from tests.support.slow_clients import BODY, asked, slow_clients

Start = Callable[[str, list[tuple[str, str]]], Any]


def application(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    """Reads no body; says which address was asked."""
    answer = environ["PATH_INFO"].encode() * int(environ.get("HTTP_X_TIMES", "1"))
    start("200 OK", [("Content-Length", str(len(answer)))])
    return [answer]


class Serving:
    """A server of this process on a thread of its own."""

    def __init__(self, proxies: int = 0) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.server = Server(self.listener, application, threads=2, keepalive=15, proxies=proxies)
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        while not self.over.is_set():
            self.server.turn()
        connections.close_all()

    def connect(self, sent: bytes = b"") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), 10)
        connection.sendall(sent)
        return connection

    def end(self) -> None:
        self.over.set()
        self.server.pull_trigger()
        self.thread.join()
        self.server.task_dispatcher.shutdown()
        for channel in list(self.server.active_channels.values()):
            channel.handle_close()
        self.server.close()


@pytest.fixture
def serving() -> Iterator[Serving]:
    found = Serving()
    yield found
    found.end()


def everything(connection: socket.socket) -> bytes:
    """What comes until the server closes the connection."""
    with connection:
        found = b""
        while part := connection.recv(65536):
            found += part
        return found


def get(path: str, *lines: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


def test_fifty_slow_clients_keep_nobody_else_waiting(site: int) -> None:
    with slow_clients(site, 50, every=0.5):
        took = asked(site, 3)
    assert None not in took
    assert len(took) >= 5


def test_a_request_that_is_not_whole_in_time_is_refused(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "REQUEST_SECONDS", 0.5)
    begun = [serving.connect(sent) for sent in (BODY, b"GET / HTTP/1.1\r\nHost: loc")]
    for connection in begun:
        assert everything(connection).split(b" ")[1] == b"408"


def test_each_byte_does_not_begin_the_time_anew(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "REQUEST_SECONDS", 0.5)
    connection = serving.connect(BODY)
    connection.settimeout(0.1)
    for _ in range(100):
        connection.sendall(b"x")
        with suppress(TimeoutError):
            answer = connection.recv(65536)
            break
    assert answer.split(b" ")[1] == b"408"
    connection.close()


def test_an_address_has_only_so_many_unfinished_requests(serving: Serving) -> None:
    held = [serving.connect(BODY) for _ in range(web_server.MOST_UNFINISHED)]
    refused = everything(serving.connect(BODY))
    assert refused.split(b" ")[1] == b"429"
    assert b"Connection: close" in refused
    # Whole requests of the same address are answered.
    assert everything(serving.connect(get("/whole", "Connection: close"))).endswith(b"/whole")
    held.pop().close()
    time.sleep(0.3)
    assert everything(serving.connect(get("/", "Connection: close"))).startswith(b"HTTP/1.1 200")
    for connection in held:
        connection.close()


def test_behind_a_proxy_it_is_the_address_that_the_proxy_saw(settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    serving = Serving(proxies=1)

    def sent(address: str) -> bytes:
        return BODY.replace(b"Host:", f"X-Forwarded-For: {address}\r\nHost:".encode())

    held = [serving.connect(sent("192.0.2.1")) for _ in range(web_server.MOST_UNFINISHED)]
    try:
        assert everything(serving.connect(sent("192.0.2.1"))).split(b" ")[1] == b"429"
        other = serving.connect(sent("192.0.2.2"))
        other.settimeout(0.5)
        with pytest.raises(TimeoutError):
            other.recv(1)
        other.close()
    finally:
        for connection in held:
            connection.close()
        serving.end()


def test_when_there_are_too_many_connections_who_has_waited_longest_gives_way(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "MOST_CONNECTIONS", 5)
    first, *others = (serving.connect() for _ in range(5))
    time.sleep(0.3)
    last = serving.connect(get("/last", "Connection: close"))
    assert everything(last).endswith(b"/last")
    assert everything(first) == b""
    for connection in others:
        connection.close()


def test_who_does_not_read_holds_no_thread(serving: Serving) -> None:
    lazy = [serving.connect(get("/" + "x" * 1000, "X-Times: 5000")) for _ in range(4)]
    time.sleep(0.3)
    # There are two threads.
    assert everything(serving.connect(get("/", "Connection: close"))).startswith(b"HTTP/1.1 200")
    for connection in lazy:
        connection.close()


@pytest.mark.parametrize("size", [70_000, 2_000_000, 3_000_000])
def test_a_body_that_nobody_reads_harms_no_request_behind_it(serving: Serving, size: int) -> None:
    unread = f"POST /first HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n".encode() + b"x" * size
    answers = everything(serving.connect(unread + get("/second") + unread + get("/last", "Connection: close")))
    assert answers.count(b"HTTP/1.1 200 OK") == 4
    assert answers.endswith(b"/last")


def test_a_body_beyond_any_is_refused_and_the_connection_said_to_end(serving: Serving) -> None:
    lines = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {web_server.MOST_BODY + 1}\r\n\r\n"
    refused = everything(serving.connect(lines.encode()))
    assert refused.split(b" ")[1] == b"413"
    assert b"Connection: close" in refused


def test_files_may_be_longer_where_they_are_brought_by_somebody_known(serving: Serving, settings: Settings) -> None:
    settings.IMPORT_MOST_BYTES = 2 * web_server.MOST_BODY
    size = web_server.MOST_BODY + 1

    def answered(path: str, *lines: str, size: int = size) -> bytes:
        head = "\r\n".join(
            [f"POST {path} HTTP/1.1", "Host: localhost", "Connection: close", f"Content-Length: {size}", *lines]
        )
        connection = serving.connect(f"{head}\r\n\r\n".encode())
        with suppress(OSError):  # it is answered before it is sent
            connection.sendall(b"x" * size)
        return everything(connection).split(b" ")[1]

    for path in ("/documents/import", "/api/v1/documents"):
        assert answered(path, "Cookie: sessionid=x") == b"200"
        assert answered(path, "Authorization: Bearer x") == b"200"
        assert answered(path, "Cookie: sessionid=x", size=3 * web_server.MOST_BODY) == b"413"
        assert answered(path) == b"413"
    assert answered("/ask", "Cookie: sessionid=x") == b"413"


@pytest.mark.parametrize("path", ["/nowhere", "/api/v1/nowhere", "/api/v1/runs", "/api/v1/ask", "/healthz", "/"])
@pytest.mark.parametrize(
    "lines",
    [
        ["Host: localhost", "Authorization: Bearer nothing"],
        ["Host: elsewhere.example"],
        ["Host: localhost", "Content-Type: text/plain; charset=utf-7"],
        ["Host: localhost", "Content-Type: application/json"],
    ],
    ids=["wrong token", "wrong host", "refused charset", "plain"],
)
def test_whatever_is_answered_the_next_request_on_its_connection_is_too(
    site: int, path: str, lines: list[str]
) -> None:
    for method, size in [("GET", 70_000), ("POST", 2_000_000), ("PUT", 70_000), ("DELETE", 2_000_000)]:
        head = "\r\n".join([f"{method} {path} HTTP/1.1", *lines, f"Content-Length: {size}", "", ""]).encode()
        connection = socket.create_connection(("127.0.0.1", site), 30)
        connection.sendall((head + b"x" * size) * 3 + get("/healthz", "Connection: close"))
        answers = everything(connection)
        assert answers.count(b"HTTP/1.1 ") == 4
        assert answers.endswith(b'{"alive": true}')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a web process without a database's tables: what is refused is refused before."""
    port = free_port()
    with started("web", tmp_path_factory.mktemp("site"), PORT=str(port), WEB_WORKERS="1") as (process, _):
        until(lambda: alive(port), process)
        yield port


def test_head_has_no_body_and_keeps_its_connection(site: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site, timeout=30)
    for _ in range(3):
        connection.request("HEAD", "/healthz")
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Content-Length"], answer.read()) == (200, "15", b"")
        connection.auto_open = 0
    connection.close()


def test_a_process_that_is_stopped_answers_what_it_has_taken(tmp_path: Path) -> None:
    port = free_port()
    with started("web", tmp_path, PORT=str(port), WEB_WORKERS="1") as (process, _):
        until(lambda: alive(port), process)
        kept = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        kept.request("GET", "/healthz")
        kept.getresponse().read()
        process.terminate()
        time.sleep(0.5)
        kept.request("GET", "/healthz")
        last = kept.getresponse()
        assert (last.status, last.headers["Connection"]) == (200, "close")
        kept.close()
