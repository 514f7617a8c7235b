"""Runs and their steps."""

import uuid
from collections import defaultdict
from datetime import date
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce, TruncDate
from django.urls import reverse
from django.utils.timezone import now

from accounts import account_deletion
from accounts.identity import Identity
from accounts.ownership import OwnedQuerySet
from agent.state.modes import Mode
from agent.state.scope import Scope
from filings.edgar.registrant_names import everyday_name

LONGEST_KEY = 200


class RunQuerySet(OwnedQuerySet["Run"]):
    def visible_to(self, identity: Identity) -> Self:
        """The runs of whoever asks; to a token that may only ask, those that were asked with it."""
        mine = super().visible_to(identity)
        return mine if identity.may("read") else mine.filter(token=identity.token)

    def to_continue(self, identity: Identity) -> Self:
        """Those of whoever asks that another question may go on from."""
        return self.visible_to(identity).filter(answer__isnull=False)

    def about(self, company: str) -> Self:
        """Those about the company of this name, also beside others."""
        beside = RunCompany.objects.filter(name=company).values("run")
        return self.filter(Q(company=company) | Q(pk__in=beside))

    def changed(self) -> Self:
        """Those whose answer was superseded, or no longer verifies, since it was given."""
        return self.filter(standing__since__isnull=False)

    def from_origin(self, origin: str) -> Self:
        """Those asked on a page, by the API or by MCP; runs of releases that did not record it count by their token."""
        if not origin:
            return self
        older = {Run.Origin.PAGE: Q(origin=None, token=None), Run.Origin.API: Q(origin=None, token__isnull=False)}
        recorded = Q(origin=origin)
        return self.filter(recorded | older[Run.Origin(origin)] if origin in older else recorded)

    def by_company(self, company: str = "") -> Self:
        """Each run once for every company that it is about, by the name of that one as `about_company`, the newest first.

        company: only under this one.
        """
        named = self.annotate(about_company=Coalesce("companies__name", "company"))
        named = named.filter(about_company=company) if company else named
        return named.order_by("about_company", "-created")

    def hold(self, *, to_delete: bool = True) -> list[uuid.UUID]:
        """Lock them until the transaction ends: no worker writes to them meanwhile. By pk, as deletion goes.

        to_delete: also against what refers to them from elsewhere, as a question that goes on from one.
        """
        return list(self.order_by("pk").select_for_update(no_key=not to_delete).values_list("pk", flat=True))

    def delete(self) -> tuple[int, dict[str, int]]:
        """Delete them at once; what they used stays in the sums of its days, which name nobody."""
        with transaction.atomic():
            # Or a step could be written once the steps are gone, and a run begin to match once the rest is counted.
            held = self.model.objects.filter(pk__in=self.hold())
            account_deletion.keep_usage(held.used_by_day())
            return super(RunQuerySet, held).delete()

    # As of the base: only of a queryset, never of all rows by the manager.
    delete.alters_data = True  # type: ignore[attr-defined]
    delete.queryset_only = True  # type: ignore[attr-defined]

    def used_by_day(self) -> dict[date, dict[str, Any]]:
        """What they used, as fields of accounts.models.PastUsage, by the day on which they did."""
        asked = (
            Step.objects.filter(run__in=self, requests__gt=0).order_by().annotate(day=TruncDate("at")).values("day")
        )
        sums = {name: Sum(name) for name in ("requests", "tokens_in", "tokens_out", "cost")}
        answered = self.filter(outcome=Run.Outcome.ANSWERED, finished__isnull=False).order_by()
        answers = answered.annotate(day=TruncDate("finished")).values("day").annotate(answers=Count("pk"))
        found: dict[date, dict[str, Any]] = defaultdict(dict)
        for row in (*asked.annotate(**sums), *answers):
            found[row["day"]] |= {name: amount for name, amount in row.items() if name != "day"}
        return found

    def of_attempt(self, pk: uuid.UUID, attempt: int) -> Self:
        """The run while this attempt still holds it; every write of a worker goes through this."""
        return self.filter(pk=pk, attempt=attempt, status=Run.Status.RUNNING)


