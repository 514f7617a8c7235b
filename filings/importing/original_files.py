"""The files that people brought, byte for byte: compressed in DATA_DIR under their SHA-256.

Apart from EDGAR's files, which `prune` may delete because they can be fetched again. These cannot.
"""

import hashlib
import lzma
from pathlib import Path

from django.conf import settings

from diligence.atomic_files import write_whole
from filings.edgar.raw_files import PRESET


def path_of(sha256: str) -> Path:
    """Where the file of this SHA-256 is, or would be."""
    folder: Path = settings.DATA_DIR
    return folder / "originals" / sha256[:2] / f"{sha256}.xz"


def sha256_of(content: bytes) -> str:
    """The key of a file."""
    return hashlib.sha256(content).hexdigest()


def write(content: bytes) -> str:
    """Store a file, complete or not at all; returns its SHA-256. Raises OSError."""
    sha256 = sha256_of(content)
    path = path_of(sha256)
    if read(sha256) is None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lzma.compress(content, preset=PRESET))
    return sha256


def read(sha256: str) -> bytes | None:
    """The bytes of this SHA-256; None where they are missing or damaged."""
    try:
        content = lzma.decompress(path_of(sha256).read_bytes())
    except (OSError, lzma.LZMAError, EOFError):
        return None
    return content if sha256_of(content) == sha256 else None


def stored() -> list[Path]:
    """All files as they are kept, complete ones only."""
    folder: Path = settings.DATA_DIR
    return sorted((folder / "originals").glob("*/[!.]*.xz"))


def put_back(name: str, compressed: bytes) -> str | None:
    """Store a file as it was kept under a name. Returns its SHA-256; empty where it is held; None where it is damaged.

    Raises OSError.
    """
    sha256 = name.removesuffix(".xz")
    try:
        content = lzma.decompress(compressed)
    except (lzma.LZMAError, EOFError):
        return None
    if sha256_of(content) != sha256:
        return None
    if read(sha256) is not None:
        return ""
    path = path_of(sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, compressed)
    return sha256


def delete(sha256: str) -> None:
    """Delete a file; safe where it is gone."""
    path_of(sha256).unlink(missing_ok=True)
