"""A real HTTP server that answers as a service with Tavily's search interface, with faults."""

import json
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.support import local_server

KEY = "tvly-secret-1234"


@dataclass
class Fault(local_server.Fault):
    """What goes wrong with the next requests, `times` times."""

    body: bytes = b'{"detail": {"error": "injected"}}'


def result(number: int = 1, **changes: Any) -> dict[str, Any]:
    """A result as the service gives it, each number with a title, an address and a text of its own."""
    return {
        "title": f"Lantern opens mill {number}",
        "url": f"https://news.example.com/lantern/{number}",
        "content": f"Excerpt {number}: Lantern opens another mill.",
        "raw_content": f"Lantern Paper opened mill {number} on Tuesday.\n\nIt employs {number}00 people.",
        "score": 0.9,
        "published_date": "Tue, 04 Mar 2025 08:24:31 GMT",
        **changes,
    }


class LocalNews(local_server.LocalServer):
    """Serves /search with `results`. `requests` lists (headers, body) as they came, names of headers in lower case.

    It refuses other keys, and like the service itself ignores what it is asked to leave out.
    """

    def __init__(self, *results: Any) -> None:
        super().__init__()
        self.results: list[Any] = list(results)
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []

    def reply(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(local_server.asked(handler))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        with self.lock:
            self.requests.append((headers, body))
        fault = self.fault(handler.path)
        if handler.command != "POST" or handler.path != "/search":
            status, content = 404, b'{"detail": "Not Found"}'
        elif headers.get("authorization") != f"Bearer {KEY}":
            status, content = 401, b'{"detail": {"error": "Unauthorized: missing or invalid API key."}}'
        elif fault and fault.status:
            status, content = fault.status, fault.body
        else:
            status = 200
            content = json.dumps(
                {"query": body["query"], "answer": None, "images": [], "results": self.results, "response_time": 0.5}
            ).encode()
        if fault and fault.trickle:
            handler.send_response(200)
            handler.end_headers()
            local_server.trickled(handler, content)
            return
        told = {**(fault.headers if fault else {}), "Content-Type": "application/json"}
        local_server.send(handler, status, told, content, fault.truncate if fault else None)
