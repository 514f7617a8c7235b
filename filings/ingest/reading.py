"""The reading of one filing in a process of its own, which its deadline ends whatever it is doing.

Documents come from strangers. What hangs inside a parser or a regular expression cannot be ended in a thread, and what
takes all memory takes the worker with it; a process can be ended. It is kept from filing to filing, since it takes
seconds to start, and a worker that dies leaves none behind: an idle one sees its connection close, and the kernel ends
one that reads at its deadline.
"""

import atexit
import logging
import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from subprocess import DEVNULL, Popen
from time import monotonic

from django.conf import settings

from filings.edgar.edgar_files import Container, Invalid, read_container
from filings.ingest.store_text import FilingText, read_text
from filings.xbrl.faces import ReadFiling, read_filing

# Of one reading. A container of 100 MB was read within half of it.
MOST_MEMORY = 4 * 1024**3
# Until a process has imported what it needs.
START_SECONDS = 60.0
BEAT_SECONDS = 1.0

logger = logging.getLogger(__name__)


class ReadingEnded(Invalid):
    """The reading of a filing was given up; the message says why."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one container says: its documents, its figures, its text."""

    container: Container
    filing: ReadFiling
    text: FilingText


def read(accession: str, raw: bytes, beat: Callable[[], None] = lambda: None) -> Reading:
    """Read a full submission text. Raises Invalid where it is none."""
    container = read_container(accession, raw)
    beat()
    filing = read_filing(container)
    beat()
    # Of a quarterly report the figures and statements are read, and no text is quoted.
    texts = filing.primary and not container.form.startswith("10-Q")
    return Reading(container, filing, read_text(container, beat) if texts else FilingText())


def read_within(seconds: float, accession: str, raw: bytes, beat: Callable[[], None]) -> Reading:
    """The same in a process of its own, where documents come back without their content.

    beat: called each second; what it raises ends the reading. Raises ReadingEnded after so many seconds, or where the
    process died.
    """
    process = idle() or ReadingProcess()
    try:
        answer = process.ask(accession, raw, seconds, beat)
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
    """A process that reads one filing after the other."""

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

    def ask(self, accession: str, raw: bytes, seconds: float, beat: Callable[[], None]) -> "Reading | Exception":
        """A Reading, or what it raised. Raises ReadingEnded."""
        try:
            if not self.ready:
                self.wait(START_SECONDS, beat)
                self.ready = self.connection.recv()
            self.connection.send((accession, raw, seconds))
            # It ends itself at its deadline; this is for one that cannot.
            self.wait(seconds + START_SECONDS, beat)
            answer: Reading | Exception = pickle.loads(self.connection.recv_bytes())  # noqa: S301 - of our own process
        except (EOFError, OSError) as error:
            if not self.ready:
                raise RuntimeError(f"The process that reads documents did not start: {self.end()}.") from error
            raise self.ended(seconds) from error
        return answer

    def wait(self, seconds: float, beat: Callable[[], None]) -> None:
        """Return when something can be received. Raises TimeoutError, which is an OSError."""
        until = monotonic() + seconds
        while not self.connection.poll(BEAT_SECONDS):
            beat()
            if monotonic() > until:
                raise TimeoutError

    def ended(self, seconds: float) -> ReadingEnded:
        """Why there is no answer, in words."""
        code = self.end()
        if code == -signal.SIGALRM:
            return ReadingEnded(f"Its documents could not be read within {seconds:g} seconds.")
        logger.error("The process that reads documents ended with %s", code)
        return ReadingEnded(
            "The process that read its documents stopped unexpectedly. The machine may have run out of memory."
        )

    def end(self) -> int:
        """End it, if it has not; its exit code."""
        self.connection.close()
        self.process.kill()
        return self.process.wait()


_idle: list[ReadingProcess] = []
# A forked child has none: what is its parent's answers its parent.
os.register_at_fork(after_in_child=_idle.clear)


def idle() -> ReadingProcess | None:
    """A process that waits for a filing and lives, taken out of those that do."""
    with suppress(IndexError):
        while True:
            process = _idle.pop()
            if process.process.poll() is None:
                return process
            process.end()
    return None


@atexit.register
def end_idle() -> None:
    """End the processes that wait for a filing."""
    while process := idle():
        process.end()
