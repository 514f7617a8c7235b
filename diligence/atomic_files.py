"""Writes files completely or not at all, even on a full disk, and measures the free space."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


# Bytes. SQLite's journal grows by megabytes before it is merged: with less, questions would soon be lost.
LEAST_FREE = 64 * 1024 * 1024


def write_whole(path: Path, content: bytes) -> None:
    """Write a file and rename it into place, synced to disk. Its folder exists.

    Raises OSError, and then leaves no partial file: on a full disk every further try would take up space.
    """
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
    """A synced temporary file beside `path`, deleted afterwards unless the caller has moved it."""
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
    # Or a power cut may undo the rename, and lose the file.
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def is_full(error: BaseException) -> bool:
    """Whether an error says that the disk, or its quota, is full."""
    return isinstance(error, OSError) and error.errno in FULL


def free_bytes() -> int:
    """The free space. Raises OSError where the folder is missing."""
    return shutil.disk_usage(settings.DATA_DIR).free


def is_short() -> bool:
    """Whether less space is left than needed, or it is unknown."""
    try:
        return free_bytes() < LEAST_FREE
    except OSError:
        return True
