"""Messages to workers. The row is the truth: a message that the broker rejects is sent later, by a sweep."""

import logging
import time
from typing import Any

from celery import Task
from kombu.exceptions import ChannelError, OperationalError

logger = logging.getLogger(__name__)

# After a failure messages are left to the sweeps for this long, instead of waiting for the broker each time.
REST_SECONDS = 5.0
# Extra messages that beat and starting workers may have sent.
OF_BEAT = 7
_rests_until: dict[str, float] = {}


def send(task: Task, key: int | str, **options: Any) -> bool:
    """Send a task with the key of a committed row; returns whether the broker took it. options: of Celery's
    apply_async, such as priority.
    """
    broker = str(task.app.conf.broker_url)
    if time.monotonic() < _rests_until.get(broker, 0.0):
        logger.warning("%s of %s waits for the sweep, as the message before it does", task.name, key)
        return False
    try:
        task.apply_async(args=(key,), **options)
    except (OperationalError, OSError):
        _rests_until[broker] = time.monotonic() + REST_SECONDS
        logger.exception("%s of %s waits for the sweep: the broker did not take it", task.name, key)
        return False
    return True


def messages(task: Task) -> int:
    """How many messages wait in a task's queue, including other tasks'. Raises the broker's errors."""
    queue = task.app.amqp.router.route({}, task.name)["queue"].name
    with task.app.connection_for_write() as broker:
        try:
            channel = broker.default_channel
            return int(channel.queue_declare(queue, passive=True).message_count)  # type: ignore[attr-defined] # every transport
        except ChannelError:  # the queue does not exist yet, or Redis was emptied
            return 0
