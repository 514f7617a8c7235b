"""The bundled sample's version, and whether it is loaded. Cheap: `make run` asks at every start."""

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
            # The same files and code give the same vectors, shipped or not.
            continue
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_loaded(folder: Path = FOLDER) -> bool:
    """Whether this version of the sample is stored."""
    return Corpus.objects.filter(name=NAME, version=version(folder)).exists()
