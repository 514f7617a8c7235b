"""Which filings of a company an ingestion stores, of all that EDGAR lists."""

from collections.abc import Collection
from datetime import date, timedelta

from django.conf import settings

from filings.edgar.edgar_files import Submissions
from filings.edgar.listing import ListedReport, date_reports, label_reports, listed, listed_reports, within
from filings.models import Company, Filing, ForeignRegistrant
from filings.models.source_kinds import ANNUAL, FOREIGN, QUARTERLY, SourceKind
from filings.xbrl.companyfacts import CompanyFacts
from filings.xbrl.periods import A_YEAR

# The reports by which the years of the other kinds are counted back: those that come at known times.
REPORTS = (ANNUAL, QUARTERLY, FOREIGN)


def labelled_reports(
    company: Company, submissions: Submissions | None, facts: CompanyFacts | None, kinds: Collection[SourceKind]
) -> list[ListedReport]:
    """Annual reports, 10-Qs with figures, and the filings of other kinds, with period and fiscal year."""
    told = (*facts.filings.values(), *facts.interim.values()) if facts else ()
    reports = listed_reports(submissions, map(listed, told), kinds)
    held = {filing.accession: filing for filing in company.filings.all()}
    for report in reports:
        if (filing := held.get(report.accession)) is not None:
            # From an earlier reading of the document; the facts' own dates take precedence.
            report.period_end = filing.period_end
            report.fiscal_year_focus = report.fiscal_year_focus or filing.fiscal_year_focus
            if filing.document_status == Filing.DocumentStatus.HELD or not report.primary_document:
                # Chosen in the container by type; the list may name an exhibit.
                report.primary_document = filing.primary_document
            report.report_date = report.report_date or filing.report_date
    date_reports(reports)
    label_reports(company.cik, reports, company.label_offset)
    return reports


def recent_from(company: Company, reports: Collection[ListedReport]) -> date:
    """The first day of which documents other than 10-Ks are read: some years before the newest report of the years asked
    for, so that what is read depends on what was filed and not on the day.
    """
    filed = [one.filed for one in reports if one.kind in REPORTS and is_asked(company, one)]
    if not filed or not settings.INGEST_RECENT_YEARS:
        return date.max
    return max(filed) - timedelta(days=round(A_YEAR * settings.INGEST_RECENT_YEARS))


def is_asked(company: Company, report: ListedReport) -> bool:
    """Whether a report is of the fiscal years that a company is ingested for."""
    return within(report, company.years_from, company.years_to)


def is_stored(company: Company, report: ListedReport, since: date) -> bool:
    """Whether a report has a row: one with figures always, as it labels the years; any other where it is loaded."""
    return bool(report.kind and report.kind.has_facts) or (report.filed >= since and is_asked(company, report))


def is_foreign(company: Company, submissions: Submissions | None, facts: CompanyFacts | None) -> bool:
    """Whether the company files 20-F or 40-F and no 10-K; without submissions, by IFRS facts or the table of
    foreign registrants.
    """
    if (submissions and submissions.of_kind(ANNUAL)) or (facts and facts.filings):
        return False
    listed = ForeignRegistrant.objects.filter(cik=company.cik).exists()
    return bool((submissions and submissions.foreign_form) or (facts and facts.has_ifrs) or listed)
