"""The page of a new question waits a moment for the answer, and shows steps only of what takes longer."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import now
from pytest_django import Settings

from accounts.models import User
from agent import tasks
from agent.models import Run
from agent.web import waiting
from agent.web.pages import progress
from tests.support import answers
from tests.support.clock import Clock
from tests.support.sample import Sample


@pytest.fixture(autouse=True)
def patient(settings: Settings) -> None:
    settings.PAGE_WAIT_SECONDS = 60


def page(client: Client, run: Run) -> str:
    return client.get(run.get_absolute_url()).content.decode()


def test_it_comes_with_an_answer_that_is_quick(
    as_alice: Client, alice: User, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run.objects.create(user=alice, question="Apple revenue in fiscal 2024")
    monkeypatch.setattr(waiting, "time", Clock(lambda seconds: tasks.answer(str(run.pk))))
    shown = page(as_alice, run)
    assert "391,035" in shown
    assert "hx-trigger" not in shown


def test_it_does_not_wait_for_long(as_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(waiting, "time", Clock(slept.append))
    assert 'aria-busy="true"' in page(as_alice, answers.open_run(alice))
    assert 1 < sum(slept) <= 60


def test_it_does_not_wait_for_an_older_question(
    as_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "time", Clock(lambda seconds: pytest.fail("waited")))
    older = answers.open_run(alice, created=now() - timedelta(seconds=60))
    assert 'aria-busy="true"' in page(as_alice, older)
    assert "Waiting" not in page(as_alice, older)


@pytest.fixture
def after(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[[Run, float], None]:
    """Have so many seconds passed since a question."""
    settings.PAGE_WAIT_SECONDS = 0
    return lambda run, seconds: monkeypatch.setattr(progress, "now", lambda: run.created + timedelta(seconds=seconds))


@pytest.mark.parametrize(("seconds", "late"), [(0.1, " late"), (0.5, " late late--half"), (0.8, "")])
def test_steps_wait_until_it_takes_long(
    as_alice: Client, alice: User, after: Callable[[Run, float], None], seconds: float, late: str
) -> None:
    run = answers.open_run(alice)
    after(run, seconds)
    assert f'class="card card--text{late}"' in page(as_alice, run)


@pytest.mark.parametrize(("seconds", "every"), [(0.5, "200ms"), (2, "700ms")])
def test_it_is_looked_at_often_in_the_first_second(
    as_alice: Client, alice: User, after: Callable[[Run, float], None], seconds: float, every: str
) -> None:
    run = answers.open_run(alice)
    after(run, seconds)
    assert f"every {every}" in page(as_alice, run)
