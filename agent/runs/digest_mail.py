"""The weekly e-mail about saved answers that no longer stand: only where something changed, and nothing told twice."""

import logging
from datetime import datetime
from urllib.parse import urljoin

from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.timezone import now

from accounts.verified_address import verified_address
from agent.models import Digest, Run
from agent.runs.plain_mail import plain_mail
from agent.runs.standing_text import standing_of

logger = logging.getLogger(__name__)

# Answers that one mail tells in full, and changes of each.
MOST, NAMED = 40, 3


def send_due() -> int:
    """Send the digests that are due; how many were sent. Safe to run twice, at once, and to be killed at any line."""
    sent = 0
    due = Digest.objects.filter(Digest.due(now()), mail=True, user__is_active=True)
    for digest in due.select_related("user").order_by("begun", "pk"):
        try:
            sent += send(digest)
        except OSError as error:  # smtplib's errors too
            logger.warning("Digest %s is sent later: %s", digest.pk, error)
    return sent


def send(digest: Digest) -> bool:
    """Send one digest; False where nothing has changed, or another worker does. Raises OSError."""
    at, address = now(), verified_address(digest.user)
    runs = changed(digest, at) if address else []
    if not runs or not digest.begin(at):
        return False
    try:
        written(digest, runs, address).send()
    except OSError:
        digest.take_back(at)
        raise
    digest.was_sent(at)
    return True


def changed(digest: Digest, until: datetime) -> list[Run]:
    """The owner's answers that were found to have changed since the last mail, the newest first."""
    found = Run.objects.filter(user=digest.user, standing__since__gt=digest.told, standing__since__lte=until)
    return list(found.select_related("standing").defer("answer", "taken").order_by("-standing__since", "pk"))


def written(digest: Digest, runs: list[Run], address: str) -> EmailMessage:
    """The mail, in plain words."""
    stop = urljoin(digest.site, reverse("digest_unsubscribe", args=[digest.unsubscribe]))
    shown = [(run, standing_of(run), urljoin(digest.site, run.get_absolute_url())) for run in runs[:MOST]]
    context = {
        "found": [
            (run, aged, aged.changes[:NAMED], len(aged.changes[NAMED:]), address)
            for run, aged, address in shown
            if aged
        ],
        "more": len(runs[MOST:]),
        "history": urljoin(digest.site, f"{reverse('history')}?changed=1"),
        "stop": stop,
    }
    several = f"{len(runs)} of your answers have" if len(runs) > 1 else "1 of your answers has"
    name = f"digest-{digest.pk}-{int(digest.told.timestamp())}"
    body = render_to_string("agent/email/digest.txt", context)
    return plain_mail(f"Diligence: {several} changed", body, address, name=name, site=digest.site, stop=stop)
