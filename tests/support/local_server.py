"""A real HTTP server on this machine, and what may go wrong with it: the base of those that answer as a service does."""

import re
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

# Five seconds of it.
MOST_TRICKLED = 100


@dataclass
class Fault:
    """What goes wrong on paths that match, `times` times. `truncate` keeps Content-Length and closes early.

    `trickle` sends a byte each twentieth of a second: of the "body", or of the "headers" already.
    """

    match: str = ""
    times: int = 1
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"<html>injected</html>"
    truncate: int | None = None
    delay: float = 0.0
    trickle: str = ""


def trickled(handler: BaseHTTPRequestHandler, content: bytes) -> None:
    """Send a byte, and again after a while, until whoever asked is gone."""
    with suppress(BrokenPipeError, ConnectionResetError):
        for byte in content[:MOST_TRICKLED]:
            handler.wfile.write(bytes([byte]))
            time.sleep(0.05)
    handler.close_connection = True


class LocalServer:
    """Answers at `url`, on loopback, while it is entered; a subclass says what, in `reply`."""

    def __init__(self) -> None:
        self.faults: list[Any] = []
        self.lock = threading.Lock()
        local = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: Any) -> None:
                pass

            def do_GET(self) -> None:
                local.reply(self)

            do_POST = do_PUT = do_GET

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def reply(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer one request, on a thread of its own."""
        raise NotImplementedError

    def fault(self, path: str) -> Any:
        """The fault that is due on a path, its delay waited for; None where there is none."""
        with self.lock:
            found = next((rule for rule in self.faults if rule.times > 0 and re.search(rule.match, path)), None)
            if found:
                found.times -= 1
        if found and found.delay:
            time.sleep(found.delay)
        return found


def asked(handler: BaseHTTPRequestHandler) -> bytes:
    """The body of a request."""
    return handler.rfile.read(int(handler.headers.get("Content-Length") or 0))


def send(
    handler: BaseHTTPRequestHandler, status: int, headers: Mapping[str, str], body: bytes, truncate: int | None = None
) -> None:
    """Send an answer, cut after so many bytes where `truncate` says so; whoever asked may be gone."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    if status != 304:
        handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    if truncate is not None:
        body, handler.close_connection = body[:truncate], True
    try:
        handler.wfile.write(body)
    except (BrokenPipeError, ConnectionResetError):
        handler.close_connection = True
