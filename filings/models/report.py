"""Filings, their documents and statements."""

import hashlib
from collections.abc import Collection, Iterable
from datetime import date
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Count, Q
from django.urls import reverse

from filings.models.company import Company, Origin
from filings.models.source_kinds import ANNUAL, CURRENT, KINDS, QUARTERLY, REPORT, SourceKind, choices
from filings.xbrl.periods import YEAR_DAYS

# The earliest fiscal year that is ingested and can be asked about.
FIRST_YEAR = 2015
# Raised when filings must be read again: the reading of documents, faces or facts has changed.
READER = 8
# The same for kinds whose reading alone has changed since: 10-Qs have text, 8-Ks figures.
LATER_READERS = {QUARTERLY.key: 9, CURRENT.key: 9}
# The same for documents that people brought: they have figures.
IMPORTS_READER = 9
# The same for the figures of tables and sentences alone, which are read from the stored text.
FIGURES_READER = 3
LAST_QUARTER = 4
# How the accession of a document begins that is no filing with the SEC.
IMPORTED = "doc-"


def imported_accession(content: bytes) -> str:
    """The stable key of a document that a person brought: from its bytes alone."""
    return f"{IMPORTED}{hashlib.sha256(content).hexdigest()[:16]}"


class StatementKind(models.TextChoices):
    """The primary financial statements, and the cover page."""

    INCOME = "income", "Income statement"
    COMPREHENSIVE = "comprehensive", "Statement of comprehensive income"
    BALANCE = "balance", "Balance sheet"
    CASHFLOW = "cashflow", "Cash flow statement"
    EQUITY = "equity", "Statement of equity"
    COVER = "cover", "Cover page"


# A filing from which figures or text were read.
READ = Q(facts_stored__gt=0) | Q(chunks_stored__gt=0)


