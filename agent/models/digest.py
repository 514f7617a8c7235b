"""The weekly e-mail about saved answers that no longer stand as they were given."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from agent.models.feedback import unguessable
from agent.models.watchlist_alert import GIVEN_UP, TRIED_AGAIN

# Less than a week, so that it does not come later every week.
BETWEEN_DIGESTS = timedelta(days=7, hours=-2)


class Digest(models.Model):
    """The digest of one account; off until its owner switches it on.

    What changed until `told` stands in mails that were sent. A mail that was begun later was not sent, or nobody lived to
    record that: it is begun again, under the same number.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="digest")
    mail = models.BooleanField(default=False, help_text="Whether it is sent.")
    told = models.DateTimeField(default=now, help_text="What changed before is not mailed.")
    begun = models.DateTimeField(null=True, blank=True, help_text="When the last e-mail was begun.")
    site = models.CharField(
        max_length=300, blank=True, help_text="Address of this site, as its owner used it, for links in e-mails."
    )
    unsubscribe = models.CharField(max_length=43, unique=True, default=unguessable, editable=False)

    def __str__(self) -> str:
        # Its token stops the e-mails, so that no list and no log may show it.
        return f"Digest of {self.user_id}"

    @staticmethod
    def due(at: datetime) -> Q:
        """Those whose next e-mail may be begun: a week after the last, or ten minutes after one that was not sent."""
        unsent = Q(told__lt=F("begun"), begun__lte=at - GIVEN_UP)
        return Q(begun=None) | Q(begun__lte=at - BETWEEN_DIGESTS) | unsent

    def begin(self, at: datetime) -> bool:
        """Record that a mail is begun; False where another worker did, or its owner has stopped it."""
        mine = Digest.objects.filter(self.due(at), pk=self.pk, mail=True, begun=self.begun, told=self.told)
        return bool(mine.update(begun=at))

    def was_sent(self, at: datetime) -> None:
        """Record that the mail server took the mail begun then."""
        Digest.objects.filter(pk=self.pk, begun=at).update(told=at)

    def take_back(self, at: datetime) -> None:
        """Forget a mail that the mail server refused; the next try is an hour later."""
        Digest.objects.filter(pk=self.pk, begun=at).update(begun=at + TRIED_AGAIN - GIVEN_UP)
