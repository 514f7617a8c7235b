"""The process that reads filings, in which a word of a document hangs its reader, kills it, or takes all memory."""

import os
import re
import signal
import sys

import django

from filings.ingest import reading_process

HANGS, KILLS, GROWS, BREAKS = "hangs its reader", "kills its reader", "takes all memory", "breaks its reader"


def main(number: int) -> None:
    django.setup()
    from filings.ingest import reading

    ordinary = reading.read

    def read(accession: str, raw: bytes) -> reading.Reading:
        if HANGS.encode() in raw:
            re.match(r"(a+)+$", "a" * 60 + "b")  # in C, where no signal handler of Python's is called
        if KILLS.encode() in raw:
            os.kill(os.getpid(), signal.SIGSEGV)
        if GROWS.encode() in raw:
            bytearray(reading.MOST_MEMORY)
        if BREAKS.encode() in raw:
            raise LookupError("nobody has foreseen this")
        return ordinary(accession, raw)

    reading.read = read
    reading_process.main(number)


if __name__ == "__main__":
    main(int(sys.argv[1]))
