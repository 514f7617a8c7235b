"""What the SEC holds, as stored here: companies, filings, documents, statements, facts."""

from datetime import timedelta
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.db import models, transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils.timezone import now

from filings.periods import PeriodKind, period_kind

# A worker beats at every request, wait and filing; the longest of these is the reading of one large document.
STALE_AFTER = timedelta(seconds=90)
# Raised when filings read before are to be read again: the reading of documents, faces or facts has changed.
READER = 2


def shortest(value: Decimal) -> Decimal:
    """A decimal without zeros after its last digit behind the point, never in exponent form: 100, 6.1."""
    text = format(value, "f")  # normalize() would round to the context's 28 digits
    return Decimal(text.rstrip("0").rstrip(".") if "." in text else text)


class ExactDecimalField(models.DecimalField):
    """A decimal that keeps every digit, and no other, on every database.

    SQLite has no decimal type: a NUMERIC column turns "0.1" into a binary float. Facts are compared, never
    ordered by value, so a text column there costs nothing. PostgreSQL pads with zeros to the column's scale.
    """

    def get_internal_type(self) -> str:
        # Under Django's own name the SQLite backend converts by way of a float, after and before this class.
        return "ExactDecimalField"

    def db_type(self, connection: Any) -> str | None:
        if connection.vendor == "sqlite":
            return "text"
        return str(connection.data_types["DecimalField"] % self.db_type_parameters(connection))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        value = self.to_python(value)
        return format(value, "f") if value is not None and connection.vendor == "sqlite" else value

    def get_db_converters(self, connection: Any) -> list[Any]:
        return [lambda value, *_: None if value is None else shortest(Decimal(value))]


class SourceKind(models.TextChoices):
    """What kind of source a filing is. Only annual reports yet."""

    ANNUAL_REPORT = "10-K", "10-K"

    @property
    def mark(self) -> str:
        """How an answer cites it."""
        return f"[{self.value}]"


class StatementKind(models.TextChoices):
    """The primary financial statements, and the cover page."""

    INCOME = "income", "Income statement"
    COMPREHENSIVE = "comprehensive", "Statement of comprehensive income"
    BALANCE = "balance", "Balance sheet"
    CASHFLOW = "cashflow", "Cash flow statement"
    EQUITY = "equity", "Statement of equity"
    COVER = "cover", "Cover page"


class Origin(models.TextChoices):
    """Where what is held was read from."""

    SAMPLE = "sample", "Bundled sample"
    EDGAR = "edgar", "EDGAR"


class CompanyQuerySet(models.QuerySet["Company"]):
    def covered(self) -> Self:
        """Companies that can be asked about: active, not foreign, with facts of at least one 10-K."""
        return self.filter(active=True, facts_stored__gt=0)

    def enqueue(self, pk: int, years: tuple[int | None, int | None] = (None, None)) -> bool:
        """Mark one company for ingestion; False when one is waiting or under way already."""
        return bool(
            self.filter(pk=pk)
            .exclude(status__in=[Company.Status.QUEUED, Company.Status.RUNNING])
            .update(
                status=Company.Status.QUEUED,
                step="",
                problem="",
                attempts_before=F("attempt"),
                years_from=years[0],
                years_to=years[1],
                heartbeat=now(),
            )
        )

    def claimable(self) -> Self:
        """Queued companies, and running ones whose worker has stopped beating."""
        stale = Q(status=Company.Status.RUNNING, heartbeat__lt=now() - STALE_AFTER)
        return self.filter(Q(status=Company.Status.QUEUED) | stale)

    def claim(self, pk: int) -> int | None:
        """Take a queued or stale ingestion: its attempt number, or None when another worker has it."""
        # One transaction: between update and read, a second worker could take over a claim that has gone stale.
        with transaction.atomic():
            won = (
                self.claimable()
                .filter(pk=pk)
                .update(status=Company.Status.RUNNING, heartbeat=now(), attempt=F("attempt") + 1)
            )
            return self.values_list("attempt", flat=True).get(pk=pk) if won else None

    def of_attempt(self, pk: int, attempt: int) -> Self:
        """The company while this attempt still holds it; every write of a worker goes through this."""
        return self.filter(pk=pk, attempt=attempt, status=Company.Status.RUNNING)

    def cancel(self, pk: int) -> bool:
        """Stop a waiting or running ingestion at its next beat; False when there is none."""
        return bool(
            self.filter(pk=pk, status__in=[Company.Status.QUEUED, Company.Status.RUNNING]).update(
                status=Company.Status.CANCELLED, step=""
            )
        )


