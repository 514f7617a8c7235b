"""The process that reads filings, in which a word of a document hangs its reader, kills it, or takes all memory."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle

import django

from filings.ingest import reading_process

HANGS, KILLS, GROWS, BREAKS = "hangs its reader", "kills its reader", "takes all memory", "breaks its reader"
# How many times as fast time passes for what hangs: others have all of their deadline on a busy machine too.
SOONER = 50


def main(number: int) -> None:
    django.setup()
    from filings.importing import read_file as file_reading
    from filings.ingest import isolated_reading

    ordinary, ordinary_file = isolated_reading.read, file_reading.read_document

    def suffer(raw: bytes) -> None:
        if HANGS.encode() in raw:
            left, _ = signal.getitimer(signal.ITIMER_REAL)
            signal.setitimer(signal.ITIMER_REAL, left / SOONER)
            re.match(r"(a+)+$", "a" * 60 + "b")  # in C, where no signal handler of Python's is called
        if KILLS.encode() in raw:
            os.kill(os.getpid(), signal.SIGSEGV)
        if GROWS.encode() in raw:
            bytearray(isolated_reading.MOST_MEMORY)
        if BREAKS.encode() in raw:
            raise LookupError("nobody has foreseen this")

    def read(accession: str, raw: bytes) -> isolated_reading.Reading:
        suffer(raw)
        return ordinary(accession, raw)

    def read_document(content: bytes, *arguments: str) -> object:
        suffer(content)
        return ordinary_file(content, *arguments)

    isolated_reading.read, file_reading.read_document = read, read_document
    reading_process.main(number)


class Template:
    """A process that has imported what a reading needs, which takes seconds, and forks readers of this module.

    `popen` takes the place of subprocess.Popen where filings.ingest.isolated_reading starts a process.
    """

    def __init__(self) -> None:
        self.connection, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", __name__, "template", str(theirs.fileno())], pass_fds=[theirs.fileno()]
            )

    def popen(self, command: Sequence[str], *, pass_fds: Sequence[int], **options: object) -> "Forked":
        (number,) = pass_fds
        assert command[-1] == str(number)
        pid = self.ask("fork", number)
        assert pid
        return Forked(self, pid)

    def ask(self, what: str, number: int) -> int | None:
        """Its answer. Raises TimeoutError where there is none for a minute."""
        self.connection.send((what, number))
        if what == "fork":
            send_handle(self.connection, number, self.process.pid)
        if not self.connection.poll(60):
            raise TimeoutError(what)
        answer: int | None = self.connection.recv()
        return answer

    def end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.wait()


class Forked:
    """What the product uses of a subprocess.Popen, of a child of the template."""

    def __init__(self, template: Template, pid: int) -> None:
        self.template, self.pid = template, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self.template.ask("poll", self.pid)
        return self.returncode

    def wait(self) -> int | None:
        if self.returncode is None:
            self.returncode = self.template.ask("wait", self.pid)
        return self.returncode

    def kill(self) -> None:
        # Until it is waited for, its number is no other's.
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)


def template(number: int) -> None:
    django.setup()
    from filings import sections  # noqa: F401
    from filings.edgar import edgar_files
    from filings.ingest import isolated_reading  # noqa: F401
    from filings.text.embeddings.minilm import tokenizer

    edgar_files.load_reader()
    tokenizer()
    with Connection(number) as connection, suppress(EOFError, OSError):
        while True:
            what, of = connection.recv()
            if what == "fork":
                handle = recv_handle(connection)
                if not (pid := os.fork()):
                    # Or the end of the template would be seen by nobody while this reads.
                    os.close(number)
                    status = 1
                    try:
                        main(handle)
                        status = 0
                    finally:
                        os._exit(status)
                os.close(handle)
                connection.send(pid)
            else:
                pid, status = os.waitpid(of, os.WNOHANG if what == "poll" else 0)
                connection.send(os.waitstatus_to_exitcode(status) if pid else None)


if __name__ == "__main__":
    if sys.argv[1] == "template":
        template(int(sys.argv[2]))
    else:
        main(int(sys.argv[1]))
