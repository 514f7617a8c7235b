"""A real HTTP server that answers as an OpenAI-compatible embedding endpoint, with faults."""

import hashlib
import json
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.support import local_server


@dataclass
class Fault(local_server.Fault):
    """What goes wrong with the next requests, `times` times."""

    body: bytes = b'{"error": {"message": "injected"}}'
    # Changes the answer: {"data": [{"index": 0, "embedding": [...]}, ...]}.
    changed: Any = None


def vector(text: str, dimensions: int) -> list[float]:
    """A vector that any text has of its own; not of length 1."""
    seed = hashlib.sha256(text.encode()).digest()
    return [(seed[place % 32] - 127.5) * (1 + place // 32) for place in range(dimensions)]


class LocalEmbeddings(local_server.LocalServer):
    """Serves /v1/embeddings. `requests` lists (headers, body) as they came, names of headers in lower case."""

    def __init__(self, dimensions: int = 64, shortens: bool = False) -> None:
        super().__init__()
        self.url += "/v1"
        self.dimensions, self.shortens = dimensions, shortens
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []

    @property
    def texts(self) -> list[str]:
        """Every text that was asked for, in order."""
        return [text for _, body in self.requests for text in body["input"]]

    def reply(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(local_server.asked(handler))
        with self.lock:
            self.requests.append(({name.lower(): value for name, value in handler.headers.items()}, body))
        fault = self.fault(handler.path)
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
        headers = {**(fault.headers if fault else {}), "Content-Type": "application/json"}
        local_server.send(handler, status, headers, content)
