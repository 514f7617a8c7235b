"""Reads one filing, or any other file, in a separate process, which is ended at a deadline.

Documents come from strangers. A hang inside a parser or regular expression cannot be stopped in a thread, and exhausted
memory would kill the worker; a process can be stopped. It is reused, because it takes seconds to start. When the worker
dies it ends too: an idle one sees its connection close, and the kernel ends a reading one at its deadline.
"""

import atexit
import logging
import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import Pipe
from subprocess import DEVNULL, Popen
from time import monotonic
from typing import Any, TypeVar

from django.conf import settings

from filings.edgar.edgar_files import RENDERED, Container, Invalid, read_container
from filings.ingest.store_text import FilingText, read_text
from filings.xbrl.faces import ReadFiling, read_filing

# Memory of one reading. A container of 100 MB took half of it.
MOST_MEMORY = 4 * 1024**3
# Until a process has finished importing.
START_SECONDS = 60.0
BEAT_SECONDS = 1.0

T = TypeVar("T")

logger = logging.getLogger(__name__)


class ReadingEnded(Invalid):
    """Raised if reading a filing was given up; the message says why."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from one filing: documents, figures, text."""

    container: Container
    filing: ReadFiling
    text: FilingText


def read(accession: str, raw: bytes, beat: Callable[[], None] = lambda: None) -> Reading:
    """Read the full submission text of a filing. Raises Invalid if it is not one."""
    container = read_container(accession, raw)
    beat()
    filing = read_filing(container)
    beat()
    return Reading(container, filing, read_text(container, beat))


def read_undecoded(accession: str, raw: bytes) -> Reading:
    """Like `read`, without what is not stored: pictures and the like."""
    found = read(accession, raw)
    documents = tuple(document for document in found.container.documents if document.type not in RENDERED)
    return replace(found, container=replace(found.container, documents=documents))


def read_within(seconds: float, accession: str, raw: bytes, beat: Callable[[], None]) -> Reading:
    """Like `read`, in a separate process; documents are returned without content. See `within`."""
    return within(seconds, beat, read_undecoded, accession, raw)


def within(seconds: float, beat: Callable[[], None], work: Callable[..., T], *arguments: Any) -> T:
    """The result of a function of a module, called in a separate process; or what it raises.

    beat: called each second; an exception it raises ends the reading. Raises ReadingEnded after so many seconds, or
    where the process died.
    """
    process = idle() or ReadingProcess()
    try:
        answer = process.ask(work, arguments, seconds, beat)
    except BaseException:
        process.end()
        raise
    if isinstance(answer, MemoryError):
        process.end()
        raise ReadingEnded(f"Reading its documents takes more than {MOST_MEMORY // 1024**3} GB of memory.")
    _idle.append(process)
    if isinstance(answer, Exception):
        raise answer
    return answer


class ReadingProcess:
    """A process that reads one file after another."""

    module = "filings.ingest.reading_process"

    def __init__(self) -> None:
        self.connection, theirs = Pipe()
        with theirs:
            self.process = Popen(  # noqa: S603 - ourselves
                [sys.executable, "-m", self.module, str(theirs.fileno())],
                cwd=settings.BASE_DIR,
                stdin=DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self.ready = False

    def ask(
        self, work: Callable[..., T], arguments: tuple[Any, ...], seconds: float, beat: Callable[[], None]
    ) -> T | Exception:
        """The result, or the exception raised. Raises ReadingEnded."""
        try:
            if not self.ready:
                self.wait(START_SECONDS, beat)
                self.ready = self.connection.recv()
            self.connection.send((work, arguments, seconds))
            # It ends itself at its deadline; this is for one that cannot.
            self.wait(seconds + START_SECONDS, beat)
            answer: T | Exception = pickle.loads(self.connection.recv_bytes())  # noqa: S301 - of our own process
        except (EOFError, OSError) as error:
            if not self.ready:
                raise RuntimeError(f"The process that reads documents did not start: {self.end()}.") from error
            raise self.ended(seconds) from error
        return answer

    def wait(self, seconds: float, beat: Callable[[], None]) -> None:
        """Return when there is something to receive. Raises TimeoutError, which is an OSError."""
        until = monotonic() + seconds
        while not self.connection.poll(BEAT_SECONDS):
            beat()
            if monotonic() > until:
                raise TimeoutError

    def ended(self, seconds: float) -> ReadingEnded:
        """Why there is no result, in words."""
        code = self.end()
        if code == -signal.SIGALRM:
            return ReadingEnded(f"Its documents could not be read within {seconds:g} seconds.")
        logger.error("The process that reads documents ended with %s", code)
        return ReadingEnded(
            "The process that read its documents stopped unexpectedly. The machine may have run out of memory."
        )

    def end(self) -> int:
        """Stop the process if it runs; returns its exit code."""
        self.connection.close()
        self.process.kill()
        return self.process.wait()


_idle: list[ReadingProcess] = []
# A forked child must not use its parent's process.
os.register_at_fork(after_in_child=_idle.clear)


def idle() -> ReadingProcess | None:
    """A living, idle process, removed from the pool."""
    with suppress(IndexError):
        while True:
            process = _idle.pop()
            if process.process.poll() is None:
                return process
            process.end()
    return None


@atexit.register
def end_idle() -> None:
    """Stop all idle processes."""
    while process := idle():
        process.end()
