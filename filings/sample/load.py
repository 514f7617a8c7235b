"""Loads the bundled sample: ingests each of its companies from its folder instead of EDGAR."""

import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path

from django.utils.timezone import now

from filings.edgar import registrants
from filings.edgar.client import Edgar
from filings.edgar.local_folder import FolderTransport
from filings.ingest import queue
from filings.models import Company, Corpus, Filing, Origin
from filings.sample import FOLDER
from filings.sample.bundled import NAME, version
from filings.sample.vectors import seed

IMPORTS = "imports"


class NotLoaded(RuntimeError):
    """A company of the sample could not be loaded; the message says which and why."""


def load(say: Callable[[str], None] = lambda line: None, folder: Path = FOLDER) -> int:
    """Load the sample; returns how many companies. May be repeated and be killed at any line. Raises NotLoaded.

    A company ingested from EDGAR since stays as it is.
    """
    seed()
    transport = FolderTransport(folder)
    registrants.store_registrants(Edgar(transport).company_tickers())
    registrants.store_foreign_registrants()
    ciks = [int(path.name[3:13]) for path in sorted(folder.glob("api/xbrl/companyfacts/CIK*.json.xz"))]
    for cik in ciks:
        company, _ = Company.objects.get_or_create(cik=cik, defaults={"name": f"CIK {cik}"})
        Company.objects.filter(pk=company.pk).update(in_sample=True)
        if company.origin == Origin.EDGAR or (
            company.is_open and company.filings.filter(origin=Origin.EDGAR).exists()
        ):
            say(f"{company}: ingested from EDGAR, left as it is")
            continue
        # An attempt left by a killed load is ended rather than waited for.
        Company.objects.cancel(company.pk)
        outcome = queue.work_at_once(company.pk, edgar=Edgar(transport))
        if outcome is None or outcome.status != Company.Status.DONE:
            raise NotLoaded(outcome.message if outcome else f"{company}: another process is loading it.")
        say(outcome.message)
    load_files(say, folder)
    Corpus.objects.update_or_create(name=NAME, defaults={"version": version(folder), "loaded": now()})
    return len(ciks)


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
