"""Registrants, their tickers, and the life of an ingestion."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Greatest
from django.urls import reverse
from django.utils.timezone import now

from filings.edgar.registrant_names import FIRST_FICTIONAL_CIK, called, is_fictional
from filings.models.source_kinds import ANNUAL, FOREIGN, SourceKind, kinds_filed

# A worker sends heartbeats at every request, wait and filing; the longest gap is reading one large document.
STALE_AFTER = timedelta(seconds=90)


class Origin(models.TextChoices):
    """The source of a company's data."""

    SAMPLE = "sample", "Bundled sample"
    EDGAR = "edgar", "EDGAR"


class Priority(models.IntegerChoices):
    """Which of several waiting ingestions a worker takes first: the lower number."""

    FIRST = 0, "First"
    NORMAL = 5, "Normal"
    LAST = 9, "Last"


class CompanyQuerySet(models.QuerySet["Company"]):
    def covered(self) -> Self:
        """Companies that can be asked about: active, with facts or text of a 10-K of an available year, of their own or of
        a predecessor; a predecessor is asked about as its successor.
        """
        read = self.model.filings.rel.related_model.objects.answering()
        read = read.filter(company=models.OuterRef("pk"), chunks_stored__gt=0)
        held = self.filter(models.Q(facts_stored__gt=0) | models.Exists(read))
        before = Company.objects.filter(models.Q(facts_stored__gt=0) | models.Exists(read))
        inherited = before.exclude(successor_cik=None).values("successor_cik")
        return (held | self.filter(cik__in=inherited)).filter(active=True, successor_cik=None)

    def askable(self) -> Self:
        """Companies of which anything can be asked: those covered, and active ones of which, or of a predecessor, the text
        of any other document is held.
        """
        read = self.model.filings.rel.related_model.objects.searched().exclude(source=ANNUAL.key).values("company")
        inherited = Company.objects.filter(pk__in=read).exclude(successor_cik=None).values("successor_cik")
        told = Q(pk__in=read) | Q(cik__in=inherited)
        covered = self.model.objects.covered().values("pk")
        return self.filter(Q(pk__in=covered) | (told & Q(active=True, successor_cik=None)))

    def asked_as(self, ciks: Iterable[int]) -> Self:
        """The companies of these CIKs and their predecessors."""
        wanted = list(ciks)
        return self.filter(models.Q(cik__in=wanted) | models.Q(successor_cik__in=wanted))

    def with_successors(self) -> Self:
        """These companies, and those that file in their place."""
        found = self.order_by()
        return self.model.objects.filter(
            models.Q(pk__in=found.values("pk"))
            | models.Q(cik__in=found.exclude(successor_cik=None).values("successor_cik"))
        )

    def with_facts(self) -> Self:
        """Companies of which figures are stored, under their own CIK or a predecessor's."""
        before = Company.objects.filter(facts_stored__gt=0).exclude(successor_cik=None)
        return self.filter(models.Q(facts_stored__gt=0) | models.Q(cik__in=before.values("successor_cik")))

    def loaded(self, since: datetime | None = None) -> Self:
        """With `loaded`: when an ingestion last ended, or a document last came; those of which something came, since a time."""
        filings = self.model.filings.rel.related_model.objects.filter(company=models.OuterRef("pk")).order_by()
        last = models.Subquery(filings.values("company").values(last=models.Max("held_since")))
        both = Greatest(Coalesce("ingested", last), Coalesce(last, "ingested"))
        held = self.annotate(loaded=both).filter(loaded__isnull=False)
        return held.filter(loaded__gte=since) if since else held

    def count_figures(self, pk: int) -> None:
        """Set how many figures are stored of a company, without those of withdrawn documents."""
        filings = self.model.filings.rel.related_model.objects.filter(company=pk, withdrawn=None)
        total = filings.aggregate(total=models.Sum("facts_stored"))["total"]
        self.filter(pk=pk).update(facts_stored=total or 0)

    def watched(self) -> Self:
        """Companies checked for new filings: active, loaded, not being read, not fictional; foreign ones by their 20-Fs."""
        with_text = Company.objects.filter(filings__source=FOREIGN.key).values("pk")
        held = self.filter(Q(foreign=False) | Q(pk__in=with_text), active=True).exclude(origin="")
        held = held.exclude(origin=Origin.SAMPLE, cik__gte=FIRST_FICTIONAL_CIK)
        return held.exclude(status__in=[Company.Status.QUEUED, Company.Status.RUNNING])

    def enqueue(self, pk: int, years: tuple[int | None, int | None] = (None, None), forms: str | None = None) -> bool:
        """Mark a company for ingestion; False if it is already waiting or being ingested.

        forms: for `Company.forms`; None keeps those chosen before.
        """
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
                **({} if forms is None else {"forms": forms}),
                heartbeat=now(),
            )
        )

    def claimable(self) -> Self:
        """Queued companies, and running ones without a recent heartbeat.

        A heartbeat far in the future, from before a clock was set back, counts as none.
        """
        moment = now()
        stale = Q(heartbeat__lt=moment - STALE_AFTER) | Q(heartbeat__gt=moment + STALE_AFTER)
        return self.filter(Q(status=Company.Status.QUEUED) | Q(stale, status=Company.Status.RUNNING))

    def claim(self, pk: int) -> int | None:
        """Claim a queued or stale ingestion; returns the attempt number, or None when another worker has it."""
        # One transaction: between update and read, a second worker could take over a stale claim.
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


