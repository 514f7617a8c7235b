"""Which worker answers a run: it claims the run, and a run whose worker or message is lost is found again."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.timezone import now

from agent.models import Run, RunQuerySet
from agent.runs import monitoring

# A worker sends a heartbeat at every node, and every few seconds while a node waits for a model. A worker silent for
# longer than this counts as dead.
STALE_AFTER = timedelta(seconds=30)
# A run that has killed this many workers is not tried again.
MAX_ATTEMPTS = 5
# An older message may be lost; a younger one is on its way.
LOST_AFTER = timedelta(seconds=15)
# A message this old is sent again in any case.
SENT_AGAIN = timedelta(minutes=10)


def claim(pk: UUID) -> int | None:
    """Take a queued run, or one whose worker is dead: the number of the attempt; None when another worker has it."""
    # One transaction: between update and read, a second worker could take over a claim that has gone stale.
    with transaction.atomic():
        won = claimable().filter(pk=pk).update(status=Run.Status.RUNNING, heartbeat=now(), attempt=F("attempt") + 1)
        return Run.objects.values_list("attempt", flat=True).get(pk=pk) if won else None


def claimable() -> RunQuerySet:
    """Queued runs, and running ones whose worker sends no heartbeat."""
    moment = now()
    # A heartbeat in the future was written before a clock was set back.
    stale = Q(heartbeat__lt=moment - STALE_AFTER) | Q(heartbeat__gt=moment + STALE_AFTER)
    return Run.objects.filter(Q(status=Run.Status.QUEUED) | Q(stale, status=Run.Status.RUNNING))


def left_behind(messages: int = 0) -> list[str]:
    """Ids of the runs that nobody works on: their message was lost or their worker was killed.

    Runs that killed too many workers are failed here.

    messages: how many wait at the broker. While there is one for each waiting run, nothing is lost. Where some are
    missing, those sent first are: messages are taken in order, and whatever empties a broker takes the old ones.
    """
    # A time in the future was written before a clock was set back.
    moment = now()
    runs = claimable().only("pk").annotate(sent=Coalesce("queued", "created"))
    ahead = Q(sent__gt=moment + LOST_AFTER)
    old = Q(sent__lt=moment - LOST_AFTER) | ahead
    given_up = runs.filter(old, attempt__gte=MAX_ATTEMPTS)
    monitoring.given_up(given_up.update(status=Run.Status.FAILED, outcome=Run.Outcome.ERROR, finished=now()))
    taken = Q(queued=None) | Q(heartbeat__gte=F("queued"))
    gone = taken | ahead | Q(sent__lt=moment - SENT_AGAIN)
    waiting = runs.exclude(gone)
    missing = max(0, waiting.count() - messages)
    lost = [*runs.filter(old, gone), *waiting.filter(old).order_by("sent")[:missing]]
    return [str(run.pk) for run in lost]
