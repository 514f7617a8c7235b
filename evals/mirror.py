"""Real filings for the evaluation, ingested from a local EDGAR if there is one."""

import csv
import importlib.util
import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import django
from django.conf import settings
from django.test import override_settings

if __name__ == "__main__":
    # For one process of `ingest`.
    django.setup()

from filings.ingest import queue
from filings.models import Company, Filing

SHARED = Path(__file__).resolve().parents[1] / "../shared/edgar"
FORMS = SHARED.parent / "forms/mirror"
# Settings that point an ingestion at the mirror.
POINTED = ("EDGAR_BASE_URL", "EDGAR_REQUESTS_PER_SECOND", "EDGAR_IDENTITY")


class NotIngested(RuntimeError):
    """A filing of the mirror could not be ingested, and why."""


def is_there() -> bool:
    """Whether the mirror is available."""
    return (SHARED / "serve.py").is_file()


@contextmanager
def edgar(*, forms: bool = False) -> Iterator[Any]:
    """The mirror's local EDGAR, with the settings pointed at it. forms: with the 10-Qs beside the mirror."""
    with serving().Edgar((SHARED / "mirror", *([FORMS] if forms else []))) as server, pointed(server.url):
        yield server


def serving() -> Any:
    """The mirror's own module, whose `Edgar` is a server. Raises FileNotFoundError."""
    spec = importlib.util.spec_from_file_location("serve", SHARED / "serve.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"{SHARED / 'serve.py'} cannot be imported.")
    serve = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(serve)
    return serve


def pointed(url: str, **more: Any) -> override_settings:
    """The settings with a local server as EDGAR, and other changes."""
    return override_settings(
        EDGAR_BASE_URL=url,
        EDGAR_DATA_URL=url,
        EDGAR_REQUESTS_PER_SECOND=1000.0,
        EDGAR_IDENTITY=settings.EDGAR_IDENTITY or "Diligence Evaluation evaluation@example.com",
        **more,
    )


def years(accessions: set[str]) -> dict[int, tuple[int, int]]:
    """CIK -> first and last fiscal year of the named filings, by the mirror's list."""
    found: dict[int, tuple[int, int]] = {}
    for row in listed():
        if row["accession"] in accessions:
            cik, year = int(row["cik"]), int(row["fiscal_year"])
            first, last = found.get(cik, (year, year))
            found[cik] = min(first, year), max(last, year)
    return found


def listed() -> list[dict[str, str]]:
    """The annual reports that the mirror lists."""
    with (SHARED / "filings.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def document(row: dict[str, str]) -> tuple[str, str, bytes]:
    """(filename, type, content) of a listed report."""
    content = lzma.decompress((SHARED / "mirror" / f"{row['mirror_path']}.xz").read_bytes())
    return Path(row["mirror_path"]).name, row["form"], content


def ingest(accessions: set[str], processes: int | None = None) -> None:
    """Ingest these filings unless the database has them. Call inside `edgar()`.

    processes: how many ingest in parallel, each some of the companies; by default as many as processors. Raises
    NotIngested.
    """
    waiting = [job for job in jobs(accessions) if not is_held(job.cik, accessions)]
    # The longest first, dealt out in turn.
    waiting.sort(key=lambda job: (job.first - job.last, job.cik))
    count = min(processes or os.cpu_count() or 1, len(waiting))
    if count < 2:
        for job in waiting:
            work(job)
        return
    variables = {name: str(getattr(settings, name)) for name in POINTED}
    children = [
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "evals.mirror", *map(str, waiting[part::count])],
            env=os.environ | variables,
            stderr=subprocess.PIPE,
            text=True,
        )
        for part in range(count)
    ]
    said = [child.communicate()[1] for child in children]
    for child, words in zip(children, said, strict=True):
        if child.returncode:
            raise NotIngested((words.strip().splitlines() or ["a process ended without a word"])[-1])


class Job(NamedTuple):
    """A company, and the fiscal years of it that are wanted."""

    cik: int
    first: int
    last: int

    def __str__(self) -> str:
        return ":".join(map(str, self))


def jobs(accessions: set[str]) -> list[Job]:
    return [Job(cik, *between) for cik, between in years(accessions).items()]


def is_held(cik: int, accessions: set[str]) -> bool:
    """Whether everything wanted of a company is stored and indexed."""
    wanted = accessions & set(Filing.objects.filter(company__cik=cik).values_list("accession", flat=True))
    held = Filing.objects.filter(company__cik=cik, accession__in=wanted).exclude(indexed="")
    return bool(wanted) and held.count() == len(wanted)


def work(job: Job) -> None:
    """Ingest one company's years. Raises NotIngested."""
    company, _ = Company.objects.get_or_create(cik=job.cik, defaults={"name": f"CIK {job.cik}"})
    Company.objects.cancel(company.pk)
    Company.objects.enqueue(company.pk, (job.first, job.last), "10-K,10-Q")
    outcome = queue.work(company.pk)
    if outcome is None or outcome.failed:
        raise NotIngested(outcome.message if outcome else f"{company} is held by another worker.")


if __name__ == "__main__":
    for text in sys.argv[1:]:
        work(Job(*map(int, text.split(":"))))
