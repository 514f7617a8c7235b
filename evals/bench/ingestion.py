"""Seconds to ingest each company of the bundled sample into an empty SQLite database, and to ingest it again.

`python -m evals.bench ingestion`, or `python -m evals.bench.ingestion CIK ...` for companies of EDGAR_BASE_URL. It
runs in a process and a folder of its own, so that the database of the settings is not touched.
"""

import sys
import time
from collections.abc import Iterator, Sequence

from evals.bench.program import DEPLOYED, own_database, peak


def measure(ciks: Sequence[str] = ()) -> str:
    """The tables of a run of their own, as text."""
    with own_database("ingestion", **DEPLOYED) as step:
        told: str = step("run", ciks)
    return told


def run(ciks: Sequence[str]) -> str:
    """The tables for the database of this process, which must be empty."""
    return "\n".join(tables([int(text) for text in ciks]))


def tables(ciks: Sequence[int]) -> Iterator[str]:
    from django.core.management import call_command

    from filings.edgar import registrants
    from filings.edgar.client import Edgar
    from filings.edgar.local_folder import FolderTransport
    from filings.sample import FOLDER

    call_command("migrate", verbosity=0)
    transport = None if ciks else FolderTransport(FOLDER)
    started = time.perf_counter()
    import edgar as edgartools  # noqa: F401

    yield (f"import of edgartools: {time.perf_counter() - started:.2f} s")
    started = time.perf_counter()
    with Edgar(transport) as edgar:
        listed = edgar.company_tickers()
    yield (
        f"ticker list: {registrants.store_registrants(listed):,} registrants, {time.perf_counter() - started:.2f} s"
    )
    names = sorted(FOLDER.glob("api/xbrl/companyfacts/CIK*.json.xz"))
    for title in ("first run", "second run"):
        yield from table(title, ciks or [int(path.name[3:13]) for path in names], transport)
    yield f"\npeak memory {peak()} MB"


def table(title: str, ciks: Sequence[int], transport: object) -> Iterator[str]:
    """One run over all companies."""
    from filings.edgar.client import Edgar
    from filings.ingest import queue
    from filings.models import Company

    yield (f"\n{title:<32}{'filings':>9}{'facts':>9}{'seconds':>9}{'facts/s':>10}")
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
            yield (f"{company.name[:30]:<32}{company.problem}")
            continue
        rate = company.facts_stored / took
        yield (f"{company.name[:30]:<32}{company.filings_done:>9}{company.facts_stored:>9,}{took:>9.2f}{rate:>10,.0f}")
    middle = sorted(seconds)[len(seconds) // 2]
    yield (f"{'all':<32}{'':>9}{'':>9}{sum(seconds):>9.2f}   median {middle:.2f}, longest {max(seconds):.2f}")


if __name__ == "__main__":
    print(measure(sys.argv[1:]))