class Run(models.Model):
    """One question and what became of it."""

    class Status(models.TextChoices):
        QUEUED = "queued", "Waiting"
        RUNNING = "running", "Working"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    class Outcome(models.TextChoices):
        ANSWERED = "answered", "Answered"
        NEAREST = "nearest", "Nearest question"
        PASSAGES = "passages", "Closest passages"
        REFUSED = "refused", "Not answered"
        META = "meta", "About Diligence"
        ERROR = "error", "Error"

    class Origin(models.TextChoices):
        PAGE = "page", "Page"
        API = "api", "API"
        MCP = "mcp", "MCP"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="runs")
    visitor = models.UUIDField(null=True, blank=True, db_index=True)
    token = models.ForeignKey(
        "accounts.Token",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="runs",
        help_text="The API token that it was asked with, if it was.",
    )
    # Null, which is added to a long table without writing all of it anew.
    origin = models.CharField(  # noqa: DJ001
        max_length=4,
        null=True,
        blank=True,
        choices=Origin,
        help_text="Where it was asked; empty for a command, and for runs of older releases.",
    )
    question = models.TextField()
    mode = models.CharField(
        max_length=12,
        blank=True,
        choices=[(mode.value, mode.label) for mode in Mode],
        help_text="How hard a model is to try, where whoever asked has chosen.",
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    attempt = models.PositiveIntegerField(default=0)
    heartbeat = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(default=now, db_index=True)
    queued = models.DateTimeField(
        null=True, blank=True, help_text="When its message was last sent; empty where the broker did not take it."
    )
    finished = models.DateTimeField(null=True, blank=True)
    ms = models.PositiveIntegerField(null=True, blank=True, help_text="Time spent by the agent.")
    type = models.CharField(max_length=6, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    refusal_code = models.CharField(max_length=40, blank=True)
    refusal_stage = models.CharField(max_length=20, blank=True)
    company = models.CharField(max_length=200, blank=True, help_text="Name of the company asked about.")
    summary = models.CharField(max_length=300, blank=True, help_text="The result in one line, for lists.")
    answer = models.JSONField(null=True, blank=True, help_text="agent.state.Answer.")
    cik = models.BigIntegerField(null=True, blank=True, help_text="Of the company asked about.")
    starred = models.BooleanField(default=False, db_default=False)
    note = models.TextField(blank=True, db_default="", help_text="Of whoever asked, for themselves.")
    again_of = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="asked_again",
        help_text="The run whose question this one asks again.",
    )
    continues = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="followed_by",
        help_text="The run that this one's question goes on from, by the choice of whoever asked.",
    )
    composed = models.TextField(
        blank=True, db_default="", help_text="Of an older release: the question with what was taken from that run."
    )
    before = models.JSONField(
        null=True, blank=True, help_text="agent.state.Query of that run, behind which the question is read."
    )
    given = models.JSONField(
        null=True,
        blank=True,
        help_text="agent.state.Query that is asked, where a grid was saved; its name is the question.",
    )
    scope = models.JSONField(
        null=True, blank=True, help_text="agent.state.Scope: the document, or kind and period, that it is limited to."
    )
    taken = models.JSONField(
        null=True, blank=True, help_text="What was taken from it: a list of agent.query.reading.follow_up.Taken."
    )

    objects: ClassVar[RunQuerySet] = RunQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering: ClassVar = ["-created"]
        indexes: ClassVar = [
            models.Index(fields=["user", "-created"], name="run_of_user"),
            models.Index(fields=["visitor", "-created"], name="run_of_visitor"),
            models.Index(fields=["status", "heartbeat"], name="run_open"),
            models.Index(fields=["refusal_code", "-created"], name="run_refusals"),
            models.Index(fields=["user", "company", "-created"], name="run_by_company"),
            models.Index(fields=["user", "-created"], condition=Q(starred=True), name="run_starred"),
            models.Index(fields=["cik", "user"], name="run_about"),
            # The lists of the admin, by what they are filtered by.
            models.Index(fields=["outcome", "-created"], name="run_by_outcome"),
            models.Index(fields=["status", "-created"], name="run_by_status"),
            models.Index(fields=["type", "-created"], name="run_by_type"),
            models.Index(fields=["mode", "-created"], name="run_by_mode"),
        ]

    def __str__(self) -> str:
        return self.question[:80]

    def get_absolute_url(self) -> str:
        return reverse("run", args=[self.pk])

    @property
    def scoped(self) -> Scope | None:
        """What the question is limited to; None where it is asked of all documents."""
        return Scope.model_validate(self.scope) if self.scope else None

    @property
    def company_called(self) -> str:
        """The name that people use of the first company it is about."""
        return everyday_name(self.cik, self.company) if self.cik is not None else self.company

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """As of a queryset."""
        return Run.objects.filter(pk=self.pk).delete()

    @property
    def is_open(self) -> bool:
        """Whether an answer is still to come."""
        return self.status in {self.Status.QUEUED, self.Status.RUNNING}


