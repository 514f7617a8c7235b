"""`python -m filings.ingest.reading_process FD` reads filings for who started it, over the connection of this number."""

import pickle
import resource
import signal
import sys
import traceback
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import django


def main(number: int) -> None:
    # Who started it ends it. A signal to the whole group, as Ctrl-C, would read as a filing that kills its reader.
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    # Not handled: the kernel ends the process at the deadline, inside a parser too, and when nobody waits for it.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    # Linux: where memory runs out, this process goes before the worker.
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    django.setup()
    # What a reading needs takes seconds to import, which are not of its deadline.
    from filings import sections  # noqa: F401
    from filings.edgar import edgar_files
    from filings.ingest import reading
    from filings.text.embeddings.minilm import tokenizer

    edgar_files.load_reader()
    tokenizer()
    with suppress(OSError, ValueError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_DATA, (reading.MOST_MEMORY, reading.MOST_MEMORY))
    with Connection(number) as connection, suppress(EOFError, OSError):
        connection.send(True)
        while True:
            accession, raw, seconds = connection.recv()
            signal.setitimer(signal.ITIMER_REAL, seconds)
            answer = answered(accession, raw)
            signal.setitimer(signal.ITIMER_REAL, 0)
            connection.send_bytes(answer)


def answered(accession: str, raw: bytes) -> bytes:
    """What a submission text says, or what reading it raised, pickled."""
    from filings.edgar.edgar_files import RENDERED
    from filings.ingest import reading

    try:
        found = reading.read(accession, raw)
        # Pictures and the like are not stored: they need not be decoded to be sent.
        documents = tuple(document for document in found.container.documents if document.type not in RENDERED)
        return pickle.dumps(replace(found, container=replace(found.container, documents=documents)))
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
