"""`python -m filings.document.page_drawing FILE PAGE WIDTH`: draws one page of a PDF file for its parent, and ends.

A file of strangers is drawn in a process of its own: it is small, loads neither Django nor an index, and the kernel ends
it at its limits. FILE is compressed with xz. To the output: a line of JSON, {"width", "height", "lines": [[text, x0, y0,
x1, y1], ...]} with points from the upper left corner, in the order of reading, and then a PNG. Why a page cannot be
shown goes to the error output, in a sentence for people, with exit code REFUSED.
"""

import json
import lzma
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

REFUSED = 3
SECONDS = 20
MOST_MEMORY = 2 * 1024**3


def page_places(content: bytes, number: int) -> dict[str, Any]:
    """The size of a page, from 1, and its lines with their boxes. Raises UnreadableText."""
    from filings.document.pdf import page_lines
    from filings.document.pdf.characters import page_words
    from filings.document.pdf.hyphens import Hyphens
    from filings.document.pdf.opening import opened

    with opened(content) as file, file.sheet(number) as sheet:
        lines = page_lines(page_words(sheet), sheet, Hyphens())
        size = {"width": round(sheet.width, 1), "height": round(sheet.height, 1)}
    marks = [mark for line in lines for mark in line.marks]
    return {**size, "lines": [[mark.text, *(round(value, 1) for value in mark.box)] for mark in marks]}


def main(file: str, number: int, width: int) -> None:
    from filings.document.layout import UnreadableText
    from filings.document.pdf.picture import page_picture

    signal.alarm(SECONDS)
    with suppress(OSError, ValueError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    try:
        content = lzma.decompress(Path(file).read_bytes())
        places = page_places(content, number)
        picture = page_picture(content, number, width)
    except UnreadableText as problem:
        sys.stderr.write(str(problem))
        sys.exit(REFUSED)
    except MemoryError:
        sys.stderr.write(f"Page {number} takes too much memory to be drawn.")
        sys.exit(REFUSED)
    sys.stdout.buffer.write(json.dumps(places).encode() + b"\n" + picture)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
