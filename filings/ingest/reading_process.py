"""`python -m filings.ingest.reading_process FD`: reads files for its parent over the connection of this number."""

import pickle
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import django


def main(number: int) -> None:
    # The parent stops it. A signal to the group, such as Ctrl-C, would look like a filing that kills its reader.
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    # Unhandled, so that the kernel ends the process at the deadline, even inside a parser and without a parent.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    # Linux: when memory runs out, this process is killed before the worker.
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    django.setup()
    # Imports take seconds, which do not count toward the deadline.
    from filings import sections  # noqa: F401
    from filings.edgar import edgar_files
    from filings.ingest import isolated_reading
    from filings.text.embeddings.minilm import tokenizer

    edgar_files.load_reader()
    tokenizer()
    with suppress(OSError, ValueError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_DATA, (isolated_reading.MOST_MEMORY, isolated_reading.MOST_MEMORY))
    with Connection(number) as connection, suppress(EOFError, OSError):
        connection.send(True)
        while True:
            work, arguments, seconds = connection.recv()
            signal.setitimer(signal.ITIMER_REAL, seconds)
            answer = answered(work, arguments)
            signal.setitimer(signal.ITIMER_REAL, 0)
            connection.send_bytes(answer)


def answered(work: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """The result of a reading, or the exception raised, pickled."""
    try:
        return pickle.dumps(work(*arguments))
    except MemoryError:
        return pickle.dumps(MemoryError())
    except Exception as error:
        error.add_note(traceback.format_exc())
        try:
            return pickle.dumps(error)
        except Exception:
            return pickle.dumps(RuntimeError("".join(traceback.format_exception_only(error))))


if __name__ == "__main__":
    main(int(sys.argv[1]))
