"""Seconds to ingest each company of the bundled sample into an empty SQLite database: python -m evals.bench.ingestion

The first row holds the import of edgartools; the second table is a second run, which changes nothing. With
`--edgar` it ingests the companies named from EDGAR_BASE_URL instead, in a folder of their own.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edgar", nargs="+", metavar="CIK", type=int, help="Ingest these from EDGAR_BASE_URL.")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="diligence-bench-") as folder:
        os.environ |= {"DATA_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3", "DEBUG": "0"}
        os.environ.setdefault("SECRET_KEY", "bench")
        os.environ["DJANGO_SETTINGS_MODULE"] = "diligence.settings"
        measure(options.edgar)


def measure(ciks: list[int] | None) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    from filings import companies
    from filings.edgar import Edgar
    from filings.folder import FolderTransport
    from filings.sample import FOLDER

    call_command("migrate", verbosity=0)
    transport = None if ciks else FolderTransport(FOLDER)
    started = time.perf_counter()
    with Edgar(transport) as edgar:
        listed = edgar.company_tickers()
    print(f"ticker list: {companies.store_registrants(listed):,} registrants, {time.perf_counter() - started:.2f} s")
    started = time.perf_counter()
    import edgar as edgartools  # noqa: F401

    print(f"import of edgartools: {time.perf_counter() - started:.2f} s")
    names = sorted(FOLDER.glob("api/xbrl/companyfacts/CIK*.json.xz"))
    wanted = ciks or [int(path.name[3:13]) for path in names]
    for title in ("first run", "second run"):
        table(title, wanted, transport)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def table(title: str, ciks: list[int], transport: object) -> None:
    """One run over all companies, printed as a table."""
    from filings import queue
    from filings.edgar import Edgar
    from filings.models import Company

    print(f"\n{title}\n{'company':<32}{'filings':>9}{'facts':>9}{'seconds':>9}{'facts/s':>10}")
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
    print(f"{'all':<32}{'':>9}{'':>9}{sum(seconds):>9.2f}   median {middle:.2f}, largest {max(seconds):.2f}")


if __name__ == "__main__":
    sys.exit(main())