class Succession(models.TextChoices):
    """How it is known which registrant files in a company's place."""

    TICKER = "ticker", "Its ticker moved there"
    NAME = "name", "Its name is the same"
    FILING = "filing", "The successor's report says so"
    CURATOR = "curator", "Set in admin"


class Company(models.Model):
    """A company that files with the SEC. Most are only known by name, from the SEC's ticker list."""

    class Status(models.TextChoices):
        KNOWN = "known", "Known by name"
        QUEUED = "queued", "Waiting for ingestion"
        RUNNING = "running", "Being ingested"
        DONE = "done", "Ingested"
        FAILED = "failed", "Ingestion failed"
        CANCELLED = "cancelled", "Ingestion cancelled"

    cik = models.PositiveBigIntegerField("CIK", unique=True)
    name = models.CharField(max_length=200, db_index=True)
    aliases = models.JSONField(default=list, blank=True, help_text="List of other names that people use.")
    former_names = models.JSONField(default=list, blank=True, help_text="List of earlier names, from the SEC.")
    sic = models.CharField("SIC", max_length=4, blank=True)
    sic_description = models.CharField("SIC description", max_length=120, blank=True)
    state_of_incorporation = models.CharField(max_length=10, blank=True)
    fiscal_year_end = models.CharField(
        max_length=4, blank=True, help_text="Month and day (MMDD) on which its fiscal year ends, from the SEC."
    )
    foreign = models.BooleanField(
        default=False, help_text="The company files 20-F or 40-F instead of 10-K, so it is not covered."
    )
    active = models.BooleanField(
        default=True, help_text="Questions about inactive companies are refused as not covered."
    )
    label_offset = models.SmallIntegerField(
        null=True,
        blank=True,
        help_text="Years to add to the year in which a period ends (less 10 days), to get the company's fiscal year. Empty: found from its filings.",
    )
    successor_cik = models.PositiveBigIntegerField(
        "successor's CIK",
        null=True,
        blank=True,
        db_index=True,
        help_text="CIK of the registrant that files in its place since a reorganisation: questions about it include the filings of this company.",
    )
    succession = models.CharField(
        max_length=10,
        choices=Succession,
        blank=True,
        db_default="",
        help_text="How the successor is known. One set in admin, or removed there, is never replaced.",
    )
    # --- ingestion ---
    status = models.CharField(max_length=10, choices=Status, default=Status.KNOWN, db_index=True)
    step = models.CharField(max_length=120, blank=True, help_text="What the ingestion is doing at the moment.")
    problem = models.TextField(blank=True, help_text="Why the last ingestion failed, in words.")
    priority = models.PositiveSmallIntegerField(
        choices=Priority,
        default=Priority.NORMAL,
        db_default=Priority.NORMAL,
        help_text="Order among waiting ingestions.",
    )
    years_from = models.PositiveSmallIntegerField(null=True, blank=True)
    years_to = models.PositiveSmallIntegerField(null=True, blank=True)
    forms = models.CharField(
        max_length=100,
        blank=True,
        default="",
        db_default="",
        help_text="Kinds of documents to load, separated by commas; empty: those of the setting INGEST_FORMS.",
    )
    attempt = models.PositiveIntegerField(default=0)
    attempts_before = models.PositiveIntegerField(
        default=0, help_text="Number of attempts made before it was last queued."
    )
    heartbeat = models.DateTimeField(null=True, blank=True)
    ingested = models.DateTimeField(null=True, blank=True)
    filings_found = models.PositiveIntegerField(default=0)
    filings_done = models.PositiveIntegerField(default=0)
    facts_stored = models.PositiveIntegerField(default=0)
    facts_sha256 = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 hash of the companyfacts file that is stored."
    )
    origin = models.CharField(max_length=10, choices=Origin, blank=True, help_text="Source of its facts.")
    in_sample = models.BooleanField(default=False, help_text="Whether the company is in the bundled sample.")
    watched = models.DateTimeField(null=True, blank=True, help_text="When EDGAR was last checked for new filings.")

    loaded: datetime  # of CompanyQuerySet.loaded

    objects: ClassVar[CompanyQuerySet] = CompanyQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering: ClassVar = ["name"]
        verbose_name_plural = "companies"

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("company", args=[self.cik])

    @property
    def kinds(self) -> tuple[SourceKind, ...]:
        """The kinds of documents that its ingestion loads."""
        return kinds_filed(self.forms.split(",") if self.forms else settings.INGEST_FORMS)

    @property
    def called(self) -> str:
        """The everyday name; `name` is the SEC's. A fictional company is marked in both."""
        return called(self.cik, self.name)

    @property
    def asked_as(self) -> int:
        """The CIK under which questions ask about it: its successor's, where it has one."""
        return self.successor_cik or self.cik

    @property
    def predecessors(self) -> "models.QuerySet[Company]":
        """The registrants whose filings are its history."""
        return Company.objects.filter(successor_cik=self.cik)

    @property
    def successor(self) -> "Company | None":
        """The registrant that files in its place, where it is stored."""
        return Company.objects.filter(cik=self.successor_cik).first() if self.successor_cik else None

    @property
    def covered(self) -> bool:
        return Company.objects.covered().filter(pk=self.pk).exists()

    @property
    def fictional(self) -> bool:
        """Whether it is one of the sample's fictional issuers, unknown to the SEC."""
        return is_fictional(self.cik)

    @property
    def is_open(self) -> bool:
        """Whether an ingestion is waiting or under way."""
        return self.status in {self.Status.QUEUED, self.Status.RUNNING}

    @cached_property
    def transition_years(self) -> frozenset[int]:
        """The calendar years in which a transition period ends, for which there are no annual figures."""
        ends = self.filings.filter(is_transition=True).order_by().values_list("report_date", "period_end")
        return frozenset(end.year for both in ends for end in both if end)

    @property
    def symbols(self) -> list[str]:
        """Ticker symbols that the SEC lists, first the main class."""
        return [ticker.symbol for ticker in self.tickers.all() if not ticker.former]


