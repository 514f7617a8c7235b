"""The bundled files that are not from EDGAR, a call and a fact sheet: imported as those that a person brings."""

import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path

from filings.models import Company, Filing, Origin
from filings.sample import FOLDER

IMPORTS = "imports"


def bundled_files(folder: Path = FOLDER) -> Iterator[tuple[str, bytes, dict[str, str]]]:
    """(name, content, what is written beside it) of each file, company by company.

    What is written has the fields that an import asks for: company, kind, period, date, title.
    """
    for listing in sorted((folder / IMPORTS).glob("CIK*.json.xz")):
        for written in json.loads(lzma.decompress(listing.read_bytes()))["files"]:
            name = written.pop("file")
            yield name, lzma.decompress((folder / IMPORTS / f"{name}.xz").read_bytes()), written


def load_files(say: Callable[[str], None] = lambda line: None, folder: Path = FOLDER) -> int:
    """Import the files, of companies whose facts are the sample's; returns how many. May be repeated."""
    from filings.importing.document_fields import fields_of
    from filings.importing.importing import import_document

    count = 0
    for name, content, written in bundled_files(folder):
        company = Company.objects.filter(tickers__symbol=written["company"]).first()
        if company is None or company.origin != Origin.SAMPLE:
            continue
        held = import_document(content, name, fields_of(written), bundled=True).filing
        Filing.objects.filter(pk=held.pk).update(origin=Origin.SAMPLE)
        say(f"{company}: {name}")
        count += 1
    return count