class Company(models.Model):
    """A registrant. Most are only known by name, from SEC's ticker list; some have filings and facts."""

    class Status(models.TextChoices):
        KNOWN = "known", "Known by name"
        QUEUED = "queued", "Waiting for ingestion"
        RUNNING = "running", "Being ingested"
        DONE = "done", "Ingested"
        FAILED = "failed", "Ingestion failed"
        CANCELLED = "cancelled", "Ingestion cancelled"

    cik = models.PositiveBigIntegerField("CIK", unique=True)
    name = models.CharField(max_length=200, db_index=True)
    aliases = models.JSONField(default=list, blank=True, help_text="Other names people use, as a list.")
    former_names = models.JSONField(default=list, blank=True, help_text="From SEC submissions.")
    sic = models.CharField("SIC", max_length=4, blank=True)
    sic_description = models.CharField("SIC description", max_length=120, blank=True)
    state_of_incorporation = models.CharField(max_length=10, blank=True)
    fiscal_year_end = models.CharField(max_length=4, blank=True, help_text="MMDD, from SEC submissions.")
    foreign = models.BooleanField(default=False, help_text="Files 20-F or 40-F and no 10-K: known, not covered.")
    active = models.BooleanField(default=True, help_text="Inactive companies are refused as not covered.")
    label_offset = models.SmallIntegerField(
        null=True, blank=True, help_text="Years added to the year of (period end - 10 days). Empty: by majority."
    )
    # --- ingestion ---
    status = models.CharField(max_length=10, choices=Status, default=Status.KNOWN, db_index=True)
    step = models.CharField(max_length=120, blank=True, help_text="What the ingestion is doing now.")
    problem = models.TextField(blank=True, help_text="Why the last ingestion failed, in words.")
    years_from = models.PositiveSmallIntegerField(null=True, blank=True)
    years_to = models.PositiveSmallIntegerField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    attempts_before = models.PositiveIntegerField(default=0, help_text="Attempts made when it was last queued.")
    heartbeat = models.DateTimeField(null=True, blank=True)
    ingested = models.DateTimeField(null=True, blank=True)
    filings_found = models.PositiveIntegerField(default=0)
    filings_done = models.PositiveIntegerField(default=0)
    facts_stored = models.PositiveIntegerField(default=0)
    facts_sha256 = models.CharField(max_length=64, blank=True, help_text="Of the companyfacts file stored.")
    origin = models.CharField(max_length=10, choices=Origin, blank=True, help_text="Where its facts were read from.")
    in_sample = models.BooleanField(default=False, help_text="One of the companies of the bundled sample.")

    objects: ClassVar[CompanyQuerySet] = CompanyQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering: ClassVar = ["name"]
        verbose_name_plural = "companies"

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("company", args=[self.cik])

    @property
    def covered(self) -> bool:
        return self.active and self.facts_stored > 0

    @property
    def is_open(self) -> bool:
        """Whether an ingestion is waiting or under way."""
        return self.status in {self.Status.QUEUED, self.Status.RUNNING}

    @property
    def symbols(self) -> list[str]:
        """Ticker symbols, first the main class."""
        return [ticker.symbol for ticker in self.tickers.all()]


class Ticker(models.Model):
    """A ticker symbol; a company has one per listed share class."""

    company = models.ForeignKey(Company, models.CASCADE, related_name="tickers")
    symbol = models.CharField(max_length=12, unique=True)
    exchange = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return self.symbol


class FilingQuerySet(models.QuerySet["Filing"]):
    def primary(self) -> Self:
        """The filings that answer: first non-amended 10-K of each fiscal year."""
        return self.filter(is_primary=True)


