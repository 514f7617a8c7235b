"""Versions of the code and synonyms that made an answer."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from django.conf import settings

# Word lists, registries, calibrations, compiled programs, grammars.
DATA = {".yaml", ".csv", ".json", ".lark"}
DIGITS = 12


def sources(root: Path) -> Iterator[Path]:
    """Code and data files that decide answers, in the order of their paths."""
    for path in sorted((*root.glob("agent/**/*"), *root.glob("filings/**/*"))):
        if path.suffix in {".py", *DATA}:
            yield path


@lru_cache(maxsize=1)
def code_version() -> str:
    """First 12 hex digits of a SHA-256 over all code and data outside the database that decide answers.

    A release number is not enough: the same sources must reproduce the same answer.
    """
    return digest(Path(settings.BASE_DIR))


def digest(root: Path) -> str:
    """The same for another folder."""
    found = hashlib.sha256()
    for path in sources(root):
        found.update(str(path.relative_to(root)).encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:DIGITS]


def synonyms_version() -> str:
    """First 12 hex digits of a SHA-256 over the synonyms that this process searches with; curators edit them."""
    from filings.search import synonyms

    return hashlib.sha256(repr(synonyms.active_entries()).encode()).hexdigest()[:DIGITS]
