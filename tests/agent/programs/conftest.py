"""Scripted models, pauses that are not made, and a process in which no endpoint has failed yet."""

from collections.abc import Iterator

import pytest

from agent.programs import breaker, calls, endpoint, reading_cache
from tests.support.model_server import LocalModel


@pytest.fixture
def model() -> Iterator[LocalModel]:
    with LocalModel() as server:
        yield server


@pytest.fixture
def other() -> Iterator[LocalModel]:
    with LocalModel() as server:
        yield server


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made, without making them."""
    pauses: list[float] = []
    monkeypatch.setattr(calls.time, "sleep", pauses.append)
    return pauses


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    breaker.forget()
    reading_cache.forget()
    yield
    endpoint.close()
