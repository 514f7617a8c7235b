"""A scripted model, and a process in which no endpoint has failed yet."""

from collections.abc import Iterator

import pytest

from agent.programs import breaker, endpoint
from tests.support.model_server import LocalModel


@pytest.fixture
def model() -> Iterator[LocalModel]:
    with LocalModel() as server:
        yield server


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    breaker.forget()
    yield
    endpoint.close()