def by_name(companies: Iterable[Company]) -> dict[str, Company]:
    """Companies by ticker, a former one too, and by CIK; a predecessor's are those of its successor, if that is among them."""
    by_cik = {one.cik: one for one in companies}
    current = {cik: by_cik.get(one.asked_as, one) for cik, one in by_cik.items()}
    named = (
        (name, current[one.cik]) for one in by_cik.values() for name in (*map(str, one.tickers.all()), str(one.cik))
    )
    return dict(named)


class Ticker(models.Model):
    """A ticker symbol; a company has one per listed share class."""

    company = models.ForeignKey(Company, models.CASCADE, related_name="tickers")
    symbol = models.CharField(max_length=12, unique=True)
    exchange = models.CharField(max_length=20, blank=True)
    former = models.BooleanField(
        db_default=False, help_text="Whether the company had it before, and the SEC lists it no more."
    )

    class Meta:
        ordering: ClassVar = ["former", "pk"]

    def __str__(self) -> str:
        return self.symbol


class Anomaly(models.Model):
    """An anomaly in a company's facts, found after ingestion and shown on its coverage page."""

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
        annual = Company.objects.filter(filings__source=ANNUAL.key).values("pk")
        Company.objects.filter(cik=self.cik, foreign=False).exclude(pk__in=annual).update(foreign=True)
