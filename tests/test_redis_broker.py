"""A worker outlives a Redis that goes away with messages in hand."""

import pytest
from kombu import Connection

from diligence import redis_broker


class Away:
    """A channel whose connection is closed."""

    do_restore = True

    def conn_or_acquire(self, client: object = None) -> object:
        raise AttributeError("'NoneType' object has no attribute 'hostname'")


def test_messages_that_cannot_be_given_back_end_no_worker(caplog: pytest.LogCaptureFixture) -> None:
    held = redis_broker.QoS(Away())
    held._delivered["tag"] = "message"
    held.restore_unacked_once()
    assert "could not be given back" in caplog.text


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
def test_it_is_the_broker_of_every_redis(scheme: str) -> None:
    assert isinstance(Connection(f"{scheme}://127.0.0.1:6379/0").transport, redis_broker.Transport)
