"""Annual figures kept for the screener, and the screens that a user or a visitor saves."""

from typing import ClassVar, Self
from urllib.parse import quote
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.models import User
from accounts.ownership import OwnedQuerySet
from filings.models import Company, Filing
from filings.models.fact import ExactDecimalField

LONGEST_SCREEN_NAME = 80
LONGEST_QUERY = 1_000
MOST_SCREENS = 50
# Decimals of a kept figure; pages compute it again from its facts.
KEPT_DECIMALS = 12


class KeptFiguresQuerySet(models.QuerySet["KeptFigures"]):
    def current(self, version: str) -> Self:
        """The companies whose kept figures are those that would be selected now.

        version: of the selecting code and registry. Every attempt at an ingestion outdates them.
        """
        same_day = Q(ingested=F("company__ingested")) | Q(ingested=None, company__ingested=None)
        return self.filter(same_day, version=version, attempt=F("company__attempt"))


class KeptFigures(models.Model):
    """Which ingestion of a company, and which code, its annual figures are kept for."""

    company = models.OneToOneField(Company, models.CASCADE, related_name="kept_figures")
    version = models.CharField(max_length=12, help_text="Hash of the code and registry that selected the figures.")
    attempt = models.PositiveIntegerField(help_text="The company's ingestion attempt when they were selected.")
    ingested = models.DateTimeField(null=True, help_text="When that ingestion ended.")

    objects: ClassVar[KeptFiguresQuerySet] = KeptFiguresQuerySet.as_manager()  # type: ignore[assignment]

    def __str__(self) -> str:
        return str(self.company)


class AnnualFigure(models.Model):
    """One measure of one company in one fiscal year, as selected from its 10-K. Rebuilt by `manage.py keep_figures`."""

    company = models.ForeignKey(Company, models.CASCADE, related_name="annual_figures")
    filing = models.ForeignKey(Filing, models.CASCADE, related_name="annual_figures")
    measure = models.CharField(max_length=80, help_text="Key of the measure: revenue, roe:ending, growth of revenue.")
    fiscal_year = models.SmallIntegerField()
    calendar_year = models.SmallIntegerField(
        help_text="The calendar year in which the middle of the fiscal year lies."
    )
    latest = models.BooleanField(default=False, help_text="Whether it is of the company's newest 10-K.")
    value = ExactDecimalField(max_digits=40, decimal_places=KEPT_DECIMALS)
    unit = models.CharField(max_length=20)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["filing", "measure"], name="annual_figure_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["measure", "calendar_year"], name="annual_figure_of_year"),
            models.Index(fields=["measure"], condition=Q(latest=True), name="annual_figure_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.measure} {self.fiscal_year}"


class ScreenQuerySet(OwnedQuerySet["Screen"]):
    def save_as(self, identity: Identity, name: str, query: str) -> "Screen":
        """Save a screen for a user or visitor; one of the same name is replaced.

        identity: must have a user or a visitor. Raises ValidationError for an empty name or too many screens.
        """
        name = " ".join(name.split())
        if not any(letter.isalnum() for letter in name) or len(name) > LONGEST_SCREEN_NAME:
            raise ValidationError(
                f"Give the screen a name of 1 to {LONGEST_SCREEN_NAME} characters, with a letter or a digit."
            )
        if len(query) > LONGEST_QUERY:
            raise ValidationError("The screen is too long to be saved.")
        mine = self.visible_to(identity)
        if mine.filter(name=name).update(query=query):
            return mine.get(name=name)
        if mine.count() >= MOST_SCREENS:
            raise ValidationError(f"You have {MOST_SCREENS} saved screens, which are the most. Delete one first.")
        try:
            with transaction.atomic():
                return self.create(
                    user=identity.user,
                    visitor=None if identity.user is not None else identity.visitor,
                    name=name,
                    query=query,
                )
        except IntegrityError:  # saved at the same moment in another window
            mine.filter(name=name).update(query=query)
            return mine.get(name=name)

    def hand_over(self, visitor: UUID, user: User) -> None:
        """Give a visitor's screens to a user; a name that the user has already stays the user's."""
        taken = self.filter(user=user).values("name")
        self.filter(visitor=visitor, user=None, name__in=list(taken.values_list("name", flat=True))).delete()
        self.filter(visitor=visitor, user=None).update(user=user)


class Screen(models.Model):
    """A named screen: the address of the screener without its page."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="screens")
    visitor = models.UUIDField(null=True, blank=True)
    name = models.CharField(max_length=LONGEST_SCREEN_NAME)
    query = models.CharField(max_length=LONGEST_QUERY, help_text="Query string of the screener's address.")
    created = models.DateTimeField(default=now)

    objects: ClassVar[ScreenQuerySet] = ScreenQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "name"], name="screen_of_user"),
            models.UniqueConstraint(fields=["visitor", "name"], condition=Q(user=None), name="screen_of_visitor"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('screener')}?{quote(self.query, safe='=&,:+%<>')}"
