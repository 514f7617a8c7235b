"""Traces for OpenTelemetry: a span for a run, for each of its nodes and for each call of a model.

Nothing of OpenTelemetry is imported unless OTEL_EXPORTER_OTLP_ENDPOINT is set. A span has figures and names; questions,
prompts and replies only with OTEL_CAPTURE_CONTENT=1.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

SERVICE = "diligence"
# How long a process that ends waits for the last spans to be taken.
FLUSH_MS = 5000

Attributes = Mapping[str, Any]


@contextmanager
def span(name: str, attributes: Attributes | None = None, *, client: bool = False) -> Iterator["Span | None"]:
    """A span around what is done inside, under the one that is open; None and nothing done where traces are off.

    client: whether it is a request to another server. An exception is noted by its type alone: its text may quote.
    """
    provider = traces()
    if provider is None:
        yield None
        return
    from opentelemetry.trace import SpanKind, StatusCode

    kind = SpanKind.CLIENT if client else SpanKind.INTERNAL
    with provider.get_tracer(SERVICE).start_as_current_span(
        name, kind=kind, attributes=dict(attributes or {}), record_exception=False, set_status_on_exception=False
    ) as opened:
        try:
            yield opened
        except BaseException as error:
            opened.set_attribute("error.type", type(error).__qualname__)
            opened.set_status(StatusCode.ERROR)
            raise


def describe(attributes: Attributes) -> None:
    """Say more of the span that is open."""
    if traces() is None:
        return
    from opentelemetry.trace import get_current_span

    get_current_span().set_attributes(dict(attributes))


def content(attributes: Attributes) -> dict[str, Any]:
    """Attributes that quote what people and models wrote; none unless the operator asked for them."""
    return dict(attributes) if settings.OTEL_CAPTURE_CONTENT else {}


def traces() -> "TracerProvider | None":
    """Where spans go, made at the first one of a process; None where none are wanted."""
    return provider_of(settings.OTEL_ENDPOINT, settings.OTEL_HEADERS) if settings.OTEL_ENDPOINT else None


@lru_cache(maxsize=1)
def provider_of(endpoint: str, headers: str) -> "TracerProvider":
    """A provider that sends batches from a thread of its own: a collector that hangs holds nothing up."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.util.re import parse_env_headers

    exporter = OTLPSpanExporter(f"{endpoint}/v1/traces", headers=parse_env_headers(headers, liberal=True))
    provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider


def flush() -> None:
    """Send what waits, as before a process ends."""
    if provider := traces():
        provider.force_flush(FLUSH_MS)
