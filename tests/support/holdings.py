"""A fictional company with three annual reports in the database, as an ingestion leaves it."""

from datetime import date
from decimal import Decimal
from typing import Any

from filings.models import Company, Document, Fact, Filing, Statement, Ticker

NORTHWIND = 9_999_988_801
SHA256 = "5e" * 32


def known(name: str, symbol: str, cik: int, **fields: Any) -> Company:
    """A registrant known by name only."""
    company = Company.objects.create(cik=cik, name=name, **fields)
    Ticker.objects.create(company=company, symbol=symbol)
    return company


def northwind(**fields: Any) -> Company:
    """Northwind Instruments with the 10-Ks of fiscal 2023 to 2025; only that of 2025 has a document and a face."""
    company = known(
        "Northwind Instruments, Inc.",
        "NWI",
        NORTHWIND,
        **{
            "former_names": ["Northwind Gauge Works"],
            "sic": "3825",
            "sic_description": "Instruments for measuring",
            "fiscal_year_end": "1231",
            "status": Company.Status.DONE,
            "facts_sha256": SHA256,
            **fields,
        },
    )
    for year, revenue in ((2023, "79004000"), (2024, "86214000"), (2025, "91530000")):
        filing = annual_report(company, year)
        annual_fact(filing, "Revenues", revenue)
        if year == 2025:
            # The figure of the year before, given again and restated.
            annual_fact(filing, "Revenues", "85702000", year=2024)
    latest = company.filings.get(fiscal_year=2025)
    document = Document.objects.create(
        filing=latest, sequence=1, type="10-K", filename="nwi-20251231.htm", size=1000, sha256="d0" * 32
    )
    Statement.objects.create(
        filing=latest,
        kind="income",
        basis=Statement.Basis.INLINE,
        title="Statements of income",
        lines=[{"order": 1, "tag": "us-gaap:Revenues", "label": "Net sales"}],
    )
    latest.facts.filter(end=date(2025, 12, 31)).update(
        source=Fact.Source.DOCUMENT,
        document=document,
        statement="income",
        order=1,
        label="Net sales",
        printed="91,530",
    )
    Filing.objects.filter(pk=latest.pk).update(
        document_status=Filing.DocumentStatus.HELD, primary_document=document.filename
    )
    count(company)
    return company


def annual_report(company: Company, year: int, **fields: Any) -> Filing:
    """The 10-K of a calendar year, filed the February after."""
    return Filing.objects.create(
        company=company,
        **{
            "accession": f"{company.cik:010d}-{(year + 1) % 100:02d}-000012",
            "form": "10-K",
            "filed": date(year + 1, 2, 20),
            "report_date": date(year, 12, 31),
            "period_end": date(year, 12, 31),
            "fiscal_year": year,
            "is_primary": True,
            **fields,
        },
    )


def annual_fact(filing: Filing, tag: str, raw: str, year: int | None = None, **fields: Any) -> Fact:
    """A fact of a whole calendar year in US dollars, from companyfacts."""
    year = year or filing.fiscal_year or filing.filed.year - 1
    return Fact.objects.create(
        company=filing.company,
        filing=filing,
        **{
            "source": Fact.Source.COMPANYFACTS,
            "taxonomy": "us-gaap",
            "tag": tag,
            "unit": "USD",
            "start": date(year, 1, 1),
            "end": date(year, 12, 31),
            "raw": raw,
            "value": Decimal(raw),
            "form": filing.form,
            "filed": filing.filed,
            **fields,
        },
    )


def count(company: Company) -> None:
    """Write the counts that an ingestion writes last."""
    for filing in company.filings.all():
        Filing.objects.filter(pk=filing.pk).update(facts_stored=filing.facts.count())
    filings = company.filings.count()
    company.facts_stored, company.filings_found, company.filings_done = company.facts.count(), filings, filings
    company.save(update_fields=["facts_stored", "filings_found", "filings_done"])
