"""The room on the disk of DATA_DIR, where the queue, the cache, the index and by default the database are."""

import shutil

from django.conf import settings

# Bytes. SQLite's journal grows by megabytes before it is taken in: with less, questions are lost soon.
LEAST_FREE = 64 * 1024 * 1024


def free_bytes() -> int:
    """What may still be written. Raises OSError where the folder is not there."""
    return shutil.disk_usage(settings.DATA_DIR).free


def is_short() -> bool:
    """Whether less is left than is needed to go on, or nothing is known of it."""
    try:
        return free_bytes() < LEAST_FREE
    except OSError:
        return True
