"""Pictures of the pages of PDF files: drawn when they are first looked at, and kept in DATA_DIR.

They are named by the SHA-256 of the file, the page and the width, and can be drawn again: beyond a number the oldest are
deleted.
"""

import json
import lzma
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings

from diligence.atomic_files import write_whole
from filings.document.page_drawing import REFUSED, SECONDS
from filings.importing import original_files

WIDTH = 1_200  # pixels: two for each of the reader's
AT_ONCE = 2  # of one web process
PATIENCE = 8.0  # seconds that a request waits for another's picture
KEPT = 2_000
FRONT = 1024  # bytes before "%PDF-" that readers allow
GIVEN_UP = f"The picture took more than {SECONDS} seconds and was given up."

_drawing = BoundedSemaphore(AT_ONCE)


class NotDrawn(Exception):
    """Raised if a page has no picture. The message is a sentence for people."""


class Busy(NotDrawn):
    """Raised if too many pictures are being drawn at this moment; a later try can help."""


@dataclass(frozen=True, slots=True)
class Line:
    """Words printed on one line of a page, and their box in points from its upper left corner."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page: its size in points, its lines in the order of reading, and its picture's file."""

    width: float
    height: float
    lines: tuple[Line, ...]
    picture: Path


def is_pdf(sha256: str) -> bool:
    """Whether the original of this SHA-256 is held and is a PDF file."""
    try:
        with lzma.open(original_files.path_of(sha256)) as file:
            return b"%PDF-" in file.read(FRONT)
    except (OSError, lzma.LZMAError, EOFError):
        return False


def page(sha256: str, number: int) -> DrawnPage:
    """Page `number`, from 1, of an original, drawn if it was not before. Raises NotDrawn."""
    folder: Path = settings.DATA_DIR
    name = folder / "page-pictures" / f"{sha256}-{number}-{WIDTH}"
    picture, places = name.with_suffix(".png"), name.with_suffix(".json")
    # Written last.
    if not places.exists() or not picture.exists():
        with turn():
            if not places.exists() or not picture.exists():
                draw(original_files.path_of(sha256), number, picture, places)
    return DrawnPage(**read(places), picture=picture)


@contextmanager
def turn() -> Iterator[None]:
    """One of the few processes that draw at once. Raises Busy."""
    if not _drawing.acquire(timeout=PATIENCE):
        raise Busy("Other pages are being drawn. Try again in a moment.")
    try:
        yield
    finally:
        _drawing.release()


def draw(original: Path, number: int, picture: Path, places: Path) -> None:
    """Draw a page into two files. Raises NotDrawn."""
    command = [sys.executable, "-m", "filings.document.page_drawing", str(original), str(number), str(WIDTH)]
    try:
        done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, timeout=2 * SECONDS, check=False)  # noqa: S603 - ourselves
    except subprocess.TimeoutExpired:
        raise NotDrawn(GIVEN_UP) from None
    if done.returncode:
        refused = done.returncode == REFUSED
        raise NotDrawn(done.stderr.decode("utf-8", "replace")[:300] if refused else GIVEN_UP)
    told, _, drawn = done.stdout.partition(b"\n")
    picture.parent.mkdir(parents=True, exist_ok=True)
    write_whole(picture, drawn)
    write_whole(places, told)
    drop_oldest(picture.parent)


def drop_oldest(folder: Path) -> None:
    """Delete what was drawn first, beyond the number that is kept."""
    found = []
    for path in folder.glob("*.json"):
        with suppress(FileNotFoundError):
            found.append((path.stat().st_mtime, path))
    for _, path in sorted(found)[: max(len(found) - KEPT, 0)]:
        path.unlink(missing_ok=True)
        path.with_suffix(".png").unlink(missing_ok=True)


def forget(sha256: str) -> None:
    """Delete all pictures of a file."""
    folder: Path = settings.DATA_DIR
    for path in (folder / "page-pictures").glob(f"{sha256}-*"):
        path.unlink(missing_ok=True)


def read(places: Path) -> dict[str, Any]:
    found = json.loads(places.read_bytes())
    return {**found, "lines": tuple(Line(*line) for line in found["lines"])}
