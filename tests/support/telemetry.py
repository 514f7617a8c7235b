"""Real HTTP servers that take what OpenTelemetry and Sentry send, and read it back."""

import gzip
import json
from http.server import BaseHTTPRequestHandler
from typing import Any

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.support.local_server import LocalServer, asked, send


def body(handler: BaseHTTPRequestHandler) -> bytes:
    content = asked(handler)
    return gzip.decompress(content) if handler.headers.get("Content-Encoding") == "gzip" else content


class Collector(LocalServer):
    """Takes OTLP over HTTP. `spans` as they came: name, attributes, parent; `headers` of each request."""

    def __init__(self) -> None:
        super().__init__()
        self.spans: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []

    def reply(self, handler: BaseHTTPRequestHandler) -> None:
        content = body(handler)
        told = MessageToDict(ExportTraceServiceRequest.FromString(content))
        with self.lock:
            self.paths.append(handler.path)
            self.headers.append({name.lower(): value for name, value in handler.headers.items()})
            for resource in told["resourceSpans"]:
                service = attributes(resource["resource"])["service.name"]
                for scope in resource["scopeSpans"]:
                    for one in scope["spans"]:
                        self.spans.append({**one, "attributes": attributes(one), "service": service})
        send(handler, 200, {"Content-Type": "application/x-protobuf"}, b"")

    def named(self, start: str) -> list[dict[str, Any]]:
        with self.lock:
            return [one for one in self.spans if one["name"].startswith(start)]


def attributes(one: dict[str, Any]) -> dict[str, Any]:
    """Attributes of OTLP as a plain mapping."""
    found = {}
    for attribute in one.get("attributes", ()):
        ((kind, value),) = attribute["value"].items()
        found[attribute["key"]] = int(value) if kind == "intValue" else value
    return found


class Sentry(LocalServer):
    """Takes envelopes. `events` are those that tell of errors."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[dict[str, Any]] = []
        self.raw = b""

    @property
    def dsn(self) -> str:
        return f"{self.url.replace('//', '//public@')}/7"

    def reply(self, handler: BaseHTTPRequestHandler) -> None:
        content = body(handler)
        lines = content.split(b"\n")
        with self.lock:
            self.raw += content
            for header, payload in zip(lines[1::2], lines[2::2], strict=False):
                if header and json.loads(header).get("type") == "event":
                    self.events.append(json.loads(payload))
        send(handler, 200, {"Content-Type": "application/json"}, b"{}")
