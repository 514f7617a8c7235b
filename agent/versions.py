"""Which code made an answer."""

import hashlib
from functools import lru_cache
from pathlib import Path

from django.conf import settings


@lru_cache(maxsize=1)
def code_version() -> str:
    """First 12 hex digits of a SHA-256 over the sources that decide answers, in the order of their paths.

    A release number says less: the same answer must be reproducible from the same sources.
    """
    digest = hashlib.sha256()
    root = Path(settings.BASE_DIR)
    for path in sorted((*root.glob("agent/**/*.py"), *root.glob("filings/**/*.py"))):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
