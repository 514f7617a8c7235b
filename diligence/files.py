"""Writing a file whole or not at all, on a disk that may be full."""

import errno
import os
import tempfile
from pathlib import Path

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in its place by rename, and on the disk; its folder is there. Raises OSError, and then leaves no part of
    it behind: on a full disk each further try would take what room is made."""
    descriptor, partial = tempfile.mkstemp(dir=path.parent, prefix=".partial-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(partial).replace(path)
    finally:
        Path(partial).unlink(missing_ok=True)
    # Or a power cut may take the name back, and with it the file.
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def is_full(error: BaseException) -> bool:
    """Whether an error says that the disk, or what of it may be used, is full."""
    return isinstance(error, OSError) and error.errno in FULL
