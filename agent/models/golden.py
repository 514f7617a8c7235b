"""Golden candidates: runs that a reviewer found worth keeping as a question with the answer that is due."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.timezone import now

from agent.models.run import Run


class GoldenCandidate(models.Model):
    """A question with what is due, as pointers into filings: no figure is believed, and no text of a filing is copied.

    It goes with its run, for the question is somebody's; what was exported before is the evaluation's.
    """

    class Status(models.TextChoices):
        PROPOSED = "proposed", "Proposed"
        APPROVED = "approved", "Approved"
        DECLINED = "declined", "Declined"

    class Due(models.TextChoices):
        ANSWERED = "answered", "Answered"
        REFUSED = "refused", "Refused"

    run = models.OneToOneField(Run, models.CASCADE, related_name="golden_candidate")
    question = models.TextField(help_text="As it is exported: without what tells who asked.")
    outcome = models.CharField("due", max_length=10, choices=Due)
    code = models.CharField(max_length=40, blank=True, help_text="Of the refusal that is due.")
    facts = models.JSONField(
        default=list, blank=True, help_text="agent.web.admin.golden_pointers.FactPointer, one a number due."
    )
    passages = models.JSONField(
        default=list,
        blank=True,
        help_text="agent.web.admin.golden_pointers.PassagePointer, one a passage that answers.",
    )
    why = models.TextField(blank=True, help_text="Why this is due, in a sentence.")
    status = models.CharField(max_length=10, choices=Status, default=Status.PROPOSED)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="proposed_goldens"
    )
    created = models.DateTimeField(default=now)

    class Meta:
        ordering: ClassVar = ["-created"]
        indexes: ClassVar = [
            models.Index(fields=["status", "-created"], name="golden_by_status"),
            models.Index(fields=["-created"], name="golden_newest"),
        ]

    def __str__(self) -> str:
        return self.question[:80]
