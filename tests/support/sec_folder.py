"""A folder of SEC's files as verify_certificate.py reads them, made of the bundled sample."""

import json
import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from filings.edgar.edgar_files import read_container
from filings.sample import FOLDER


def write(folder: Path, certificate: dict[str, Any], source: Path = FOLDER) -> Path:
    """Company facts and documents of everything that a certificate cites, out of a mirror of EDGAR; the folder."""
    for cik, accession in set(cited(certificate)):
        facts = source / f"api/xbrl/companyfacts/CIK{cik:010d}.json.xz"
        if facts.is_file():
            put(folder / facts.relative_to(source).with_suffix(""), lzma.decompress(facts.read_bytes()))
        container = source / f"Archives/edgar/data/{cik}/{accession.replace('-', '')}/{accession}.txt.xz"
        if container.is_file():
            for one in read_container(accession, lzma.decompress(container.read_bytes())).documents:
                put(folder / container.relative_to(source).parent / one.filename, one.content)
    return folder


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def cited(value: Any) -> Iterator[tuple[int, str]]:
    """Every pair of CIK and accession number within a certificate."""
    if isinstance(value, dict):
        if "cik" in value and "accession" in value:
            yield value["cik"], value["accession"]
        value = value.values()
    if isinstance(value, Iterable) and not isinstance(value, str):
        for one in value:
            yield from cited(one)


def saved(folder: Path, certificate: dict[str, Any]) -> Path:
    """A certificate as a file of a folder."""
    path = folder / "certificate.json"
    path.write_text(json.dumps(certificate), encoding="utf-8")
    return path
