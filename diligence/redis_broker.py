"""Celery's Redis broker, with workers that survive its outages."""

import logging
from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as Closed

logger = logging.getLogger(__name__)


class QoS(redis.QoS):
    """A worker's delivered and unacknowledged messages."""

    def restore_unacked_once(self, stderr: Any = None) -> None:
        """Return messages as a connection closes.

        This fails where Redis itself went away, which would stop the worker. A sweep queues lost messages again.
        """
        try:
            super().restore_unacked_once(stderr)
        except Exception:
            logger.warning("Messages could not be given back to the broker", exc_info=True)


class Channel(redis.Channel):
    QoS = QoS

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        """Connection parameters.

        Raises Closed, which Celery survives, once the connection is closed: kombu's AttributeError would stop the
        worker, for example when acknowledging a task done meanwhile.
        """
        if self.connection is None or self.connection.client is None:
            raise Closed("The connection to the broker is closed.")
        parameters: dict[str, Any] = super()._connparams(asynchronous)
        return parameters


class Transport(redis.Transport):
    Channel = Channel
