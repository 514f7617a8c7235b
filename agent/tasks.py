"""Tasks of the agent: ids in, nothing out."""

from threading import Event, Thread
from uuid import UUID

from celery import current_app, shared_task
from celery.signals import worker_ready, worker_shutting_down
from celery.utils.log import get_task_logger
from django.db import OperationalError, transaction
from django.utils.timezone import now

from agent.models import Run
from agent.runs import claim
from diligence.celery import AT_ONCE, BATCH
from diligence.messages import OF_BEAT, messages, send
from filings.models import SearchRequest

logger = get_task_logger(__name__)
KEEP_SECONDS = 30.0
REMEMBER_SECONDS, COMPARE_SECONDS = 10.0, 45.0
STOPPING = Event()  # this worker was told to end


@shared_task(acks_late=True)
def answer(run_id: str) -> None:
    """Answer one run. Safe to call twice, and to be killed at any line."""
    from agent.runs import lifecycle, monitoring

    pk = UUID(run_id)
    if attempt := claim.claim(pk):
        with monitoring.watched(pk, attempt):
            lifecycle.answer(pk, attempt)


def queue(run_id: UUID, *, batch: bool = False) -> None:
    """Queue a run once its row is committed. batch: one of many that nobody waits for, behind those somebody does.

    The row is the truth: where the broker does not take the message, the sweep sends it once the broker is back.
    """
    transaction.on_commit(lambda: hand_over(str(run_id), BATCH if batch else AT_ONCE))


def hand_over(run_id: str, priority: int = AT_ONCE) -> None:
    """Send the message of a run, or have its row say that it has none."""
    if send(answer, run_id, priority=priority):
        return
    try:
        Run.objects.filter(pk=run_id).update(queued=None)
    except OperationalError:
        # The run is committed, whatever its row says of a message: the sweep only comes to it later.
        logger.warning("Run %s waits for the sweep: its row cannot be written now", run_id, exc_info=True)


def waiting() -> int:
    """How many messages of runs wait at the broker, at least: those in the queue less what may stand there beside them."""
    searches = SearchRequest.objects.filter(status=SearchRequest.Status.QUEUED).count()
    return max(0, messages(answer) - searches - OF_BEAT)


@shared_task
def sweep() -> None:
    """Queue again what a lost message or a killed worker left behind."""
    from agent.runs import spending

    try:
        for run_id in claim.left_behind(waiting()):
            logger.warning("Run %s was left behind and is queued again", run_id)
            Run.objects.filter(pk=run_id).update(queued=now())
            hand_over(run_id)
    finally:
        # Which needs no broker.
        if given_back := spending.sweep():
            logger.warning("What %s runs that are no more had reserved is given back", given_back)


@shared_task
def keep_figures() -> None:
    """Select and store the annual figures of companies whose ingestion ended; runs each minute, for half of it."""
    from agent.numbers.registry import registry
    from agent.screening.annual_figures import keep_outdated

    if done := keep_outdated(registry.load(), KEEP_SECONDS, STOPPING):
        logger.info("The annual figures of %s companies were brought up to date", done)


@shared_task
def compare_answers() -> None:
    """Compare saved answers with filings that came since; runs each minute, for most of it."""
    from agent.runs import used_facts
    from agent.standings import comparison

    if added := used_facts.remember_missing(REMEMBER_SECONDS):
        logger.info("The facts that %s earlier answers use were stored", added)
    if done := comparison.compare_outdated(COMPARE_SECONDS, STOPPING):
        logger.info("%s saved answers were compared with newer filings", done)


@worker_shutting_down.connect
def end_soon(**kwargs: object) -> None:
    """A worker that was told to end finishes the company whose figures it selects, and begins no other."""
    STOPPING.set()


@worker_ready.connect
def sweep_at_start(**kwargs: object) -> None:
    """A worker that starts may follow one that was killed."""
    sweep.delay()


@worker_ready.connect
def warm_up(**kwargs: object) -> None:
    """A process that answers questions gets ready for them; one that only ingests does not."""
    if current_app.conf.task_default_queue in current_app.amqp.queues.consume_from:
        from agent.runs.warm_up import warm

        # Beside its work: a first question waits for what it needs and not for all of it.
        Thread(target=warm, name="warm", daemon=True).start()


@shared_task
def mail_watchlists() -> None:
    """Send what is new of watchlists to owners who asked for it; runs every ten minutes, and mails once a day at most."""
    from agent.runs import watchlist_mail

    if sent := watchlist_mail.send_due():
        logger.info("%s e-mails of watchlists were sent", sent)


@shared_task
def mail_digests() -> None:
    """Tell owners who asked for it which of their answers have changed; runs every ten minutes, and mails once a week at
    most.
    """
    from agent.runs import digest_mail

    if sent := digest_mail.send_due():
        logger.info("%s digests of changed answers were sent", sent)
