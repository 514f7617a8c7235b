"""Named lists of companies that a user or a visitor keeps."""

from typing import ClassVar, Self
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models import Count, Max, Q
from django.urls import reverse
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.models import User
from accounts.ownership import OwnedQuerySet

LONGEST_NAME = 60
MOST_LISTS = 20
MOST_WATCHED = 100


class WatchlistQuerySet(OwnedQuerySet["Watchlist"]):
    def make(self, identity: Identity, name: str) -> "Watchlist":
        """A new watchlist for a user or visitor, placed after their others.

        identity: must have a user or a visitor. Raises ValidationError if the name is empty or taken, or there are too many lists.
        """
        last = self.visible_to(identity).aggregate(lists=Count("pk"), place=Max("place"))
        if last["lists"] >= MOST_LISTS:
            raise ValidationError(f"You have {MOST_LISTS} watchlists, which are the most. Delete one first.")
        made = self.model(user=identity.user, visitor=identity.visitor, place=(last["place"] or 0) + 1)
        made.call(name)
        return made

    def named(self, name: str) -> Self:
        """The list with this name; case and spacing do not matter."""
        return self.filter(key=key_of(name))

    def move_up(self, one: "Watchlist") -> None:
        """Swap a list with the one above it; the first list stays where it is."""
        with transaction.atomic():
            if above := self.filter(place__lt=one.place).order_by("-place").first():
                self.filter(pk=above.pk).update(place=one.place)
                self.filter(pk=one.pk).update(place=above.place)

    def hand_over(self, visitor: UUID, user: User) -> None:
        """Give a visitor's lists to a user. If the user has a list with the same name, the two are merged."""
        place = self.filter(user=user).aggregate(last=Max("place"))["last"] or 0
        for one in self.filter(visitor=visitor, user=None):
            if held := self.filter(user=user, key=one.key).first():
                known = held.companies.values("cik")
                one.companies.exclude(cik__in=list(known.values_list("cik", flat=True))).update(watchlist=held)
                if hasattr(one, "alert") and not hasattr(held, "alert"):
                    type(one.alert).objects.filter(pk=one.alert.pk).update(watchlist=held)
                one.delete()
            else:
                self.filter(pk=one.pk).update(user=user, place=place + one.place)


def key_of(name: str) -> str:
    """A name in the form used to compare names: lower case, single spaces."""
    return " ".join(name.casefold().split())


class Watchlist(models.Model):
    """A named list of companies."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="watchlists"
    )
    visitor = models.UUIDField(null=True, blank=True)
    name = models.CharField(max_length=LONGEST_NAME)
    key = models.CharField(
        max_length=LONGEST_NAME * 3,
        help_text="The name in lower case with single spaces; unique among an owner's lists.",
    )
    place = models.PositiveIntegerField(default=0, help_text="Position among its owner's lists.")
    created = models.DateTimeField(default=now)

    objects: ClassVar[WatchlistQuerySet] = WatchlistQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering: ClassVar = ["place", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "key"], name="watchlist_of_user"),
            models.UniqueConstraint(fields=["visitor", "key"], condition=Q(user=None), name="watchlist_of_visitor"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('watchlists')}#list-{self.pk}"

    @property
    def ciks(self) -> tuple[int, ...]:
        """The CIKs of its companies, in the order in which they were added."""
        return tuple(one.cik for one in self.companies.all())

    def call(self, name: str) -> None:
        """Name the list and save it. Raises ValidationError if the name is empty, too long or already used by the same owner."""
        name = " ".join(name.split())
        if not any(letter.isalnum() for letter in name) or len(name) > LONGEST_NAME:
            raise ValidationError(
                f"Give the watchlist a name of 1 to {LONGEST_NAME} characters, with a letter or a digit."
            )
        self.name, self.key = name, key_of(name)
        try:
            with transaction.atomic():
                self.save()
        except IntegrityError:
            raise ValidationError(f"You have a watchlist called “{name}” already. Choose another name.") from None

    def add(self, ciks: list[int]) -> int:
        """Add companies at the end and return how many were new; companies already on the list stay where they are.

        Raises ValidationError and adds none if the list would become too long.
        """
        with transaction.atomic():
            held = set(self.companies.values_list("cik", flat=True))
            new = [cik for cik in dict.fromkeys(ciks) if cik not in held]
            if len(held) + len(new) > MOST_WATCHED:
                raise ValidationError(
                    f"A watchlist holds up to {MOST_WATCHED} companies. “{self.name}” has {len(held)}, so "
                    f"{len(new)} more are too many."
                )
            rows = (WatchedCompany(watchlist=self, cik=cik) for cik in new)
            WatchedCompany.objects.bulk_create(rows, ignore_conflicts=True)
        return len(new)

    def remove(self, cik: int) -> bool:
        """Remove a company; False if it was not on the list."""
        return bool(self.companies.filter(cik=cik).delete()[0])


class WatchedCompany(models.Model):
    """A company on a list, stored by its CIK, because the company's row may be deleted and ingested again."""

    watchlist = models.ForeignKey(Watchlist, models.CASCADE, related_name="companies")
    cik = models.PositiveBigIntegerField()
    added = models.DateTimeField(default=now)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["watchlist", "cik"], name="watched_company_once")]

    def __str__(self) -> str:
        return str(self.cik)