class Filing(models.Model):
    """One accession. Its status says what of it is held."""

    class DocumentStatus(models.TextChoices):
        PENDING = "pending", "Not fetched yet"
        HELD = "held", "Held"
        MISSING = "missing", "Not there at EDGAR"
        UNREADABLE = "unreadable", "Could not be read"

    company = models.ForeignKey(Company, models.CASCADE, related_name="filings")
    source = models.CharField(max_length=10, choices=SourceKind, default=SourceKind.ANNUAL_REPORT)
    accession = models.CharField(max_length=20, help_text="As 0000320193-24-000123.")
    form = models.CharField(max_length=12)
    filed = models.DateField()
    report_date = models.DateField(null=True, help_text="From SEC submissions.")
    period_end = models.DateField(null=True, db_index=True, help_text="Period of report, from the facts' durations.")
    fiscal_year = models.SmallIntegerField(null=True, db_index=True, help_text="The company's own label.")
    is_primary = models.BooleanField(default=False, help_text="First non-amended 10-K with this period end.")
    is_transition = models.BooleanField(default=False, help_text="10-KT or no 350-380 day year: never answered from.")
    fiscal_year_focus = models.SmallIntegerField(
        null=True, help_text="dei:DocumentFiscalYearFocus or companyfacts' fy: a vote for the label, nothing else."
    )
    primary_document = models.CharField(max_length=200, blank=True)
    document_status = models.CharField(max_length=10, choices=DocumentStatus, default=DocumentStatus.PENDING)
    problem = models.TextField(blank=True, help_text="Why the document is missing or unreadable.")
    cover = models.JSONField(default=dict, blank=True, help_text="Text facts of the cover: auditor, state, ...")
    facts_stored = models.PositiveIntegerField(default=0)
    origin = models.CharField(max_length=10, choices=Origin, blank=True, help_text="Where it was read from.")
    reader = models.PositiveSmallIntegerField(
        default=0, help_text="Version of the reading code that read it; 0: not read."
    )

    objects: ClassVar[FilingQuerySet] = FilingQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering: ClassVar = ["-filed", "-accession"]
        constraints: ClassVar = [
            # One accession can be filed by several registrants (co-registrants), each with its own row.
            models.UniqueConstraint(fields=["company", "accession"], name="filing_once"),
            models.UniqueConstraint(
                fields=["company", "period_end"], condition=Q(is_primary=True), name="filing_one_primary_a_period"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.company} {self.form} {self.accession}"

    @property
    def is_amendment(self) -> bool:
        return self.form.endswith("/A")

    @property
    def folder_path(self) -> str:
        """SEC's path of the filing's folder."""
        return f"Archives/edgar/data/{self.company.cik}/{self.accession.replace('-', '')}"

    @property
    def url(self) -> str:
        """The filing on sec.gov: the document in SEC's viewer where it is inline XBRL, else the folder."""
        if self.primary_document:
            return f"https://www.sec.gov/{self.folder_path}/{self.primary_document}"
        return f"https://www.sec.gov/{self.folder_path}/"


class Document(models.Model):
    """One document of a filing's container, which is kept in DATA_DIR, compressed (`filings.edgar`)."""

    filing = models.ForeignKey(Filing, models.CASCADE, related_name="documents")
    sequence = models.PositiveSmallIntegerField()
    type = models.CharField(max_length=40)
    filename = models.CharField(max_length=200)
    size = models.PositiveIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["filing", "sequence"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["filing", "filename"], name="document_once"),
        ]

    def __str__(self) -> str:
        return self.filename


class Statement(models.Model):
    """One statement of a filing: which lines stand on its face, in what order, and who says so."""

    class Basis(models.TextChoices):
        LINKBASE = "linkbase", "Presentation linkbase"
        INLINE = "inline", "Statement tables of the document"

    filing = models.ForeignKey(Filing, models.CASCADE, related_name="statements")
    kind = models.CharField(max_length=15, choices=StatementKind)
    basis = models.CharField(max_length=10, choices=Basis)
    title = models.CharField(max_length=300, blank=True, help_text="As printed above the table, where known.")
    # [{"order": 3, "tag": "us-gaap:Revenues", "label": "Net sales"}]; label "" where only a linkbase is known.
    lines = models.JSONField(default=list)

    class Meta:
        ordering: ClassVar = ["filing", "kind"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["filing", "kind"], name="statement_once")]

    def __str__(self) -> str:
        return self.title or self.get_kind_display()


