"""An ingestion from the local EDGAR, and what it has stored."""

from typing import Any

from django.forms.models import model_to_dict

from filings.edgar.client import Edgar
from filings.ingest import queue
from filings.ingest.ingestion import Outcome
from filings.models import Company, Document, Fact, Member, Statement
from tests.support.edgar import Filer


class QuickEdgar(Edgar):
    """Retries without waiting for long."""

    first_wait = 0.01


def run(
    made: Filer, years: tuple[int | None, int | None] = (2015, None), *, forms: str | None = None, **options: Any
) -> tuple[Company, Outcome]:
    """Ingest a published filer."""
    company, _ = Company.objects.get_or_create(cik=made.cik, defaults={"name": made.name})
    Company.objects.enqueue(company.pk, years, forms)
    outcome = queue.work(company.pk, QuickEdgar(), **options)
    assert outcome is not None
    company.refresh_from_db()
    return company, outcome


def rows(company: Company) -> dict[str, Any]:
    """Everything stored of a company, keys included."""
    told = {
        "company": {k: v for k, v in model_to_dict(company).items() if k not in ("attempt", "attempts_before", "heartbeat", "ingested")},
        "tickers": list(company.tickers.order_by("pk").values()),
        "anomalies": list(company.anomalies.order_by("pk").values()),
        "filings": list(company.filings.order_by("pk").values()),
    }  # fmt: skip
    for model in (Document, Statement, Fact, Member):
        told[model.__name__] = list(model.objects.filter(filing__company=company).order_by("pk").values())
    return told


def contents(company: Company) -> set[str]:
    """What is stored of a company without keys: equal for two databases that say the same."""
    facts = Fact.objects.filter(company=company).values_list(
        "filing__accession", "source", "taxonomy", "tag", "unit", "start", "end", "dimensions", "raw", "statement", "order",
        "label", "column", "printed", "document__filename",
    )  # fmt: skip
    statements = Statement.objects.filter(filing__company=company).values_list(
        "filing__accession", "kind", "basis", "title", "lines"
    )
    members = Member.objects.filter(filing__company=company).values_list(
        "filing__accession", "axis", "axis_label", "member", "label"
    )
    filings = company.filings.values_list(
        "accession", "form", "filed", "period_end", "fiscal_year", "is_primary", "document_status", "facts_stored"
    )
    everything = [str(row) for found in (facts, members, statements, filings) for row in found]
    assert len(everything) == len(set(everything))
    return set(everything)
