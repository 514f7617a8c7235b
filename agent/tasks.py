"""Tasks of the agent: ids in, nothing out."""

from threading import Thread
from uuid import UUID

from celery import current_app, shared_task
from celery.signals import worker_process_init, worker_ready
from celery.utils.log import get_task_logger

from agent.models import Run

logger = get_task_logger(__name__)


@shared_task(acks_late=True)
def answer(run_id: str) -> None:
    """Answer one run. Safe to call twice, and to be killed at any line."""
    from agent import runs

    pk = UUID(run_id)
    if attempt := Run.objects.claim(pk):
        runs.answer(pk, attempt)


@shared_task
def sweep() -> None:
    """Queue again what a lost message or a killed worker left behind."""
    from agent import runs

    for run_id in runs.left_behind():
        logger.warning("Run %s was left behind and is queued again", run_id)
        answer.delay(run_id)


@worker_ready.connect
def sweep_at_start(**kwargs: object) -> None:
    """A worker that starts may follow one that was killed."""
    sweep.delay()


@worker_process_init.connect
def warm_up(**kwargs: object) -> None:
    """A process that answers questions gets ready for them; one that only ingests does not."""
    if current_app.conf.task_default_queue in current_app.amqp.queues.consume_from:
        from agent.warming import warm

        # Beside the worker's start: a pool gives a process that does not report itself within seconds up.
        Thread(target=warm, name="warm", daemon=True).start()
