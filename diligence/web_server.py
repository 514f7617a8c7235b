"""How a web process takes requests: gunicorn keeps the processes, waitress reads and writes in each.

A request is given to a thread when all of it is there, and an answer leaves the thread as soon as it is made: a client
that sends or reads slowly holds a connection and no thread. What this adds to waitress: a deadline for the whole of a
request, a limit of unfinished ones of an address, and a bound of connections at which who has waited longest gives way.
"""

import logging
import os
import time
from socket import socket
from typing import Any

from django.http import HttpRequest
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import Error

from diligence import uploads

# Seconds from the first byte of a request to its last, and for an answer to be taken.
REQUEST_SECONDS, ANSWER_SECONDS = 20.0, 120.0
# Requests of one address that are not whole yet, in one process. A browser opens six connections at most.
MOST_UNFINISHED = 20
MOST_CONNECTIONS = 1000
# Bytes: of the lines before a body, and of a body that is read for the sake of its connection; views take less.
MOST_HEADERS, MOST_BODY = 32 * 1024, 8 * 1024 * 1024
# Seconds in which a request that brings files must be whole.
UPLOAD_SECONDS = 300.0
# Seconds between two looks at what has waited too long, and for which idle connections stay when the process stops.
LOOK_EVERY, LINGER = 1.0, 2.0


class RequestTimeout(Error):
    """The answer to a request that was not whole in time."""

    code, reason = 408, "Request Timeout"


class TooManyUnfinished(Error):
    """The answer to one more unfinished request of an address."""

    code, reason = 429, "Too Many Requests"


class Uploads:
    """The server's limits for a request that brings files: its own, but for the length of the body."""

    def __init__(self, adjustments: Adjustments) -> None:
        self.adjustments = adjustments
        self.max_request_body_size = uploads.most_bytes()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.adjustments, name)


class Parser(HTTPRequestParser):
    """One request as it comes in. brings_files: whether it may be long, and take long."""

    brings_files = False

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        # Whoever shows neither session nor token may bring nothing: the limit of all others will do.
        known = self.headers.get("COOKIE") or self.headers.get("AUTHORIZATION")
        if self.command == "POST" and self.path in uploads.PATHS and known:
            self.adj, self.brings_files = Uploads(self.adj), True


class Task(WSGITask):
    """One request that is answered."""

    def write(self, data: bytes) -> None:
        # To HEAD Django gives the body of GET.
        super().write(b"" if self.request.command == "HEAD" else data)

    def set_close_on_finish(self) -> None:
        # What has no body ends without a length: 304 keeps its connection.
        asked = self.request.headers.get("CONNECTION", "").lower()
        if self.has_body or self.version == "1.0" or asked == "close":
            super().set_close_on_finish()


class Channel(HTTPChannel):
    """A connection. begun, ended: monotonic seconds at which its unfinished request and its last answer began to wait."""

    task_class, parser_class = Task, Parser

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.begun = self.ended = time.monotonic()
        self.address: str | None = None
        super().__init__(*args, **kwargs)

    @property
    def waits(self) -> bool:
        """Whether nothing of it is being answered."""
        return not self.requests and not self.will_close

    def received(self, data: bytes) -> bool:
        """Take bytes of a client; refuse a request that its address has too many of."""
        before = self.request
        taken: bool = super().received(data)
        if self.request is not before:
            self.begun, self.address = time.monotonic(), None
        if self.request is not None and self.address is None:
            self.address = client(self, self.server.proxies)
            if self.address is not None and self.server.unfinished(self.address) > MOST_UNFINISHED:
                self.refuse(TooManyUnfinished("Finish the requests that you have begun."))
        return taken

    def refuse(self, error: Error) -> None:
        """Answer the unfinished request with an error, and close the connection."""
        with self.requests_lock:
            if self.request is None or self.requests:
                self.will_close = True
                return
            self.request.error, self.request.completed = error, True
            self.requests.append(self.request)
            self.request = None
        self.server.add_task(self)

    def service(self) -> None:
        """Answer the first request of the connection; the last, where the process stops."""
        if self.server.stopping:
            self.requests[0].headers["CONNECTION"] = "close"
        super().service()
        self.ended = time.monotonic()