class FilingQuerySet(models.QuerySet["Filing"]):
    def primary(self) -> Self:
        """The filings that answer: first non-amended 10-K of each fiscal year."""
        return self.filter(is_primary=True)

    def answering(self) -> Self:
        """The primary filings of the available fiscal years, whatever is loaded of them."""
        return self.primary().filter(fiscal_year__gte=FIRST_YEAR, is_transition=False)

    def of_companies(self, ciks: Iterable[int]) -> Self:
        """The filings of these companies and of their predecessors."""
        return self.filter(company__in=Company.objects.asked_as(ciks))

    def of_years(self) -> Self:
        """Those whose figures answer for the available fiscal years: the primary filings, and documents that print the
        statements of a year, of which a release may close it.
        """
        printed = Q(source__in=[ANNUAL.key, REPORT.key], accession__startswith=IMPORTED)
        printed |= Q(source=CURRENT.key, fiscal_quarter=LAST_QUARTER)
        found = self.filter(Q(is_primary=True) | printed & Q(facts_stored__gt=0, withdrawn=None))
        return found.filter(fiscal_year__gte=FIRST_YEAR, is_transition=False)

    def askable(self, cik: int, *, text: bool = False) -> Self:
        """A company's filings that can answer, newest first: with figures; for a text question, text is enough."""
        found = self.answering().filter(READ) if text else self.of_years().filter(facts_stored__gt=0)
        found = found.of_companies([cik])
        return found.select_related("company").order_by("-period_end")

    def with_figures(self, ciks: Collection[int]) -> Self:
        """The filings of these companies whose figures can answer, newest first, with their documents."""
        found = self.of_years().filter(facts_stored__gt=0).of_companies(ciks)
        return found.select_related("company").prefetch_related("documents").order_by("-period_end")

    def of_sec(self) -> Self:
        """Those filed with the SEC, without what was imported: only they date and label one another."""
        return self.exclude(accession__startswith=IMPORTED)

    def imported(self) -> Self:
        """The documents that people brought."""
        return self.filter(accession__startswith=IMPORTED)

    def searched(self) -> Self:
        """Those whose text is searched: not withdrawn."""
        return self.filter(chunks_stored__gt=0, withdrawn=None)

    def annual(self) -> Self:
        """The annual reports on Form 10-K, without other kinds of documents."""
        return self.filter(source=ANNUAL.key)

    def reports(self) -> Self:
        """The annual and quarterly reports, whose figures are held."""
        return self.filter(source__in=[kind.key for kind in KINDS.values() if kind.has_facts])

    def interim_with_figures(self, ciks: Collection[int]) -> Self:
        """The 10-Qs of these companies with figures, and the releases that print them, newest first; of several for a
        quarter the first filed is used.
        """
        held = self.filter(source__in=[QUARTERLY.key, CURRENT.key], facts_stored__gt=0, withdrawn=None)
        found = held.of_companies(ciks)
        found = found.filter(fiscal_quarter__isnull=False, fiscal_year__gte=FIRST_YEAR).exclude(form__endswith="/A")
        return found.select_related("company").prefetch_related("documents").order_by("-period_end", "-filed")

    def unread(self, cik: int, after: date) -> "Filing | None":
        """The newest 10-K that the SEC lists for a company, for a year that ended after a day, and that is not
        ingested.
        """
        later = self.filter(Q(period_end__gt=after) | Q(period_end=None, report_date__gt=after))
        later = later.filter(form="10-K", is_transition=False).of_companies([cik])
        return later.exclude(READ).select_related("company").order_by("-filed").first()

    def newest(self) -> Self:
        """Each company's primary filing of its latest year, where it is known since when it is available."""
        later = Filing.objects.filter(
            company=models.OuterRef("company"), is_primary=True, period_end__gt=models.OuterRef("period_end")
        ).filter(READ)
        return self.primary().filter(~models.Exists(later), held_since__isnull=False)

    def registered(self, accession: str, cik: int | None = None) -> "Filing | None":
        """The filing of an accession with its company: the named one where co-registrants filed it together, else the
        one read into sections, else the primary one. None where none is stored.
        """
        found = self.select_related("company").filter(accession=accession)
        if cik is not None:
            found = found.filter(company__cik=cik)
        return found.order_by(models.F("chunks_stored").desc(), "-is_primary", "pk").first()


