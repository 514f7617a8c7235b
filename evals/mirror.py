"""Real filings for the evaluation, ingested from a local EDGAR beside the project where there is one."""

import csv
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.test import override_settings

from filings import queue
from filings.models import Company, Filing

SHARED = Path(__file__).resolve().parents[1] / "../shared/edgar"


class NotIngested(RuntimeError):
    """A filing of the mirror could not be ingested, and why."""


def is_there() -> bool:
    """Whether the mirror stands beside the project."""
    return (SHARED / "serve.py").is_file()


@contextmanager
def edgar() -> Iterator[Any]:
    """The mirror's local EDGAR, with the settings pointed at it."""
    spec = importlib.util.spec_from_file_location("serve", SHARED / "serve.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"{SHARED / 'serve.py'} cannot be imported.")
    serve = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(serve)
    with serve.Edgar() as server:
        changes: dict[str, Any] = {
            "EDGAR_BASE_URL": server.url,
            "EDGAR_DATA_URL": server.url,
            "EDGAR_REQUESTS_PER_SECOND": 1000.0,
            "EDGAR_IDENTITY": settings.EDGAR_IDENTITY or "Diligence Evaluation evaluation@example.com",
        }
        with override_settings(**changes):
            yield server


def years(accessions: set[str]) -> dict[int, tuple[int, int]]:
    """CIK to the first and last fiscal year of the filings named, as the mirror's list labels them."""
    found: dict[int, tuple[int, int]] = {}
    with (SHARED / "filings.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["accession"] in accessions:
                cik, year = int(row["cik"]), int(row["fiscal_year"])
                first, last = found.get(cik, (year, year))
                found[cik] = min(first, year), max(last, year)
    return found


def ingest(accessions: set[str]) -> None:
    """Make the database hold these filings; those it holds are left. Call inside `edgar()`."""
    for cik, (first, last) in years(accessions).items():
        wanted = accessions & set(Filing.objects.filter(company__cik=cik).values_list("accession", flat=True))
        held = Filing.objects.filter(company__cik=cik, accession__in=wanted).exclude(indexed="")
        if wanted and held.count() == len(wanted):
            continue
        company, _ = Company.objects.get_or_create(cik=cik, defaults={"name": f"CIK {cik}"})
        Company.objects.cancel(company.pk)
        Company.objects.enqueue(company.pk, (first, last))
        outcome = queue.work(company.pk)
        if outcome is None or outcome.failed:
            raise NotIngested(outcome.message if outcome else f"{company} is held by another worker.")
