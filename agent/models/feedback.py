"""What is stored with a run: its search words, its public link, the owner's feedback, and a golden candidate made from it."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.timezone import now

from agent.models.run import Run


class RunText(models.Model):
    """The words by which a user's history search finds a run (from agent.runs.history_index.words_of).

    agent.runs.history_index.found_by searches it, with an index that migration 0004 creates. On SQLite that is an FTS5
    table kept up to date by triggers; a migration that rebuilds this table must create both again. On PostgreSQL it is
    a generated column with a GIN index.
    """

    run = models.OneToOneField(Run, models.CASCADE, related_name="text")
    words = models.TextField(help_text="In lower case without accents, each word once, separated by spaces.")

    def __str__(self) -> str:
        return self.words[:80]


def unguessable() -> str:
    """A random token of 256 bits, written in 43 characters that are safe in a URL."""
    return secrets.token_urlsafe(32)


class Share(models.Model):
    """A public link to one answer: anybody who has it may read the answer. Revoking the link deletes this row.

    The token is stored in plain text, not hashed, so that its owner can copy the link again. It opens only an answer
    that is in the same database.
    """

    run = models.OneToOneField(Run, models.CASCADE, related_name="share")
    token = models.CharField(max_length=43, unique=True, default=unguessable, editable=False)
    created = models.DateTimeField(default=now)

    def __str__(self) -> str:
        # The token lets anybody read the answer, so no list and no log may show it.
        return f"Share of {self.run_id}"

    def get_absolute_url(self) -> str:
        return reverse("shared", args=[self.token])


class Feedback(models.Model):
    """The owner's verdict on an answer, and whether a reviewer has dealt with it."""

    class Verdict(models.TextChoices):
        RIGHT = "right", "Right"
        WRONG = "wrong", "Wrong"
        SHOULD_HAVE_REFUSED = "should_have_refused", "Should have been refused"
        SHOULD_HAVE_ANSWERED = "should_have_answered", "Should have been answered"

    class Status(models.TextChoices):
        OPEN = "open", "Open"
        HANDLED = "handled", "Handled"

    run = models.OneToOneField(Run, models.CASCADE, related_name="feedback")
    verdict = models.CharField(max_length=20, choices=Verdict)
    comment = models.TextField(blank=True)
    created = models.DateTimeField(default=now)
    updated = models.DateTimeField(default=now)
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    reviewer_note = models.TextField(blank=True, help_text="Seen by reviewers only, not by the person who asked.")
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="handled_feedback"
    )
    handled = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-updated"]
        indexes: ClassVar = [
            models.Index(fields=["status", "-updated"], name="feedback_queue"),
            models.Index(fields=["verdict", "-updated"], name="feedback_by_verdict"),
            models.Index(fields=["-updated"], name="feedback_newest"),
        ]
        verbose_name_plural = "feedback"

    def __str__(self) -> str:
        return f"{self.get_verdict_display()}: {self.run_id}"


class GoldenCandidate(models.Model):
    """A question with its correct result, proposed as a test question: pointers into filings, no copied figures or text.

    It is deleted with its run, because the question belongs to a user. Exported copies stay in the evaluation.
    """

    class Status(models.TextChoices):
        PROPOSED = "proposed", "Proposed"
        APPROVED = "approved", "Approved"
        DECLINED = "declined", "Declined"

    class Due(models.TextChoices):
        ANSWERED = "answered", "Answered"
        REFUSED = "refused", "Refused"

    run = models.OneToOneField(Run, models.CASCADE, related_name="golden_candidate")
    question = models.TextField(
        help_text="The question as exported, without anything that identifies the person who asked."
    )
    outcome = models.CharField("due", max_length=10, choices=Due)
    code = models.CharField(max_length=40, blank=True, help_text="Refusal code that is correct for this question.")
    facts = models.JSONField(
        default=list, blank=True, help_text="One agent.web.admin.golden_pointers.FactPointer for each correct figure."
    )
    passages = models.JSONField(
        default=list,
        blank=True,
        help_text="One agent.web.admin.golden_pointers.PassagePointer for each passage that answers.",
    )
    why = models.TextField(blank=True, help_text="Why this result is correct, in one sentence.")
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