def client(channel: Channel, proxies: int) -> str | None:
    """The address that an unfinished request counts for, as quotas count it; None while proxies have not said it.

    proxies: how many stand before this server.
    """
    from accounts.addresses import client_network

    request, seen = channel.request, HttpRequest()
    if proxies and not request.headers_finished:
        return None
    seen.META = {"REMOTE_ADDR": channel.addr[0], "HTTP_X_FORWARDED_FOR": request.headers.get("X_FORWARDED_FOR", "")}
    return client_network(seen)


class Server(TcpWSGIServer):
    """What listens in one process. proxies: how many of those before it are believed."""

    channel_class = Channel
    stopping = False

    def __init__(self, listener: socket, application: Any, threads: int, keepalive: float, proxies: int) -> None:
        self.proxies = proxies
        super().__init__(
            application,
            map={},
            _sock=listener,
            bind_socket=False,
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            threads=threads,
            ident=None,
            # Django reads them, of as many proxies as are trusted.
            clear_untrusted_proxy_headers=False,
            max_request_header_size=MOST_HEADERS,
            max_request_body_size=MOST_BODY,
            channel_timeout=keepalive,
            cleanup_interval=LOOK_EVERY,
            # Never reached: handle_accept keeps below it.
            connection_limit=MOST_CONNECTIONS + 100,
        )

    def turn(self) -> None:
        """Read and write what can be; wait for it a second at most."""
        wasyncore.loop(timeout=LOOK_EVERY, use_poll=True, map=self._map, count=1)

    def unfinished(self, address: str) -> int:
        """How many requests of an address have begun and are not whole."""
        return sum(
            channel.request is not None and channel.address == address for channel in self.active_channels.values()
        )

    def handle_accept(self) -> None:
        """Take a connection; where there are too many, that which has waited longest is closed."""
        super().handle_accept()
        if len(self.active_channels) > MOST_CONNECTIONS:
            waiting = [channel for channel in self.active_channels.values() if channel.waits]
            if waiting:
                min(waiting, key=lambda channel: max(channel.begun, channel.ended)).handle_close()

    def maintenance(self, now: float) -> None:
        """Close what is idle, and what has taken too long to send a request or to take an answer."""
        super().maintenance(now)
        moment = time.monotonic()
        for channel in list(self.active_channels.values()):
            if not channel.waits:
                continue
            most = UPLOAD_SECONDS if channel.request is not None and channel.request.brings_files else REQUEST_SECONDS
            if channel.request is not None and moment - channel.begun > most:
                channel.refuse(RequestTimeout("The request was not complete in time."))
            elif channel.total_outbufs_len and moment - channel.ended > ANSWER_SECONDS:
                channel.will_close = True


class WebWorker(Worker):
    """A process of gunicorn that serves with waitress."""

    server: Server

    def run(self) -> None:
        """Serve until told to stop, then finish what has begun."""
        from django.conf import settings

        # Each request that waits a moment for a thread would be a line.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        (listener,) = self.sockets
        self.server = Server(
            listener, self.wsgi, self.cfg.threads, self.cfg.keepalive, settings.ALLAUTH_TRUSTED_PROXY_COUNT
        )
        while self.alive and self.ppid == os.getppid():
            # gunicorn ends a process that does not say that it lives.
            self.notify()
            self.server.turn()
        self.finish()

    def finish(self) -> None:
        """Take no more connections; end when all that was asked is answered, or patience is over.

        Idle connections stay a moment: somebody may be sending a request on one, and is told that it was the last.
        """
        self.server.accepting, self.server.stopping = False, True
        begun = time.monotonic()
        channels = self.server.active_channels
        while channels and (waited := time.monotonic() - begun) < self.cfg.graceful_timeout:
            if waited > LINGER and all(one.waits and not one.total_outbufs_len for one in channels.values()):
                break
            self.notify()
            self.server.turn()
        self.server.task_dispatcher.shutdown(timeout=1)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """SIGTERM: the loop is woken, or it would notice a second later."""
        super().handle_exit(sig, frame)
        self.server.pull_trigger()
