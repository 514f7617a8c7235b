"""Questions read into queries against a small list of registrants, without a database."""

from collections.abc import Callable

import pytest

from agent.query.explain import line
from agent.query.question import read
from agent.query.words.refused_question import Misread
from agent.state.query import Query
from tests.agent.query.held import REGISTRY, TODAY, WIDER

Read = Callable[[str], Query | Misread]
Line = Callable[[str], str]


def halves_of(question: str, previous: Query | None = None) -> tuple[Query | Misread, ...]:
    """What is read of a question: one element, or two for a question with two halves."""
    return read(question, WIDER, REGISTRY, TODAY, previous=previous)


def query_of(question: str, previous: Query | None = None) -> Query | Misread:
    """What is read of a question that has no halves."""
    (found,) = halves_of(question, previous)
    return found


def before(question: str) -> Query:
    """What a question leaves to the one that goes on from it, where it was refused too."""
    found = query_of(question)
    return found if isinstance(found, Query) else found.query


def line_of(question: str, previous: Query | None = None) -> str:
    """The query of a question in one line: "AAPL | FY2023 | revenue", or the refusal; of halves, " // " between them."""
    return " // ".join(line(half) for half in halves_of(question, previous))


def asks_figures(question: str, previous: Query | None = None) -> bool:
    """Whether anything of a question is answered with a figure, asserted or of the nearest question."""
    return any(isinstance(half, Query) and bool(half.rows) for half in halves_of(question, previous))


def asserts_figures(question: str, previous: Query | None = None) -> bool:
    """Whether anything of a question is answered with a figure that is asserted."""
    halves = halves_of(question, previous)
    return any(isinstance(half, Query) and bool(half.rows) and not half.is_nearest for half in halves)


@pytest.fixture(scope="session")
def query() -> Read:
    return query_of


@pytest.fixture(scope="session")
def told() -> Line:
    return line_of
