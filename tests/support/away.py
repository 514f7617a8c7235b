"""Servers that are away: one that refuses, and one that takes connections and says nothing."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def refusing() -> Iterator[str]:
    """The host and port of nobody: bound, and not listening."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


@contextmanager
def silent() -> Iterator[str]:
    """The host and port of a server that takes connections and never answers."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(128)
        yield f"127.0.0.1:{deaf.getsockname()[1]}"


AWAY = {"refusing": refusing, "silent": silent}
