"""Files that people bring, on their way to becoming documents: a worker reads them while the page polls."""

import uuid
from datetime import timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.utils.timezone import now

from filings.models.company import Company
from filings.models.report import Filing
from filings.models.source_kinds import KINDS, SourceKind, choices

# A worker sends heartbeats each second while it reads and embeds.
STALE_AFTER = timedelta(seconds=90)
LONGEST_NAME = 200


class ImportQuerySet(models.QuerySet["Import"]):
    def claimable(self) -> Self:
        """Queued files, and those whose worker is gone."""
        stale = Q(status=Import.Status.READING, heartbeat__lt=now() - STALE_AFTER)
        return self.filter(Q(status=Import.Status.QUEUED) | stale)

    def claim(self, pk: uuid.UUID) -> int | None:
        """Claim a file; returns the attempt number, or None when another worker has it or nothing is due."""
        # One transaction: between update and read, a second worker could take over a stale claim.
        with transaction.atomic():
            won = (
                self.claimable()
                .filter(pk=pk)
                .update(status=Import.Status.READING, heartbeat=now(), attempt=F("attempt") + 1)
            )
            return self.values_list("attempt", flat=True).get(pk=pk) if won else None

    def of_attempt(self, pk: uuid.UUID, attempt: int) -> Self:
        """The file while this attempt still holds it; every write of a worker goes through this."""
        return self.filter(pk=pk, attempt=attempt, status=Import.Status.READING)


class Import(models.Model):
    """One file that a person brought, what is known of it, and what became of it.

    The fields of the document are those given; before they are confirmed, what the document says fills the empty ones.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", "Waiting"
        READING = "reading", "Being read"
        ASKED = "asked", "Needs confirmation"
        DONE = "done", "Imported"
        FAILED = "failed", "Not imported"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    filename = models.CharField("file name", max_length=LONGEST_NAME)
    sha256 = models.CharField(max_length=64, db_index=True, help_text="SHA-256 hash of the file.")
    size = models.PositiveBigIntegerField(help_text="Size in bytes.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="Who brought the file.",
    )
    company = models.ForeignKey(Company, models.SET_NULL, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=10, choices=choices, blank=True)
    fiscal_year = models.SmallIntegerField(null=True, blank=True)
    fiscal_quarter = models.SmallIntegerField(null=True, blank=True)
    day = models.DateField(null=True, blank=True, help_text="Day of publication or of the call.")
    title = models.CharField(max_length=300, blank=True)
    address = models.CharField(max_length=1000, blank=True, help_text="Address from which the file came.")
    confirmed = models.BooleanField(
        default=False, help_text="Whether the fields above are a person's: only then the document is stored."
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED, db_index=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    heartbeat = models.DateTimeField(null=True, blank=True)
    field = models.CharField(max_length=20, blank=True, help_text="Field that the problem is about.")
    problem = models.CharField(max_length=300, blank=True, help_text="Why it was not imported, in a sentence.")
    held_before = models.BooleanField(default=False, help_text="Whether the same file was held already.")
    filing = models.ForeignKey(Filing, models.SET_NULL, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True, db_index=True)
    finished = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[ImportQuerySet] = ImportQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return self.filename

    @property
    def is_open(self) -> bool:
        """Whether a worker has yet to do something, so that the page must poll again."""
        return self.status in {self.Status.QUEUED, self.Status.READING}

    @property
    def source_kind(self) -> SourceKind | None:
        return KINDS.get(self.kind)
