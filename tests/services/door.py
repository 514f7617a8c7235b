"""A way to a server that a test may shut: what asks it meets what a server that is down is, and the server runs on."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread

from tests.services.servers import free_port


class Door:
    """Open, it passes on all bytes to a port of this machine. Shut, nobody listens, and what was passing is cut."""

    def __init__(self, behind: int) -> None:
        self.behind, self.port = behind, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.lock = Lock()
        self.sockets: list[socket.socket] = []
        self.threads: list[Thread] = []

    def open(self) -> None:
        self.sockets, self.threads = [socket.create_server(("127.0.0.1", self.port))], []
        self.run(self.let_in, self.sockets[0])

    def shut(self) -> None:
        with self.lock:
            sockets, self.sockets = self.sockets, []
        for each in sockets:
            # Whatever waits for it wakes.
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        for each in sockets:
            each.close()

    def run(self, work, *arguments: socket.socket) -> None:  # type: ignore[no-untyped-def]
        thread = Thread(target=work, args=arguments)
        self.threads.append(thread)
        thread.start()

    def let_in(self, listening: socket.socket) -> None:
        while True:
            try:
                came, _ = listening.accept()
            except OSError:
                return
            behind = socket.create_connection(("127.0.0.1", self.behind))
            with self.lock:
                if not self.sockets:
                    came.close()
                    behind.close()
                    return
                self.sockets += [came, behind]
            self.run(self.pass_on, came, behind)
            self.run(self.pass_on, behind, came)

    def pass_on(self, of: socket.socket, to: socket.socket) -> None:
        with suppress(OSError):
            while sent := of.recv(65_536):
                to.sendall(sent)
        for each in (of, to):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def door(behind: int) -> Iterator[Door]:
    """An open one."""
    found = Door(behind)
    found.open()
    try:
        yield found
    finally:
        found.shut()