class RunCompany(models.Model):
    """One of several companies that a run is about, the first one too. Of a single one, the run's own columns say all."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="companies")
    cik = models.BigIntegerField()
    name = models.CharField(max_length=200)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "cik"], name="run_company_once")]
        indexes: ClassVar = [
            models.Index(fields=["name"], name="run_company_by_name"),
            models.Index(fields=["cik"], name="run_company_by_cik"),
        ]

    def __str__(self) -> str:
        return self.name


class Step(models.Model):
    """One node of one attempt, or an event of a node of a run with a model, written by the pipeline's recorder.

    The calls of a node stand on one row of it, as do its milliseconds; so sums over rows are sums over runs.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="steps")
    attempt = models.PositiveIntegerField()
    sequence = models.PositiveSmallIntegerField()
    at = models.DateTimeField(default=now)
    node = models.CharField(max_length=20)
    event = models.CharField(
        max_length=20, blank=True, help_text="Of a run with a model: agent.web.pages.progress.EVENTS."
    )
    iteration = models.PositiveSmallIntegerField(default=0, help_text="The round, from 1; 0 before and after them.")
    inputs = models.JSONField(default=dict)
    outputs = models.JSONField(default=dict)
    said = models.TextField(blank=True, help_text="What the node did, in a sentence.")
    refused = models.BooleanField(default=False)
    ms = models.FloatField()
    requests = models.PositiveSmallIntegerField(default=0, help_text="Made to models by the node.")
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=8, default=0, help_text="USD.")
    calls = models.JSONField(
        default=list, blank=True, help_text="Each request: agent.programs.calls.Call, without prompt and reply."
    )

    # The event of a row that only counts the calls of a node which did not end: no step of the way.
    FAILED: ClassVar = "failed"

    class Meta:
        ordering: ClassVar = ["run", "attempt", "sequence"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "attempt", "sequence"], name="step_once")]
        indexes: ClassVar = [
            # Of millions of steps only those that asked a model are summed by day.
            models.Index(fields=["at"], condition=Q(requests__gt=0), name="step_that_asked"),
        ]

    def __str__(self) -> str:
        return f"{self.sequence} {self.event or self.node}"


class IdempotencyKey(models.Model):
    """A key that a program sent with a question, and the run that it stands for.

    Written in the transaction that writes the run, and gone with it: there is never one without the other.
    """

    owner = models.CharField(max_length=60, help_text="Whose key it is: user:<id>, visitor:<uuid> or token:<id>.")
    key = models.CharField(max_length=LONGEST_KEY)
    body = models.CharField(max_length=64, help_text="SHA-256 of what was asked with it.")
    run = models.OneToOneField(Run, models.CASCADE, null=True, related_name="idempotency_key")
    created = models.DateTimeField(default=now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["owner", "key"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return self.key
