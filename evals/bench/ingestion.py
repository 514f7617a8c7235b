"""Seconds to ingest each company of the bundled sample into an empty SQLite database, and to ingest it again.

`python -m evals.bench ingestion`, or `python -m evals.bench.ingestion CIK ...` for companies of EDGAR_BASE_URL. It
runs in a process and a folder of its own, so that the database of the settings is not touched.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

from evals.bench.program import peak


def measure(ciks: Sequence[str] = ()) -> str:
    """The tables of a run of their own, as text."""
    with tempfile.TemporaryDirectory(prefix="diligence-bench-") as folder:
        environment = os.environ | {
            "DATA_DIR": folder,
            "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
            "DEBUG": "0",
            "SECRET_KEY": "bench",
            "DJANGO_SETTINGS_MODULE": "diligence.settings",
        }
        command = [sys.executable, "-c", "from evals.bench import ingestion; ingestion.run()", *ciks]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        return f"ingestion: not measured, {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
    return done.stdout.rstrip()


def run() -> None:
    """Print the tables for the database of this process, which must be empty."""
    import django

    django.setup()
    from django.core.management import call_command

    from filings.edgar import companies
    from filings.edgar.client import Edgar
    from filings.edgar.local_folder import FolderTransport
    from filings.sample import FOLDER

    call_command("migrate", verbosity=0)
    ciks = [int(text) for text in sys.argv[1:]]
    transport = None if ciks else FolderTransport(FOLDER)
    started = time.perf_counter()
    import edgar as edgartools  # noqa: F401

    print(f"import of edgartools: {time.perf_counter() - started:.2f} s")
    started = time.perf_counter()
    with Edgar(transport) as edgar:
        listed = edgar.company_tickers()
    print(f"ticker list: {companies.store_registrants(listed):,} registrants, {time.perf_counter() - started:.2f} s")
    names = sorted(FOLDER.glob("api/xbrl/companyfacts/CIK*.json.xz"))
    for title in ("first run", "second run"):
        table(title, ciks or [int(path.name[3:13]) for path in names], transport)
    print(f"\npeak memory {peak()} MB")


def table(title: str, ciks: Sequence[int], transport: object) -> None:
    """One run over all companies, printed as a table."""
    from filings.edgar.client import Edgar
    from filings.ingest import queue
    from filings.models import Company

    print(f"\n{title:<32}{'filings':>9}{'facts':>9}{'seconds':>9}{'facts/s':>10}")
    seconds = []
    for cik in ciks:
        company, _ = Company.objects.get_or_create(cik=cik, defaults={"name": f"CIK {cik}"})
        Company.objects.enqueue(company.pk)
        started = time.perf_counter()
        outcome = queue.work(company.pk, Edgar(transport))  # type: ignore[arg-type]
        took = time.perf_counter() - started
        company.refresh_from_db()
        seconds.append(took)
        if outcome is None or outcome.failed:
            print(f"{company.name[:30]:<32}{company.problem}")
            continue
        rate = company.facts_stored / took
        print(f"{company.name[:30]:<32}{company.filings_done:>9}{company.facts_stored:>9,}{took:>9.2f}{rate:>10,.0f}")
    middle = sorted(seconds)[len(seconds) // 2]
    print(f"{'all':<32}{'':>9}{'':>9}{sum(seconds):>9.2f}   median {middle:.2f}, longest {max(seconds):.2f}")


if __name__ == "__main__":
    print(measure(sys.argv[1:]))
