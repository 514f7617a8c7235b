"""Which sample is bundled, and whether it is the one that is stored. Light: `make run` asks at every start."""

import hashlib
from pathlib import Path

from filings.models import READER, Corpus
from filings.sample import FOLDER, VECTORS

NAME = "sample"


def version(folder: Path = FOLDER) -> str:
    """SHA-256 of the sample's files and of the version of the code that reads them."""
    digest = hashlib.sha256(f"reader {READER}".encode())
    for path in sorted(folder.rglob("*.xz")):
        if path.name == VECTORS.name:
            # Of the same files and code the same vectors come, shipped or not.
            continue
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_loaded(folder: Path = FOLDER) -> bool:
    """Whether this version of the sample is stored."""
    return Corpus.objects.filter(name=NAME, version=version(folder)).exists()
