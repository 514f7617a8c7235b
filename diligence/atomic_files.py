"""Writing a file whole or not at all, on a disk that may be full, and the room that is left there."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


# Bytes. SQLite's journal grows by megabytes before it is taken in: with less, questions are lost soon.
LEAST_FREE = 64 * 1024 * 1024


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in its place by rename, and on the disk; its folder is there. Raises OSError, and then leaves no part of
    it behind: on a full disk each further try would take what room is made."""
    with _partial(path, content) as partial:
        partial.replace(path)


def write_new(path: Path, content: bytes) -> bool:
    """As `write_whole`, but an existing file stays as it is. Returns whether the file was written."""
    with _partial(path, content) as partial:
        try:
            path.hardlink_to(partial)
        except FileExistsError:
            return False
    return True


@contextmanager
def _partial(path: Path, content: bytes) -> Iterator[Path]:
    """A file beside `path` with the content on the disk, gone afterwards unless the caller has moved it."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".partial-")
    partial = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield partial
    finally:
        partial.unlink(missing_ok=True)
    # Or a power cut may take the name back, and with it the file.
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def is_full(error: BaseException) -> bool:
    """Whether an error says that the disk, or what of it may be used, is full."""
    return isinstance(error, OSError) and error.errno in FULL


def free_bytes() -> int:
    """What may still be written. Raises OSError where the folder is not there."""
    return shutil.disk_usage(settings.DATA_DIR).free


def is_short() -> bool:
    """Whether less is left than is needed to go on, or nothing is known of it."""
    try:
        return free_bytes() < LEAST_FREE
    except OSError:
        return True
