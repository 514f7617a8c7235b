"""Plans with their limits, and the usage of accounts and visitors."""

from typing import ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q


class Numbers(models.Model):
    """The limits of a plan. None means no limit in a plan, and "as in the plan" in an override."""

    requests_per_minute = models.PositiveIntegerField("questions a minute", null=True, blank=True)
    tokens_per_minute = models.PositiveIntegerField(null=True, blank=True)
    input_tokens = models.PositiveIntegerField("tokens of a question", null=True, blank=True)
    unfinished_runs = models.PositiveIntegerField(
        null=True, blank=True, help_text="Most questions that may wait for an answer at the same time."
    )
    answers_per_month = models.PositiveIntegerField(
        null=True, blank=True, help_text="Most answers in a calendar month (UTC). Refusals do not count."
    )
    cost_per_month = models.DecimalField(
        max_digits=10,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="Most money in USD for model calls in a calendar month. Afterwards questions are answered without a model.",
    )
    questions_in_all = models.PositiveIntegerField(
        null=True, blank=True, help_text="Most questions ever, answered or refused. For visitors: from one IP address."
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
        help_text="The plan applies to these users unless an override names another, and replaces the limits in the settings. "
        "Empty: the plan applies only to accounts whose override names it.",
    )

    class Meta:
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tier"],
                condition=~Q(tier=""),
                name="plan_of_tier",
                violation_error_message="This tier already has a plan.",
            )
        ]

    def __str__(self) -> str:
        return self.name


class Override(Numbers):
    """A different plan, or different numbers, for one account."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="quota_override")
    plan = models.ForeignKey(
        Plan,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="overrides",
        help_text="Empty: the plan of the account's tier.",
    )
    reason = models.CharField(
        max_length=200, blank=True, help_text="Why the account has an override; a note for administrators."
    )

    def __str__(self) -> str:
        return f"Override of {self.user}"


class Meter(models.Model):
    """The total usage of one account or IP address; its row is locked while the sums change.

    key: the first of `accounts.identity.Identity.keys`, or of its `site_keys`. Reservations are not included.
    """

    key = models.CharField(max_length=80, unique=True)
    month = models.DateField(
        null=True, blank=True, help_text="First day of the month to which the monthly sums belong."
    )
    month_answers = models.PositiveIntegerField(default=0)
    month_tokens = models.PositiveBigIntegerField(default=0)
    month_cost = models.DecimalField(max_digits=14, decimal_places=8, default=0, help_text="USD.")
    questions = models.PositiveBigIntegerField(default=0, help_text="Questions ever, answered or refused.")
    answers = models.PositiveBigIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=18, decimal_places=8, default=0, help_text="USD.")

    def __str__(self) -> str:
        return self.key


class Reservation(models.Model):
    """The most that one question may use, reserved before its run and settled after it. Times come from the database.

    A search reserves nothing: its row only counts as one request of the minute.
    """

    class State(models.TextChoices):
        OPEN = "open", "Open"
        SETTLED = "settled", "Settled"
        RELEASED = "released", "Given up"
        EXPIRED = "expired", "Expired"

    ref = models.UUIDField(unique=True, help_text="Key of the run.")
    key = models.CharField(max_length=80, help_text="Key of the meter (account or IP address) that is charged.")
    # Null, not empty: most rows have no site, and the partial indexes leave them out.
    site = models.CharField(  # noqa: DJ001
        max_length=80, null=True, blank=True, help_text="Key of the meter that all networks of an IPv6 site share."
    )
    tier = models.CharField(max_length=5, choices=Plan.Tier)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    at = models.DateTimeField()
    closed = models.DateTimeField(null=True, blank=True)
    tokens = models.PositiveIntegerField(help_text="Tokens reserved.")
    cost = models.DecimalField(max_digits=14, decimal_places=8, default=0, help_text="Cost reserved, in USD.")
    used_tokens = models.PositiveIntegerField(default=0)
    used_cost = models.DecimalField(max_digits=14, decimal_places=8, default=0, help_text="USD.")
    answered = models.BooleanField(default=False)
    answers = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Number of questions and answers it counts as; empty: one."
    )
    tokens_per_minute = models.PositiveIntegerField(
        null=True, blank=True, help_text="The limit when it was reserved; empty: no limit."
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
    """The usage of deleted runs, summed by day, so that total costs stay right."""

    day = models.DateField(unique=True)
    answers = models.PositiveIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0, help_text="Requests made to models.")
    tokens_in = models.PositiveBigIntegerField(default=0)
    tokens_out = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=8, default=0, help_text="USD.")

    class Meta:
        ordering: ClassVar = ["-day"]
        verbose_name_plural = "past usage"

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"
