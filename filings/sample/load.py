"""Loads the bundled sample: ingests each of its companies from its folder instead of EDGAR."""

from collections.abc import Callable
from pathlib import Path

from django.utils.timezone import now

from filings.edgar import companies
from filings.edgar.client import Edgar
from filings.edgar.local_folder import FolderTransport
from filings.ingest import queue
from filings.models import Company, Corpus, Origin
from filings.sample import FOLDER
from filings.sample.bundled import NAME, version
from filings.sample.imports import load_files
from filings.sample.vectors import seed


class NotLoaded(RuntimeError):
    """A company of the sample could not be loaded; the message says which and why."""


def load(say: Callable[[str], None] = lambda line: None, folder: Path = FOLDER) -> int:
    """Load the sample; returns how many companies. May be repeated and be killed at any line. Raises NotLoaded.

    A company ingested from EDGAR since stays as it is.
    """
    seed()
    transport = FolderTransport(folder)
    companies.store_registrants(Edgar(transport).company_tickers())
    companies.store_foreign_registrants()
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
