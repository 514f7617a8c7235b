"""Where files are taken, and how large a request may be there."""

from django.conf import settings

# Beside the files: names, fields, and the lines between them.
FIELDS_BYTES = 64 * 1024
PATHS = frozenset({"/documents/import", "/api/v1/documents"})


def most_bytes() -> int:
    """Most bytes of a request that brings files."""
    most: int = settings.IMPORT_MOST_BYTES
    return most + FIELDS_BYTES
