"""How a question becomes a run: the one way, whether a page, the API or another program asks."""

import logging

from kombu.exceptions import OperationalError

from accounts.identity import Identity
from agent import tasks
from agent.models import Run

logger = logging.getLogger(__name__)


def start(identity: Identity, question: str, mode: str = "") -> Run:
    """A run of whoever asks, committed before it is queued.

    identity: with a user or a visitor, or nobody would ever see the run. question: tidied and checked by the caller.
    """
    run = Run.objects.create(user=identity.user, visitor=identity.visitor, question=question, mode=mode)
    try:
        tasks.answer.delay_on_commit(str(run.pk))  # type: ignore[attr-defined] # of celery.contrib.django.task
    except OperationalError:
        # The row is the truth: the sweep queues it once the broker is back.
        logger.exception("Run %s waits for the sweep: the broker did not take it", run.pk)
    return run
