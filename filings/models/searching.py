"""Database models of searches, which a worker runs while the page polls, and of synonyms."""

import uuid
from datetime import timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from accounts.ownership import OwnedQuerySet
from filings.models.source_kinds import choices
from filings.sections.items import LONGEST_KEY

# A search takes a fraction of a second: one that runs this long has lost its worker.
STALE_AFTER = timedelta(seconds=60)


class SearchRequestQuerySet(OwnedQuerySet["SearchRequest"]):
    def claimable(self) -> Self:
        """Queued searches, and running ones whose worker is gone."""
        stale = Q(status=SearchRequest.Status.RUNNING, started__lt=now() - STALE_AFTER)
        return self.filter(Q(status=SearchRequest.Status.QUEUED) | stale)

    def claim(self, pk: uuid.UUID) -> bool:
        """Claim a search; False when another worker has it or it has been run."""
        return bool(
            self.claimable()
            .filter(pk=pk)
            .update(status=SearchRequest.Status.RUNNING, started=now(), attempt=F("attempt") + 1)
        )


class SearchRequest(models.Model):
    """One search over the text of filings, and what it found.

    `results` is a list, best first, of objects with the keys: chunk (id), section (pk), number (the section's place in
    its filing, for `Section.get_absolute_url`), accession, cik, company (name), form, kind (key), document (its form or
    kind and period), title (of an import), fiscal_year, fiscal_quarter, item (empty for text cited
    by its page), label (of the citation), page (as printed where known, or ""), ranges ([[start, end], ...] in the
    section's text), start (offset of the snippet in the section's text), snippet (plain text of the filing),
    highlights ([[start, end], ...] in the snippet), headings (outermost first).
    """

    class Status(models.TextChoices):
        QUEUED = "queued", "Waiting"
        RUNNING = "running", "Searching"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True)
    visitor = models.UUIDField(null=True, blank=True)
    text = models.CharField(max_length=300)
    cik = models.PositiveBigIntegerField("CIK", null=True, blank=True, help_text="Search only this company.")
    accession = models.CharField(max_length=20, blank=True, help_text="Search only this filing.")
    source = models.CharField(
        "kind",
        max_length=10,
        choices=choices,
        blank=True,
        default="",
        db_default="",
        help_text="Search only this kind of document.",
    )
    fiscal_year = models.SmallIntegerField(
        null=True, blank=True, help_text="Search only documents of this fiscal year."
    )
    fiscal_quarter = models.SmallIntegerField(
        null=True, blank=True, help_text="Search only documents of this fiscal quarter, 1 to 4."
    )
    item = models.CharField(max_length=LONGEST_KEY, blank=True, help_text="Search only this Item, such as 1A.")
    trial = models.JSONField(
        null=True,
        blank=True,
        help_text="For the synonym preview: {phrase: variants} to use instead of the stored synonyms.",
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    attempt = models.PositiveSmallIntegerField(default=0)
    results = models.JSONField(default=list)
    index = models.CharField(max_length=20, blank=True, help_text="Search index that was used.")
    model = models.CharField(
        max_length=100, blank=True, help_text="Embedding model that was used; empty: only words were searched."
    )
    notes = models.JSONField(default=list, help_text="Notes for the reader, in sentences.")
    problem = models.CharField(
        max_length=300, blank=True, help_text="Why the search failed, in a sentence for the reader."
    )
    created = models.DateTimeField(auto_now_add=True, db_index=True)
    started = models.DateTimeField(null=True)
    finished = models.DateTimeField(null=True)

    objects: ClassVar[SearchRequestQuerySet] = SearchRequestQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return self.text

    @property
    def is_open(self) -> bool:
        """Whether the search has not finished, so that the page must poll again."""
        return self.status in {self.Status.QUEUED, self.Status.RUNNING}


class Synonym(models.Model):
    """An everyday word or phrase, and the words of filings that are searched too.

    Loaded from a data file, edited in the admin (`filings.search.synonyms`).
    """

    phrase = models.CharField(
        max_length=80, unique=True, help_text="Word or phrase that people use, in lower case, such as layoffs."
    )
    variants = models.JSONField(
        default=list, help_text="List of words that filings use instead, such as workforce reduction."
    )
    active = models.BooleanField(
        default=True, help_text="Inactive synonyms are not used, and not loaded again from the data file."
    )

    class Meta:
        ordering: ClassVar = ["phrase"]

    def __str__(self) -> str:
        return f"{self.phrase}: {', '.join(self.variants)}"
