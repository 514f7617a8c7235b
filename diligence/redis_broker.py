"""Celery's Redis broker, whose workers outlive it."""

import logging
from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as Closed

logger = logging.getLogger(__name__)


class QoS(redis.QoS):
    """What of a worker is delivered and not yet acknowledged."""

    def restore_unacked_once(self, stderr: Any = None) -> None:
        """Give messages back as a connection is closed.

        Where Redis is what went away this fails, which Celery takes for the end of the worker.
        Whose messages are lost is queued again by a sweep.
        """
        try:
            super().restore_unacked_once(stderr)
        except Exception:
            logger.warning("Messages could not be given back to the broker", exc_info=True)


class Channel(redis.Channel):
    QoS = QoS

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        """How to connect.

        Raises Closed, which Celery outlives, once the connection is closed: kombu's AttributeError ends the worker,
        as when a task that was done meanwhile is acknowledged.
        """
        if self.connection is None or self.connection.client is None:
            raise Closed("The connection to the broker is closed.")
        parameters: dict[str, Any] = super()._connparams(asynchronous)
        return parameters


class Transport(redis.Transport):
    Channel = Channel
