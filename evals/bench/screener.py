"""The screener over thousands of companies with figures of one year, in a database of its own.

Every company has the facts of an income statement and a balance sheet. Its figures are kept as an ingestion keeps them,
for the measures screened; figures of other measures fill the table up to its full size. Goal: 5,000 companies and one
measure in a second. SCREENER_COMPANIES makes it shorter.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from evals.bench.program import own_database

COMPANIES = int(os.environ.get("SCREENER_COMPANIES", "5000"))
GOAL_MS = 1000.0
LOOKS = 7
YEAR = 2024
# Rows of other measures kept for each company.
OTHERS = 200
FIRST_CIK = 1_000_000
LINES = {
    "income": ("Revenues", "OperatingIncomeLoss", "NetIncomeLoss"),
    "balance": ("Assets",),
}
LABELS = {
    "Revenues": "Total revenues",
    "OperatingIncomeLoss": "Operating income",
    "NetIncomeLoss": "Net income",
    "Assets": "Total assets",
}
MEASURES = ("revenue", "operating_margin", "growth of revenue")


def measure() -> str:
    """The times, as text."""
    with own_database("screener", os.environ.get("SCREENER_DATABASE_URL", ""), ANON_TICKERS="*") as step:
        found: dict[str, Any] = step("look")
        found["times"] |= step("look_first")
    times = ", ".join(f"{name} {ms:.0f} ms" for name, ms in found["times"].items())
    return (
        f"screener: {COMPANIES:,} companies with {found['rows']:,} kept figures, {found['ranked']:,} ranked; {times} "
        f"(goal {GOAL_MS:.0f}); keeping {found['keep']:.1f} ms a company for {len(MEASURES)} measures, and "
        f"{found['live']:.1f} ms a company to select one measure without"
    )


# --- in the process of that database ---
def look() -> dict[str, Any]:
    """Fill the database, screen it, and give the medians."""
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from agent.models import AnnualFigure
    from agent.numbers.cells.measure_keys import measure_of
    from agent.numbers.registry import registry as registry_file
    from agent.screening.annual_figures import Everyone, FigureDeps, figures
    from agent.screening.ranked_companies import Condition, Screening, covered, screen

    call_command("migrate", verbosity=0)
    fill()
    registry = registry_file.load()
    keep_ms = keep()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")

    def deps() -> FigureDeps:
        return FigureDeps(registry, date(2026, 1, 1), {}, Everyone())

    margin = measure_of("operating_margin", registry)
    revenue = measure_of("revenue", registry)
    one = Screening((margin,), YEAR)
    three = Screening(
        tuple(measure_of(key, registry) for key in MEASURES), YEAR, (Condition(0, ">", Decimal(10) ** 9),), sort=1
    )
    client = Client(headers={"host": "localhost"})
    page = f"{reverse('screener')}?measures=operating_margin&year={YEAR}"

    begun = time.perf_counter()
    connection.close()
    first = screen(one, deps())
    cold = (time.perf_counter() - begun) * 1000
    times = {
        "one measure, first time": cold,
        "one measure": timed(lambda: screen(one, deps())),
        "three measures and a bound": timed(lambda: screen(three, deps())),
        "page of one measure": timed(lambda: opened(client, page)),
        "last page": timed(lambda: opened(client, f"{page}&page=50")),
        "CSV of all": timed(lambda: opened(client, page.replace("?", ".csv?"))),
    }
    some = [one.ref for one in list(covered("", deps()).values())[:200]]
    begun = time.perf_counter()
    list(figures(some, (revenue,), YEAR, deps()))
    live = (time.perf_counter() - begun) * 1000 / len(some)
    rows = AnnualFigure.objects.count()
    return {"times": times, "rows": rows, "ranked": len(first.ranked), "keep": keep_ms, "live": live}


def look_first() -> dict[str, float]:
    """The time of the first page that a process shows, which loads modules, registry and templates."""
    from django.test import Client
    from django.urls import reverse

    begun = time.perf_counter()
    opened(Client(headers={"host": "localhost"}), f"{reverse('screener')}?measures=operating_margin&year={YEAR}")
    return {"first page of a new process": (time.perf_counter() - begun) * 1000}


def opened(client: Any, address: str) -> None:
    if (reply := client.get(address)).status_code != 200:
        raise RuntimeError(f"{address} answered {reply.status_code}.")


def timed(do: Callable[[], Any]) -> float:
    times = []
    for _ in range(LOOKS):
        begun = time.perf_counter()
        do()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def fill() -> None:
    """Companies with a 10-K each: its statements, and facts of its year and the year before."""
    from filings.models import Company, Fact, Filing, Statement

    companies = Company.objects.bulk_create(
        [
            Company(
                cik=FIRST_CIK + number,
                name=f"Company {number} Holdings",
                sic=f"{3000 + number % 900}",
                facts_stored=2 * len(LABELS),
                status=Company.Status.DONE,
                attempt=1,
                ingested=datetime(2025, 6, 1, tzinfo=UTC),
                origin="edgar",
            )
            for number in range(COMPANIES)
        ],
        batch_size=1000,
    )
    filings = Filing.objects.bulk_create(
        [
            Filing(
                company=company,
                accession=f"{company.cik:010}-25-000001",
                form="10-K",
                filed=date(2025, 2, 20),
                report_date=date(2024, 12, 31),
                period_end=date(2024, 12, 31),
                fiscal_year=YEAR,
                is_primary=True,
                facts_stored=2 * len(LABELS),
                origin="edgar",
            )
            for company in companies
        ],
        batch_size=1000,
    )
    Statement.objects.bulk_create(
        [
            Statement(
                filing=filing,
                kind=kind,
                basis="inline",
                lines=[
                    {"order": place, "tag": f"us-gaap:{tag}", "label": LABELS[tag]}
                    for place, tag in enumerate(tags, 1)
                ],
            )
            for filing in filings
            for kind, tags in LINES.items()
        ],
        batch_size=1000,
    )
    Fact.objects.bulk_create(
        (fact for number, filing in enumerate(filings) for fact in facts_of(number, filing)), batch_size=2000
    )


def facts_of(number: int, filing: Any) -> list[Any]:
    """A company's facts: amounts that differ from company to company, this year's a tenth larger or more."""
    from filings.models import Fact

    found = []
    base = Decimal(1_000_000) * (100 + number * 7 % 9973)
    share = {"Revenues": 1, "OperatingIncomeLoss": Decimal(number % 389) / 1000, "NetIncomeLoss": Decimal("0.05")}
    for kind, tags in LINES.items():
        for place, tag in enumerate(tags, 1):
            for year in (YEAR, YEAR - 1):
                grown = base if year == YEAR else base / (Decimal("1.1") + Decimal(number % 50) / 100)
                value = (grown * share.get(tag, 2)).quantize(Decimal(1))
                found.append(
                    Fact(
                        company_id=filing.company_id,
                        filing=filing,
                        source="companyfacts",
                        taxonomy="us-gaap",
                        tag=tag,
                        unit="USD",
                        start=date(year, 12, 31) if kind == "balance" else date(year, 1, 1),
                        end=date(year, 12, 31),
                        raw=str(value),
                        value=value,
                        form="10-K",
                        filed=filing.filed,
                        statement=kind if year == YEAR else "",
                        order=place if year == YEAR else None,
                        label=LABELS[tag] if year == YEAR else "",
                    )
                )
    return found


def keep() -> float:
    """Keep the figures of all companies as ingestion does, and others beside them; returns milliseconds a company."""
    from agent.models import AnnualFigure
    from agent.numbers.cells.measure_keys import measure_of
    from agent.numbers.registry import registry as registry_file
    from agent.screening import annual_figures
    from filings.models import Company, Filing

    registry = registry_file.load()
    measures = tuple(measure_of(key, registry) for key in MEASURES)
    companies = list(Company.objects.order_by("pk"))
    begun = time.perf_counter()
    for number, company in enumerate(companies):
        annual_figures.keep(company, registry, date(2026, 1, 1), measures)
        if not number % 500:
            sys.stderr.write(f"{number} companies kept\n")
    took = (time.perf_counter() - begun) * 1000 / len(companies)
    AnnualFigure.objects.bulk_create(
        (
            AnnualFigure(
                company_id=filing.company_id,
                filing=filing,
                measure=f"other {other}",
                fiscal_year=YEAR,
                calendar_year=YEAR,
                latest=True,
                value=Decimal(other),
                unit="USD",
            )
            for filing in Filing.objects.all()
            for other in range(OTHERS)
        ),
        batch_size=5000,
    )
    return took
