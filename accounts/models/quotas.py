"""Plans, and the ledger of what accounts and visitors have used."""

from typing import ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q


class Numbers(models.Model):
    """The numbers of a plan. None: no limit in a plan, and "as in the plan" in an override."""

    requests_per_minute = models.PositiveIntegerField("questions a minute", null=True, blank=True)
    tokens_per_minute = models.PositiveIntegerField(null=True, blank=True)
    input_tokens = models.PositiveIntegerField("tokens of a question", null=True, blank=True)
    unfinished_runs = models.PositiveIntegerField(
        null=True, blank=True, help_text="Questions that may wait for their answer at one time."
    )
    answers_per_month = models.PositiveIntegerField(
        null=True, blank=True, help_text="Of a calendar month in UTC. Refusals do not count."
    )
    cost_per_month = models.DecimalField(
        max_digits=10,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="USD for models. When it is used up, questions are answered without a model.",
    )
    questions_in_all = models.PositiveIntegerField(
        null=True, blank=True, help_text="Ever, whether answered or refused. For visitors: of one address."
    )

    class Meta:
        abstract = True


class Plan(Numbers):
    """The limits of a tier, or of accounts assigned to it."""

    class Tier(models.TextChoices):
        ANON = "anon", "Visitors without an account"
        USER = "user", "Accounts"
        STAFF = "staff", "Staff"

    name = models.CharField(max_length=60, unique=True)
    tier = models.CharField(
        max_length=5,
        blank=True,
        choices=Tier,
        help_text="Whose plan it is where none is assigned; it takes the place of the settings' numbers. "
        "Empty: only of those whose override names it.",
    )

    class Meta:
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tier"],
                condition=~Q(tier=""),
                name="plan_of_tier",
                violation_error_message="This tier has a plan already.",
            )
        ]

    def __str__(self) -> str:
        return self.name


class Override(Numbers):
    """A different plan, or different numbers, for one account."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="quota_override")
    plan = models.ForeignKey(
        Plan, models.PROTECT, null=True, blank=True, related_name="overrides", help_text="Empty: that of the tier."
    )
    reason = models.CharField(max_length=200, blank=True, help_text="For those who look after quotas.")

    def __str__(self) -> str:
        return f"Override of {self.user}"


class Meter(models.Model):
    """The usage sums of one key, and the row that is locked while they change.

    key: the first of `accounts.identity.Identity.keys`, or of its `site_keys`. Reservations are not included.
    """

    key = models.CharField(max_length=80, unique=True)
    month = models.DateField(null=True, blank=True, help_text="First day of the month that the month's sums are of.")
    month_answers = models.PositiveIntegerField(default=0)
    month_tokens = models.PositiveBigIntegerField(default=0)
    month_cost = models.DecimalField(max_digits=14, decimal_places=8, default=0, help_text="USD.")
    questions = models.PositiveBigIntegerField(default=0, help_text="Answered or refused, ever.")
    answers = models.PositiveBigIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=18, decimal_places=8, default=0, help_text="USD.")

    def __str__(self) -> str:
        return self.key


class Reservation(models.Model):
    """The possible usage of one question, reserved from before its run until after it. All times are the database's.

    A search reserves nothing: its row only counts as a request of its minute.
    """

    class State(models.TextChoices):
        OPEN = "open", "Open"
        SETTLED = "settled", "Settled"
        RELEASED = "released", "Given up"
        EXPIRED = "expired", "Expired"

    ref = models.UUIDField(unique=True, help_text="The run.")
    key = models.CharField(max_length=80, help_text="Whose: that of a meter.")
    # Null rather than empty: most have none, and stay out of its indexes.
    site = models.CharField(  # noqa: DJ001
        max_length=80, null=True, blank=True, help_text="The meter of all networks of an IPv6 site."
    )
    tier = models.CharField(max_length=5, choices=Plan.Tier)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    at = models.DateTimeField()
    closed = models.DateTimeField(null=True, blank=True)
    tokens = models.PositiveIntegerField(help_text="Reserved.")
    cost = models.DecimalField(max_digits=14, decimal_places=8, default=0, help_text="Reserved, in USD.")
    used_tokens = models.PositiveIntegerField(default=0)
    used_cost = models.DecimalField(max_digits=14, decimal_places=8, default=0, help_text="USD.")
    answered = models.BooleanField(default=False)
    answers = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="As how many questions and answers it counts; empty for one."
    )
    tokens_per_minute = models.PositiveIntegerField(
        null=True, blank=True, help_text="The limit that it was made under; empty for none."
    )

    class Meta:
        ordering: ClassVar = ["-at"]
        indexes: ClassVar = [
            models.Index(fields=["key", "-at"], name="reservation_of_key"),
            models.Index(fields=["key", "-closed"], name="reservation_closed"),
            models.Index(fields=["key"], condition=Q(state="open"), name="reservation_open"),
            models.Index(fields=["site", "-at"], condition=Q(site__isnull=False), name="reservation_of_site"),
            models.Index(fields=["site", "-closed"], condition=Q(site__isnull=False), name="reservation_site_closed"),
            models.Index(fields=["site"], condition=Q(site__isnull=False, state="open"), name="reservation_site_open"),
            models.Index(fields=["-at"], name="reservation_at"),
            # Indexes for the admin's filters.
            models.Index(fields=["state", "-at"], name="reservation_by_state"),
            models.Index(fields=["tier", "-at"], name="reservation_by_tier"),
        ]

    def __str__(self) -> str:
        return str(self.ref)


class PastUsage(models.Model):
    """The usage of deleted runs on one day, so that costs still add up."""

    day = models.DateField(unique=True)
    answers = models.PositiveIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0, help_text="Made to models.")
    tokens_in = models.PositiveBigIntegerField(default=0)
    tokens_out = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=8, default=0, help_text="USD.")

    class Meta:
        ordering: ClassVar = ["-day"]
        verbose_name_plural = "past usage"

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"
