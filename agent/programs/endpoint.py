"""One exchange with an endpoint over dspy's client, within a hard time limit.

The client limits only the wait for the next byte. A slow reply would outlast any deadline, so the whole request runs in
a thread of its own, which is abandoned when the time is over.
"""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from dspy import lm15

from agent.programs.models import Model

# No reply we expect is near this size.
MOST_BYTES = 8_000_000
CONNECT_SECONDS = 10.0
# Private servers often have no key; the client requires one.
NO_KEY = "none"
# OpenAI's newer models accept only the longer name, most other servers only the shorter.
LONG_NAME_HOSTS = ("openai.com", "openai.azure.com")

Found = TypeVar("Found")

# Connections are kept for each endpoint by the process.
_pools: dict[str, Any] = {}
# The process that created them.
os.register_at_fork(after_in_child=_pools.clear)
_lock = threading.Lock()


@dataclass
class Exchange:
    """A dspy engine for one or more requests: keeps the replies with finish reason and usage."""

    model: Model
    # Of one request, and of one reply.
    seconds: float
    max_tokens: int
    # Requests and replies in order; None where no reply came.
    requests: list[lm15.Request] = field(default_factory=list, repr=False)
    responses: list[lm15.Response | None] = field(default_factory=list, repr=False)
    timed_out: bool = False

    def complete(self, request: lm15.Request) -> lm15.Response:
        """Send one request. Raises errors of `dspy.lm15`, which dspy converts into its own."""
        self.requests.append(request)
        self.responses.append(None)
        until = time.monotonic() + self.seconds
        client = lm15.OpenAIChatLM(
            api_key=self.model.key or NO_KEY,
            base_url=self.model.base_url,
            compat=lm15.OpenAIChatCompat(max_tokens_field=max_tokens_field(self.model.base_url)),
            transport=Bounded(pool(self.model.base_url), until),
        )
        config = replace(request.config, max_tokens=self.max_tokens)
        asked = replace(request, model=self.model.name, config=config)
        try:
            response = within(self.seconds, lambda: client.complete(asked))
        except lm15.TimeoutError:
            self.timed_out = True
            raise
        self.responses[-1] = response
        return response


class Bounded:
    """A transport that stops reading at a deadline and after a number of bytes, and follows no redirect."""

    def __init__(self, inner: Any, until: float) -> None:
        self.inner, self.until = inner, until

    def stream(self, request: Any) -> "BoundedReply":
        left = max(0.001, self.until - time.monotonic())
        request.connect_timeout = min(left, CONNECT_SECONDS)
        # Longer than the caller waits: a read timeout here would look like a broken connection.
        request.read_timeout = request.write_timeout = left + 1
        return BoundedReply(self.inner.stream(request), self.until)


class BoundedReply:
    """A reply of the client's transport, read within bounds."""

    def __init__(self, inner: Any, until: float) -> None:
        self.inner, self.until = inner, until

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def __enter__(self) -> "BoundedReply":
        return self

    def __exit__(self, *exc: object) -> None:
        self.inner.close()

    def read(self) -> bytes:
        if 300 <= self.inner.status < 400:
            raise lm15.InvalidRequestError("The endpoint redirects.", status=self.inner.status)
        chunks, size = [], 0
        for chunk in self.inner:
            size += len(chunk)
            if size > MOST_BYTES:
                raise lm15.InvalidRequestError("The reply is too long.")
            if time.monotonic() > self.until:
                raise lm15.TimeoutError("The reply did not end in time.")
            chunks.append(chunk)
        return b"".join(chunks)


def within(seconds: float, ask: Callable[[], Found]) -> Found:
    """The result of `ask`, or lm15.TimeoutError after so many seconds; the request is then abandoned."""
    outcome: list[tuple[Found | None, BaseException | None]] = []

    def run() -> None:
        try:
            outcome.append((ask(), None))
        except BaseException as error:
            outcome.append((None, error))

    thread = threading.Thread(target=run, daemon=True, name="model")
    thread.start()
    thread.join(seconds)
    if not outcome:
        raise lm15.TimeoutError("The endpoint did not answer in time.")
    found, error = outcome[0]
    if error is not None and not isinstance(error, lm15.LM15Error):
        # The client itself failed on the reply.
        raise lm15.ProviderError("The reply cannot be read.") from None
    if error is not None:
        raise error
    return found  # type: ignore[return-value]


def pool(base_url: str) -> Any:
    """The connections to an endpoint, made at first use."""
    with _lock:
        if base_url not in _pools:
            _pools[base_url] = lm15.OpenAIChatLM(api_key=NO_KEY, base_url=base_url).transport
        return _pools[base_url]


def close() -> None:
    """Close the connections that are kept."""
    with _lock:
        for kept in _pools.values():
            kept.close()
        _pools.clear()


def max_tokens_field(base_url: str) -> str:
    """The endpoint's name for the limit of a reply."""
    host = urlsplit(base_url).hostname or ""
    long = any(host == name or host.endswith(f".{name}") for name in LONG_NAME_HOSTS)
    return "max_completion_tokens" if long else "max_tokens"
