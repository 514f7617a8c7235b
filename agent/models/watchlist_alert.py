"""What is told of a watchlist: a private feed, e-mails, and what has been sent."""

from datetime import timedelta
from typing import ClassVar

from django.db import models, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.timezone import now

from agent.models.feedback import unguessable
from agent.models.watchlist import Watchlist

# One mail a day. Less than a day, so that it does not come later every day.
BETWEEN_MAILS = timedelta(hours=22)
# After a mail that the mail server refused.
TRIED_AGAIN = timedelta(hours=1)
# A mail that is still not sent then was begun by a worker that no longer lives: a mail server has seconds.
GIVEN_UP = timedelta(minutes=10)


class WatchlistAlert(models.Model):
    """The feed and the e-mails of a watchlist; both are off until its owner switches them on.

    Tokens are stored in plain text, as of `Share`: their owner can copy the address again.
    """

    watchlist = models.OneToOneField(Watchlist, models.CASCADE, related_name="alert")
    feed = models.CharField(  # noqa: DJ001 - unique, and many have none
        max_length=43, unique=True, null=True, editable=False, help_text="Token of the feed's address; empty: no feed."
    )
    mail = models.BooleanField(default=False, help_text="Whether its owner gets e-mails.")
    since = models.DateTimeField(default=now, help_text="What happened before is not mailed.")
    mailed = models.DateTimeField(
        null=True, blank=True, help_text="When the last e-mail was begun, or its next try is counted from."
    )
    site = models.CharField(
        max_length=300, blank=True, help_text="Address of this site, as its owner used it, for links in e-mails."
    )
    unsubscribe = models.CharField(max_length=43, unique=True, default=unguessable, editable=False)
    created = models.DateTimeField(default=now)

    def __str__(self) -> str:
        # Its tokens open the feed and stop the e-mails, so that no list and no log may show them.
        return f"Alerts of {self.watchlist_id}"

    @property
    def feed_path(self) -> str:
        """The address of the feed on this site; empty without one."""
        return reverse("watchlist_feed", args=[self.feed]) if self.feed else ""

    def begin_mail(self, keys: list[str]) -> "AlertMail | None":
        """Record a mail before it is sent; None where one was begun since, or the owner has stopped them.

        keys: of what it tells, which no mail that was sent tells again. Of two workers one begins. A mail whose worker
        was killed is begun again under its number, so that mail programs know it if they have it already.
        """
        at = now()
        due = Q(mailed=None) | Q(mailed__lte=at - BETWEEN_MAILS)
        unsent = self.mails.filter(sent=None)
        with transaction.atomic():
            again = unsent.first()
            begins = WatchlistAlert.objects.filter(due, pk=self.pk, mail=True, mailed=self.mailed).update(mailed=at)
            if not begins and again and again.is_given_up:
                same = AlertMail.objects.filter(pk=again.pk, sent=None, created=again.created, alert__mail=True)
                begins = same.update(created=at)
            if not begins:
                return None
            AlertItem.objects.filter(mail__in=unsent).delete()
            begun = again or AlertMail(alert=self)
            begun.created = at
            begun.save()
            AlertItem.objects.bulk_create(AlertItem(alert=self, mail=begun, key=key) for key in keys)
        return begun


class AlertMail(models.Model):
    """One e-mail of a watchlist: written before it is sent, and again after."""

    alert = models.ForeignKey(WatchlistAlert, models.CASCADE, related_name="mails")
    # When it was begun, the last time.
    created = models.DateTimeField(default=now)
    sent = models.DateTimeField(null=True, blank=True, help_text="Empty: the mail server did not say that it took it.")

    class Meta:
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return f"Mail {self.pk} of {self.alert_id}"

    @property
    def is_given_up(self) -> bool:
        """Whether the worker that began the newest mail of a watchlist was killed, and it should be sent again.

        After ten minutes, and after twice as long each time: nobody knows whether it was sent before.
        """
        first = self.alert.mailed
        if self.sent or first is None or self.created < first:
            return False
        return now() - self.created >= max(GIVEN_UP, self.created - first)

    def was_sent(self) -> None:
        """Record that the mail server took it."""
        AlertMail.objects.filter(pk=self.pk).update(sent=now())

    def take_back(self) -> None:
        """Forget a mail that the mail server refused: what it told is told by the next one, an hour later."""
        with transaction.atomic():
            WatchlistAlert.objects.filter(pk=self.alert_id).update(mailed=now() - BETWEEN_MAILS + TRIED_AGAIN)
            self.delete()


class AlertItem(models.Model):
    """What a mail told, by the key of `agent.runs.watchlist_news.News`."""

    alert = models.ForeignKey(WatchlistAlert, models.CASCADE, related_name="items")
    mail = models.ForeignKey(AlertMail, models.CASCADE, related_name="items")
    key = models.CharField(max_length=120)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["alert", "key"], name="alert_item_once")]

    def __str__(self) -> str:
        return self.key
