"""Ingests figures and faces of the mirror's filings without text: minutes instead of an hour."""

import sys

from evals import mirror
from filings.edgar.client import Edgar
from filings.ingest.ingestion import Ingestion
from filings.ingest.isolated_reading import Reading
from filings.ingest.store_text import FilingText
from filings.models import Company, Filing
from filings.models.source_kinds import QUARTERLY
from filings.xbrl.faces import read_filing

# The mirror has some years of annual reports, and only figures of later filings.
YEARS_BEHIND = 2


class Figures(Ingestion):
    """An ingestion that skips the text of filings."""

    def read(self, edgar: Edgar, filing: Filing) -> Reading:
        container = edgar.filing_documents(self.company.cik, filing.accession)
        return Reading(container, read_filing(container), FilingText())

    def is_wanted(self, filing: Filing) -> bool:
        """Includes quarters after the mirror's last annual report."""
        last = self.company.years_to or 0
        behind = filing.source == QUARTERLY.key and last < (filing.fiscal_year or 0) <= last + YEARS_BEHIND
        return behind or super().is_wanted(filing)


def ingest() -> None:
    """Ingest them unless the database has them. Call inside `mirror.edgar()`.

    Use a separate database: these filings pass for read, without their text.
    """
    for job in mirror.jobs({row["accession"] for row in mirror.listed()}):
        company, _ = Company.objects.get_or_create(cik=job.cik, defaults={"name": f"CIK {job.cik}"})
        if company.status == Company.Status.DONE:
            continue
        Company.objects.cancel(company.pk)
        Company.objects.enqueue(company.pk, (job.first, job.last), "10-K,10-Q")
        attempt = Company.objects.claim(company.pk)
        with Edgar() as edgar:
            outcome = Figures(company.pk, attempt or 0, lambda line: None).run(edgar)
        print(outcome.message, file=sys.stderr)