class Filing(models.Model):
    """One document of one company, filed with the SEC or brought by a person, and what is loaded of it."""

    class DocumentStatus(models.TextChoices):
        PENDING = "pending", "Not fetched yet"
        HELD = "held", "Held"
        MISSING = "missing", "Not there at EDGAR"
        UNREADABLE = "unreadable", "Could not be read"

    company = models.ForeignKey(Company, models.CASCADE, related_name="filings")
    source = models.CharField(
        "kind", max_length=10, choices=choices, default=ANNUAL.key, help_text="Kind of document."
    )
    accession = models.CharField(
        max_length=20,
        help_text="Accession number, such as 0000320193-24-000123; for a document that a person brought, doc- and the first 16 digits of the SHA-256 hash of its bytes.",
    )
    form = models.CharField(max_length=12, blank=True, help_text="Form at the SEC; empty for what a person brought.")
    filed = models.DateField(help_text="Day of filing, of publication or of the call.")
    report_date = models.DateField(null=True, help_text="Last day of the reported period, as the SEC lists it.")
    period_end = models.DateField(
        null=True, db_index=True, help_text="Last day of the reported period, found from the facts."
    )
    fiscal_year = models.SmallIntegerField(null=True, db_index=True, help_text="Fiscal year as the company names it.")
    fiscal_quarter = models.SmallIntegerField(
        null=True,
        help_text="The quarter of the company's fiscal year: of a 10-Q, 1 to 3; of an earnings release, 1 to 4.",
    )
    is_primary = models.BooleanField(
        default=False, help_text="Whether it is the first 10-K (not amended) for its period, whose figures are used."
    )
    is_transition = models.BooleanField(
        default=False,
        help_text="Whether its period is not a full year (10-KT). Such filings are never used for answers.",
    )
    fiscal_year_focus = models.SmallIntegerField(
        null=True,
        help_text="Fiscal year that the filing itself states (dei:DocumentFiscalYearFocus): used only to find the company's names of years.",
    )
    named_year = models.SmallIntegerField(
        null=True,
        help_text="The year most often named as “fiscal YYYY” in the document: a second hint for the fiscal year.",
    )
    items = models.CharField(
        max_length=100,
        blank=True,
        default="",
        db_default="",
        help_text="Items of an 8-K, as the SEC lists them: 2.02,9.01.",
    )
    primary_document = models.CharField(max_length=200, blank=True)
    document_status = models.CharField(max_length=10, choices=DocumentStatus, default=DocumentStatus.PENDING)
    problem = models.TextField(blank=True, help_text="Why the document is missing or could not be read.")
    cover = models.JSONField(default=dict, blank=True, help_text="Texts tagged on the cover page: auditor, state, ...")
    facts_stored = models.PositiveIntegerField(default=0)
    facts_sha256 = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 hash of the companyfacts file from which its facts were read."
    )
    chunks_stored = models.PositiveIntegerField(default=0)
    indexed = models.CharField(
        max_length=200,
        blank=True,
        help_text="Search index, embedding model and number of chunks under which it is indexed; empty: waiting to be indexed.",
    )
    origin = models.CharField(max_length=10, choices=Origin, blank=True, help_text="Source of the filing.")
    held_since = models.DateTimeField(
        null=True, blank=True, help_text="When it was first loaded; empty for filings loaded by old releases."
    )
    reader = models.PositiveSmallIntegerField(default=0, help_text="Version of the code that read it; 0: not read.")
    figures_reader = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="Version of the code that read the figures of its tables and sentences; empty: not read.",
    )
    # What a person brought, and news.
    title = models.CharField(
        max_length=300, blank=True, default="", db_default="", help_text="Title of a document that was imported."
    )
    address = models.CharField(
        max_length=1000,
        blank=True,
        default="",
        db_default="",
        help_text="Address or file name from which a document was imported.",
    )
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="Who imported the document.",
    )
    withdrawn = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When the document was withdrawn: it stays readable and is no longer searched or cited.",
    )

    objects: ClassVar[FilingQuerySet] = FilingQuerySet.as_manager()  # type: ignore[assignment]

    # Its own durations: a 10-Q is read as one object for the quarter and another for the year to date.
    days: range = YEAR_DAYS

    class Meta:
        ordering: ClassVar = ["-filed", "-accession"]
        constraints: ClassVar = [
            # Co-registrants file one accession, each with its own row.
            models.UniqueConstraint(fields=["company", "accession"], name="filing_once"),
            models.UniqueConstraint(
                fields=["company", "period_end"], condition=Q(is_primary=True), name="filing_one_primary_a_period"
            ),
            # One file is a document of one company.
            models.UniqueConstraint(
                fields=["accession"], condition=Q(accession__startswith=IMPORTED), name="imported_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.company} {self.form} {self.accession}"

    def get_absolute_url(self) -> str:
        return reverse("filing", args=[self.accession])

    @property
    def kind(self) -> SourceKind:
        return KINDS[self.source]

    @property
    def figures_rank(self) -> int:
        """Which of several documents gives the figures of a period, the lowest first: XBRL, then what a report to the SEC
        prints, then another report, then a release.
        """
        if not self.is_imported and self.kind.has_facts:
            return 0
        return 1 if self.kind.has_facts else 3 if self.source == CURRENT.key else 2

    @property
    def current_reader(self) -> int:
        """The version of the code that reads a filing of its kind: it is read again where `reader` differs."""
        return IMPORTS_READER if self.is_imported else LATER_READERS.get(self.source, READER)

    @property
    def is_imported(self) -> bool:
        """Whether a person or the news brought it: the SEC has no such filing."""
        return self.accession.startswith(IMPORTED)

    @property
    def called(self) -> str:
        """Its name within a sentence: its title, else its form."""
        return self.title or self.form or self.kind.called

    @property
    def period(self) -> str:
        """Its period in words: fiscal 2024, or Q2 fiscal 2024; the day of a document that reports on no period."""
        if self.kind.span == "day" or not self.fiscal_year:
            return f"{self.filed:%-d %b %Y}"
        return (
            f"Q{self.fiscal_quarter} fiscal {self.fiscal_year}"
            if self.fiscal_quarter
            else f"fiscal {self.fiscal_year}"
        )

    @property
    def headline(self) -> str:
        """Its form or kind, and its period: "10-Q, Q2 fiscal 2024"; "Earnings call, Q3 fiscal 2024"."""
        return f"{self.form or self.kind.label}, {self.period}"

    @property
    def is_unused(self) -> bool:
        """Whether its figures are never used for answers: not the first 10-K of its year."""
        return self.source == ANNUAL.key and not self.is_primary

    @property
    def is_amendment(self) -> bool:
        return self.form.endswith("/A")

    @property
    def filed_by(self) -> str:
        """The registrant that filed it, with its CIK, where questions ask about another in its place; else empty."""
        company = self.company
        return f"{company.name} (CIK {company.cik})" if company.successor_cik else ""

    @property
    def folder_path(self) -> str:
        """The path of the filing's folder on sec.gov."""
        return f"Archives/edgar/data/{self.company.cik}/{self.accession.replace('-', '')}"

    @property
    def url(self) -> str:
        """The filing on sec.gov: its document, else its folder; for an import the address that it came from, if any;
        empty for a fictional issuer.
        """
        if self.is_imported:
            return self.address if self.address.startswith(("https://", "http://")) else ""
        if self.company.fictional:
            return ""
        if self.primary_document:
            return f"https://www.sec.gov/{self.folder_path}/{self.primary_document}"
        return f"https://www.sec.gov/{self.folder_path}/"


class ImportedDocument(Filing):
    """A document that a person brought, as the admin lists it."""

    class Meta:
        proxy = True
        verbose_name = "imported document"


class Document(models.Model):
    """One document of a filing's container, which is stored compressed in DATA_DIR (`filings.edgar.client`)."""

    filing = models.ForeignKey(Filing, models.CASCADE, related_name="documents")
    sequence = models.PositiveSmallIntegerField()
    type = models.CharField(max_length=40)
    filename = models.CharField(max_length=200)
    size = models.PositiveIntegerField(help_text="Size in bytes.")
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["filing", "sequence"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["filing", "filename"], name="document_once"),
        ]

    def __str__(self) -> str:
        return self.filename


class Statement(models.Model):
    """One financial statement of a filing: its lines in their order, and where they were read."""

    class Basis(models.TextChoices):
        LINKBASE = "linkbase", "Presentation linkbase"
        INLINE = "inline", "Statement tables of the document"
        PRINTED = "printed", "Tables of a document without XBRL"

    filing = models.ForeignKey(Filing, models.CASCADE, related_name="statements")
    kind = models.CharField(max_length=15, choices=StatementKind)
    basis = models.CharField(max_length=10, choices=Basis)
    title = models.CharField(max_length=300, blank=True, help_text="Title as printed above the table, if known.")
    # [{"order": 3, "tag": "us-gaap:Revenues", "label": "Net sales"}]; label "" where only a linkbase is available.
    lines = models.JSONField(default=list)

    class Meta:
        ordering: ClassVar = ["filing", "kind"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["filing", "kind"], name="statement_once")]

    def __str__(self) -> str:
        return self.title or self.get_kind_display()


def co_filed(accessions: Iterable[str]) -> set[str]:
    """Those accessions that several companies filed together: their addresses also need ?cik=."""
    held = Filing.objects.filter(accession__in=set(accessions)).values("accession").annotate(of=Count("pk"))
    return set(held.filter(of__gt=1).order_by().values_list("accession", flat=True))
