"""Programs that call the API, and a worker that answers what they ask."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts import tokens
from accounts.models import User
from agent import tasks
from agent.models import Run
from agent.web import waiting
from tests.support.clock import Clock


def program(user: User, *scopes: str) -> Client:
    """A program with a token of an account."""
    _, text = tokens.issue(user, "A program", scopes or ("ask", "read"))
    return Client(headers={"Authorization": f"Bearer {text}"})


@pytest.fixture
def alices(alice: User) -> Client:
    return program(alice)


@pytest.fixture
def bobs(bob: User) -> Client:
    return program(bob)


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Answers what is queued; while the worker is at work, also when a request waits for an answer."""

    def work(seconds: float = 0) -> None:
        for pk in Run.objects.filter(status=Run.Status.QUEUED).values_list("pk", flat=True):
            tasks.answer(str(pk))

    monkeypatch.setattr(waiting, "time", Clock(work))
    return work
