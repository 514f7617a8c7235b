"""Questions read into queries against a small list of registrants, without a database."""

from collections.abc import Callable

import pytest

from agent.numbers import registry as registry_file
from agent.query.explain import line
from agent.query.misread import Misread
from agent.state.query import Query
from agent.query.parts import read
from tests.agent.language.conftest import TODAY
from tests.agent.language.held import WIDER

Read = Callable[[str], Query | Misread]
Line = Callable[[str], str]

REGISTRY = registry_file.load()


def query_of(question: str, previous: Query | None = None) -> Query | Misread:
    """What is read of a question."""
    return read(question, WIDER, REGISTRY, TODAY, previous=previous)


def line_of(question: str) -> str:
    """The query of a question in one line: "AAPL | FY2023 | revenue", or the refusal."""
    return line(query_of(question))


@pytest.fixture(scope="session")
def query() -> Read:
    return query_of


@pytest.fixture(scope="session")
def told() -> Line:
    return line_of
