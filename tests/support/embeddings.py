"""A real HTTP server that answers as an OpenAI-compatible embedding endpoint, with faults."""

import hashlib
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass
class Fault:
    """What goes wrong with the next requests, `times` times."""

    times: int = 1
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b'{"error": {"message": "injected"}}'
    delay: float = 0.0
    # Changes the answer: {"data": [{"index": 0, "embedding": [...]}, ...]}.
    changed: Any = None


def vector(text: str, dimensions: int) -> list[float]:
    """A vector that any text has of its own; not of length 1."""
    seed = hashlib.sha256(text.encode()).digest()
    return [(seed[place % 32] - 127.5) * (1 + place // 32) for place in range(dimensions)]


class LocalEmbeddings:
    """Serves /v1/embeddings on loopback. `requests` lists (headers, body) as they came, names of headers in lower case."""

    def __init__(self, dimensions: int = 64, shortens: bool = False) -> None:
        self.dimensions, self.shortens = dimensions, shortens
        self.faults: list[Fault] = []
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.lock = threading.Lock()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: Any) -> None:
                pass

            def do_POST(self) -> None:
                endpoint.answer(self)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def texts(self) -> list[str]:
        """Every text that was asked for, in order."""
        return [text for _, body in self.requests for text in body["input"]]

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self.lock:
            self.requests.append(({name.lower(): value for name, value in handler.headers.items()}, body))
            fault = next((one for one in self.faults if one.times > 0), None)
            if fault:
                fault.times -= 1
        if fault and fault.delay:
            time.sleep(fault.delay)
        dimensions = body.get("dimensions", self.dimensions) if self.shortens else self.dimensions
        told: dict[str, Any] = {
            "object": "list",
            "model": body["model"],
            # Not in the order asked for: the index says which is which.
            "data": [
                {"object": "embedding", "index": place, "embedding": vector(text, dimensions)}
                for place, text in reversed(list(enumerate(body["input"])))
            ],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }
        if fault and fault.changed:
            told = fault.changed(told)
        status, content = (fault.status, fault.body) if fault and fault.status else (200, json.dumps(told).encode())
        handler.send_response(status)
        for name, value in (fault.headers if fault else {}).items():
            handler.send_header(name, value)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        try:
            handler.wfile.write(content)
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True
