"""Celery's Redis broker, whose workers outlive it."""

import logging
from typing import Any

from kombu.transport import redis

logger = logging.getLogger(__name__)


class QoS(redis.QoS):
    """What of a worker is delivered and not yet acknowledged."""

    def restore_unacked_once(self, stderr: Any = None) -> None:
        """Give messages back as a connection is closed.

        Where Redis is what went away, kombu raises AttributeError here, which Celery takes for the end of the worker.
        Whose messages are lost is queued again by a sweep.
        """
        try:
            super().restore_unacked_once(stderr)
        except Exception:
            logger.warning("Messages could not be given back to the broker", exc_info=True)


class Channel(redis.Channel):
    QoS = QoS


class Transport(redis.Transport):
    Channel = Channel
