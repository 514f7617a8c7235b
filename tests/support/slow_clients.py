"""Clients that send a request byte by byte, and one beside them that wants to be answered."""

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# What each kind of slow client has sent before it goes on byte by byte.
BODY = (
    b"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
)
HEADERS = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


@contextmanager
def slow_clients(port: int, count: int, *, every: float) -> Iterator[None]:
    """So many sockets, each of which sends one byte in so many seconds, and begins anew where it is closed."""
    over = threading.Event()

    def send(begun: bytes) -> None:
        while not over.is_set():
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 10) as connection:
                connection.sendall(begun)
                while not over.wait(every):
                    connection.sendall(b"x")
            over.wait(0.2)

    threads = [threading.Thread(target=send, args=((BODY, HEADERS)[number % 2],)) for number in range(count)]
    for thread in threads:
        thread.start()
    try:
        time.sleep(1)  # all of them are connected
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def asked(port: int, seconds: float, *, every: float = 0.2, patience: float = 10) -> list[float | None]:
    """The seconds that each of many requests of /healthz took, on a connection of its own; None where none was answered."""
    took: list[float | None] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        begun, connection = time.monotonic(), http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
        try:
            connection.request("GET", "/healthz")
            took.append(time.monotonic() - begun if connection.getresponse().status == 200 else None)
        except (OSError, http.client.HTTPException):
            took.append(None)
        finally:
            connection.close()
        time.sleep(every)
    return took
