"""Trace spans of model requests, by OpenTelemetry's conventions for generative AI."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from agent.programs.budget import Usage
from agent.programs.endpoint import Exchange
from agent.programs.failures import ModelFailed
from diligence import tracing

PORTS = {"http": 80, "https": 443}


class Request:
    """One traced request."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange

    def ended(self, usage: Usage, failed: ModelFailed | None) -> None:
        """Record the outcome."""
        finished = [reply.finish_reason for reply in self.exchange.responses if reply is not None]
        told: dict[str, Any] = {
            "gen_ai.usage.input_tokens": usage.tokens_in,
            "gen_ai.usage.output_tokens": usage.tokens_out,
            "gen_ai.usage.cost": float(usage.cost),
            "diligence.usage.estimated": usage.estimated,
        }
        if reasons := [str(reason) for reason in finished if reason]:
            told["gen_ai.response.finish_reasons"] = reasons
        if failed:
            told["error.type"] = failed.reason
        tracing.describe({**told, **tracing.content(written(self.exchange))})


@contextmanager
def request(program: str, exchange: Exchange) -> Iterator[Request]:
    """A span around one request of a program."""
    model, address = exchange.model, urlsplit(exchange.model.base_url)
    told = {
        "gen_ai.operation.name": "chat",
        # By convention: the provider whose interface it has.
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": model.name,
        "gen_ai.request.max_tokens": exchange.max_tokens,
        "server.address": address.hostname or "",
        "server.port": address.port or PORTS.get(address.scheme, 443),
        "diligence.program": program,
        "diligence.role": model.role,
    }
    with tracing.span(f"chat {model.name}", told, client=True):
        yield Request(exchange)


def written(exchange: Exchange) -> dict[str, str]:
    """Request and reply as the conventions want them: messages as JSON."""
    sent = [
        {"role": str(message.role), "parts": [{"type": "text", "content": text(message)}]}
        for request in exchange.requests[-1:]
        for message in request.messages
    ]
    back = [
        {"role": "assistant", "parts": [{"type": "text", "content": text(reply.message)}]}
        for reply in exchange.responses
        if reply is not None
    ]
    told = {"gen_ai.input.messages": json.dumps(sent), "gen_ai.output.messages": json.dumps(back)}
    if system := [
        {"type": "text", "content": str(request.system)} for request in exchange.requests[-1:] if request.system
    ]:
        told["gen_ai.system_instructions"] = json.dumps(system)
    return told


def text(message: Any) -> str:
    return "".join(getattr(part, "text", "") or "" for part in message.parts)
