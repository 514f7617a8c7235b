"""What people add to a run: words it is found by, a link to share it, what they say of it, and goldens made of it."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.timezone import now

from agent.models.run import Run


class RunText(models.Model):
    """The words a run is found by in its owner's history: agent.runs.history_index.words_of.

    Searched by agent.runs.history_index.found_by, with an index that migration 0004 makes: on SQLite a table of FTS5 that triggers
    of this one keep, and that a migration which rebuilds this table has to make anew; on PostgreSQL a column made of
    the words, with a GIN index.
    """

    run = models.OneToOneField(Run, models.CASCADE, related_name="text")
    words = models.TextField(help_text="Folded, each once, a space apart.")

    def __str__(self) -> str:
        return self.words[:80]


def unguessable() -> str:
    """256 random bits as 43 characters of an address."""
    return secrets.token_urlsafe(32)


class Share(models.Model):
    """An address at which anybody may read one answer. Revoked is deleted: the address then leads nowhere.

    The token is kept as it is, and not hashed: its owner sees the address again, and it opens nothing that does not
    stand in the same database.
    """

    run = models.OneToOneField(Run, models.CASCADE, related_name="share")
    token = models.CharField(max_length=43, unique=True, default=unguessable, editable=False)
    created = models.DateTimeField(default=now)

    def __str__(self) -> str:
        # Whoever has the token may read the answer: it stands in no list and no log.
        return f"Share of {self.run_id}"

    def get_absolute_url(self) -> str:
        return reverse("shared", args=[self.token])


class Feedback(models.Model):
    """What the owner of a run says of its answer, and what became of that."""

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
    reviewer_note = models.TextField(blank=True, help_text="For reviewers; whoever asked does not see it.")
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
