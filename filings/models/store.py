"""Database models of stored EDGAR files, bundled data, the state of services, and counters."""

from typing import ClassVar

from django.db import models


class RawFile(models.Model):
    """One file of EDGAR, stored compressed in DATA_DIR under its SHA-256 (`filings.edgar.raw_files`)."""

    url = models.CharField(max_length=300, unique=True)
    sha256 = models.CharField(max_length=64, db_index=True)
    size = models.PositiveBigIntegerField(help_text="Size in bytes, uncompressed.")
    fetched = models.DateTimeField(help_text="When the file was last fetched or found unchanged.")
    etag = models.CharField(max_length=200, blank=True)
    last_modified = models.CharField(
        max_length=60, blank=True, help_text="Last-Modified header, as the server sent it."
    )

    class Meta:
        ordering: ClassVar = ["url"]

    def __str__(self) -> str:
        return self.url


class Corpus(models.Model):
    """A bundled data set and its loaded version, so that it is not loaded twice."""

    name = models.CharField(max_length=40, unique=True)
    version = models.CharField(max_length=64)
    loaded = models.DateTimeField()

    class Meta:
        verbose_name_plural = "corpora"

    def __str__(self) -> str:
        return f"{self.name} {self.version[:12]}"


class Health(models.Model):
    """The last known state of a service that only workers can reach."""

    class State(models.TextChoices):
        OK = "ok", "Works"
        DEGRADED = "degraded", "Works in part"
        DOWN = "down", "Does not work"

    subject = models.CharField(max_length=40, unique=True, help_text="Name of the service, such as index.")
    state = models.CharField(max_length=10, choices=State)
    detail = models.CharField(
        max_length=300, blank=True, help_text="Details in a sentence, without addresses or keys."
    )
    data = models.JSONField(default=dict, blank=True, help_text="Measured values, by name.")
    checked = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["subject"]
        verbose_name_plural = "health"

    def __str__(self) -> str:
        return f"{self.subject}: {self.state}"


class Tally(models.Model):
    """One counter, increased by every process and never decreased: deleted data stays counted."""

    name = models.CharField(max_length=60)
    labels = models.CharField(
        max_length=190, blank=True, help_text="Labels of the counter, as a JSON object with sorted keys."
    )
    value = models.FloatField(default=0)

    class Meta:
        ordering: ClassVar = ["name", "labels"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["name", "labels"], name="tally_once")]

    def __str__(self) -> str:
        return f"{self.name} {self.labels}: {self.value:g}"
