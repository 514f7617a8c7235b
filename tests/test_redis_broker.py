"""A worker outlives a Redis that goes away with messages in hand."""

from types import SimpleNamespace

import pytest
from kombu import Connection
from redis.exceptions import ConnectionError as Closed

from diligence import redis_broker


def closed(what: str | None) -> redis_broker.Channel:
    """A channel whose connection is closed, as far as the channel or only the transport knows."""
    channel = redis_broker.Channel.__new__(redis_broker.Channel)
    channel.connection = None if what is None else SimpleNamespace(client=None)
    channel._pool = channel._in_poll = channel._in_listen = None
    channel.connection_errors = ()
    return channel


@pytest.mark.parametrize("what", [None, "transport"])
def test_a_task_done_after_the_connection_ends_no_worker(what: str | None) -> None:
    """Celery logs errors of the connection as it acknowledges, and goes on."""
    channel = closed(what)
    qos = redis_broker.QoS(channel)
    with pytest.raises(Closed):
        qos.ack("tag")
    assert issubclass(Closed, Connection("redis://").transport.connection_errors)


def test_messages_that_cannot_be_given_back_end_no_worker(caplog: pytest.LogCaptureFixture) -> None:
    held = redis_broker.QoS(closed(None))
    held._delivered["tag"] = "message"
    held.restore_unacked_once()
    assert "could not be given back" in caplog.text


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
def test_it_is_the_broker_of_every_redis(scheme: str) -> None:
    assert isinstance(Connection(f"{scheme}://127.0.0.1:6379/0").transport, redis_broker.Transport)
