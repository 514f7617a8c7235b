"""E-mails of watchlists: at most one a day, only where something is new, and nothing told twice.

A mail is recorded before it is sent, and again after. One that a killed worker leaves unsent is sent again, under the
same Message-ID: at least once, and twice only where the mail server had taken it and nobody lived to record that.
"""

import logging
from urllib.parse import urljoin

from django.core.mail import EmailMessage
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.timezone import now

from accounts.verified_address import verified_address
from agent.models import AlertMail, WatchlistAlert
from agent.models.watchlist_alert import BETWEEN_MAILS
from agent.runs.plain_mail import plain_mail
from agent.runs.watchlist_news import News, key_of, new_filings, news_of, since

logger = logging.getLogger(__name__)

# News that one mail tells in full.
MOST = 40


def send_due() -> int:
    """Send the mails that are due; how many were sent. Safe to run twice, at once, and to be killed at any line."""
    unsent = AlertMail.objects.filter(sent=None).select_related("alert")
    again = Q(pk__in=[one.alert_id for one in unsent if one.is_given_up])
    due = WatchlistAlert.objects.filter(again | Q(mailed=None) | Q(mailed__lte=now() - BETWEEN_MAILS), mail=True)
    sent = 0
    for pk in due.order_by("mailed", "pk").values_list("pk", flat=True):
        try:
            alert = WatchlistAlert.objects.select_related("watchlist__user").filter(pk=pk).first()
            sent += alert is not None and send(alert)
        except OSError as error:  # smtplib's errors too
            logger.warning("The mail of watchlist alert %s is sent later: %s", pk, error)
    return sent


def send(alert: WatchlistAlert) -> bool:
    """Send what is new of one watchlist; False where nothing is, or another worker does. Raises OSError."""
    address = verified_address(alert.watchlist.user)
    untold = not_told(alert) if address else []
    if not untold:
        return False
    begun = alert.begin_mail([one.key for one in untold])
    if begun is None:
        return False
    message = written(alert, untold, address, begun.pk)
    try:
        message.send()
    except OSError:
        begun.take_back()
        raise
    begun.was_sent()
    return True


def not_told(alert: WatchlistAlert) -> list[News]:
    """What is new of a watchlist since its mails were switched on and its company was added, and in no mail
    that was sent.

    What a filing overtakes or restates is known when it is loaded, and told with it: filings that were told are not
    compared with answers again.
    """
    added = dict(alert.watchlist.companies.values_list("cik", "added"))
    told = set(alert.items.exclude(mail__sent=None).values_list("key", flat=True))
    filings = [
        one
        for one in new_filings(added)
        if key_of(one) not in told and since(one) > max(alert.since, added[one.company.cik])
    ]
    return [one for one in news_of(alert.watchlist, filings) if one.key not in told]


def written(alert: WatchlistAlert, found: list[News], address: str, number: int) -> EmailMessage:
    """The mail, in plain words."""
    name = alert.watchlist.name
    stop = urljoin(alert.site, reverse("watchlist_unsubscribe", args=[alert.unsubscribe]))
    context = {
        "name": name,
        "found": [(one, urljoin(alert.site, one.path)) for one in found[:MOST]],
        "more": len(found[MOST:]),
        "lists": urljoin(alert.site, reverse("watchlists")),
        "stop": stop,
    }
    subject = f"Diligence: {found[0].title if len(found) == 1 else f'{len(found)} new items for “{name}”'}"
    body = render_to_string("agent/email/watchlist.txt", context)
    return plain_mail(subject, body, address, name=f"watchlist-{alert.pk}-{number}", site=alert.site, stop=stop)