class Fact(models.Model):
    """One XBRL fact of one filing, as filed: never merged, never changed."""

    class Source(models.TextChoices):
        COMPANYFACTS = "companyfacts", "SEC companyfacts"
        DOCUMENT = "document", "Inline XBRL of the document"

    company = models.ForeignKey(Company, models.CASCADE, related_name="facts")
    filing = models.ForeignKey(Filing, models.CASCADE, related_name="facts")
    document = models.ForeignKey(Document, models.SET_NULL, null=True, blank=True, related_name="facts")
    source = models.CharField(max_length=12, choices=Source)
    taxonomy = models.CharField(max_length=20, help_text="us-gaap, dei, srt, or the company's own prefix.")
    tag = models.CharField(max_length=250)
    unit = models.CharField(max_length=40, help_text="As in companyfacts: USD, shares, USD/shares, pure.")
    start = models.DateField(help_text="Equal to `end` for an instant.")
    end = models.DateField()
    raw = models.CharField(max_length=60, help_text="The value as a full number, exactly as the source writes it.")
    value = ExactDecimalField(max_digits=40, decimal_places=12)
    decimals = models.SmallIntegerField(null=True, help_text="XBRL decimals; -6 is millions. Empty: not known or INF.")
    form = models.CharField(max_length=12)
    filed = models.DateField()
    dimensions = models.CharField(max_length=500, blank=True, default="", help_text="Empty: the whole company.")
    statement = models.CharField(max_length=15, choices=StatementKind, blank=True, default="")
    order = models.PositiveSmallIntegerField(null=True, help_text="Line on the statement face.")
    label = models.CharField(max_length=500, blank=True, default="", help_text="Printed row label.")
    printed = models.CharField(max_length=60, blank=True, default="", help_text="The figure as printed.")
    anchor = models.CharField(max_length=120, blank=True, default="", help_text="id of the inline fact.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=[
                    "company",
                    "taxonomy",
                    "tag",
                    "unit",
                    "start",
                    "end",
                    "filing",
                    "dimensions",
                    "source",
                ],
                name="fact_once",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["filing", "end", "taxonomy", "tag"], name="fact_by_period"),
            models.Index(fields=["company", "taxonomy", "tag", "end"], name="fact_by_tag"),
        ]

    def __str__(self) -> str:
        return f"{self.taxonomy}:{self.tag} {self.end} {self.raw} {self.unit}"

    def get_absolute_url(self) -> str:
        return reverse("fact", args=[self.pk])

    @property
    def name(self) -> str:
        """The tag with its taxonomy, as us-gaap:Revenues."""
        return f"{self.taxonomy}:{self.tag}"

    @property
    def period_kind(self) -> PeriodKind:
        return period_kind(self.start, self.end)


class Anomaly(models.Model):
    """Something odd in a company's facts, found after ingestion and shown on its coverage page."""

    class Kind(models.TextChoices):
        IDENTITY = "identity", "Assets differ from liabilities and equity"
        SCALE = "scale", "A value jumps by a factor of 300 or more"
        MISSING_YEAR = "missing_year", "No 10-K between two held years"
        TRANSITION = "transition", "Transition period"

    company = models.ForeignKey(Company, models.CASCADE, related_name="anomalies")
    kind = models.CharField(max_length=15, choices=Kind)
    fiscal_year = models.SmallIntegerField(null=True)
    detail = models.CharField(max_length=300)

    class Meta:
        ordering: ClassVar = ["-fiscal_year", "kind"]
        verbose_name_plural = "anomalies"

    def __str__(self) -> str:
        return f"{self.company} {self.fiscal_year}: {self.detail}"


class ForeignRegistrant(models.Model):
    """A well-known registrant that files 20-F or 40-F; loaded from a data file, editable in admin."""

    cik = models.PositiveBigIntegerField("CIK", unique=True)
    name = models.CharField(max_length=200)
    form = models.CharField(max_length=10, default="20-F")

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return f"{self.name} ({self.form})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save, and mark the company as foreign unless its own 10-Ks say otherwise."""
        super().save(*args, **kwargs)
        Company.objects.filter(cik=self.cik, foreign=False, filings__isnull=True).update(foreign=True)


class RawFile(models.Model):
    """One file of EDGAR as it came, kept compressed in DATA_DIR under its SHA-256 (`filings.raw`)."""

    url = models.CharField(max_length=300, unique=True)
    sha256 = models.CharField(max_length=64, db_index=True)
    size = models.PositiveBigIntegerField(help_text="Bytes, uncompressed.")
    fetched = models.DateTimeField(help_text="When it was last fetched or found unchanged.")
    etag = models.CharField(max_length=200, blank=True)
    last_modified = models.CharField(max_length=60, blank=True, help_text="As the server wrote it.")

    class Meta:
        ordering: ClassVar = ["url"]

    def __str__(self) -> str:
        return self.url


class Corpus(models.Model):
    """A bundled body of data and the version of it that is stored, so that loading it again is free."""

    name = models.CharField(max_length=40, unique=True)
    version = models.CharField(max_length=64)
    loaded = models.DateTimeField()

    class Meta:
        verbose_name_plural = "corpora"

    def __str__(self) -> str:
        return f"{self.name} {self.version[:12]}"
