"""The facts that saved answers use, and what became of each answer since it was given."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from agent.models.run import Run
from agent.state.standing import Change
from filings.models import Company
from filings.models.fact import ExactDecimalField


class CitedFact(models.Model):
    """One stored fact that a saved answer uses, by what identifies it in a filing: a fact's row may be written anew."""

    # Found by the constraint's index.
    run = models.ForeignKey(Run, models.CASCADE, related_name="cited_facts", db_index=False)
    said = models.CharField(max_length=300, help_text="The figure of the answer, such as Revenue, fiscal 2024.")
    cik = models.BigIntegerField()
    accession = models.CharField(max_length=20)
    form = models.CharField(max_length=12)
    filed = models.DateField()
    taxonomy = models.CharField(max_length=20)
    tag = models.CharField(max_length=250)
    unit = models.CharField(max_length=40)
    start = models.DateField()
    end = models.DateField()
    dimensions = models.CharField(max_length=500, blank=True)
    value = ExactDecimalField(max_digits=40, decimal_places=12, help_text="As stored, whatever sign is shown.")
    negated = models.BooleanField(default=False, help_text="Whether it is shown with the opposite sign.")
    decimals = models.SmallIntegerField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["run", "cik", "accession", "taxonomy", "tag", "unit", "start", "end", "dimensions"],
                name="cited_fact_once",
            )
        ]
        indexes: ClassVar = [models.Index(fields=["cik", "taxonomy", "tag", "end"], name="cited_fact_by_tag")]

    def __str__(self) -> str:
        return f"{self.said}: {self.value}"


class Standing(models.Model):
    """Whether a saved answer still stands. It is written with the answer; runs of older releases get it later."""

    class State(models.TextChoices):
        VALID = "valid", "Valid"
        SUPERSEDED = "superseded", "Superseded"
        BROKEN = "broken", "Broken"

    class Latest(models.TextChoices):
        YEAR = "year", "The latest year"
        PART = "part", "The latest quarter, or another part of a year"

    CHANGED: ClassVar = (State.SUPERSEDED, State.BROKEN)

    run = models.OneToOneField(Run, models.CASCADE, primary_key=True, related_name="standing")
    state = models.CharField(max_length=10, choices=State, default=State.VALID)
    checked = models.DateTimeField(
        help_text="When it was last compared with the filings; at first, when it was asked."
    )
    since = models.DateTimeField(null=True, blank=True, help_text="When it was found to have changed as it has.")
    latest = models.CharField(
        max_length=4, blank=True, choices=Latest, help_text="What the question asks the latest of; empty: of nothing."
    )
    changes = models.JSONField(default=list, blank=True, help_text="A list of agent.state.standing.Change.")

    class Meta:
        indexes: ClassVar = [
            # Most answers stand.
            models.Index(fields=["since"], condition=~Q(state="valid"), name="standing_changed"),
        ]

    def __str__(self) -> str:
        return self.get_state_display()

    @property
    def changed(self) -> bool:
        """Whether the answer no longer stands as it was given."""
        return self.state in self.CHANGED

    @property
    def changed_as(self) -> tuple[Change, ...]:
        return tuple(Change.model_validate(one) for one in self.changes)


class ComparedCompany(models.Model):
    """The ingestion of a company, or of its last document, with which all saved answers about it were compared."""

    company = models.OneToOneField(Company, models.CASCADE, related_name="compared_answers")
    ingested = models.DateTimeField(help_text="When that ingestion ended.")

    def __str__(self) -> str:
        return str(self.company)
