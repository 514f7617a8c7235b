"""A run with a model in a browser: its rounds as they happen, then the answer with the trail folded below it."""

import re
import threading
from collections.abc import Iterator

import pytest
from django.db import connection
from playwright.sync_api import Page, expect
from pytest_django import Settings

from agent import tasks
from agent.models import Run
from agent.programs import breaker, endpoint
from agent.runs import lifecycle
from agent.runs.heartbeat import Heartbeat
from tests.browser.test_asking import RUN
from tests.support.model_behaviours import good
from tests.support.model_replies import Asked, Reply
from tests.support.model_server import LocalModel

pytestmark = pytest.mark.browser

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"
WAIT = 20.0


class Held:
    """A draft that is given once the test lets go of it."""

    def __init__(self) -> None:
        self.asked, self.free = threading.Event(), threading.Event()

    def __call__(self, asked: Asked) -> Reply:
        self.asked.set()
        self.free.wait(WAIT)
        return good(asked)


@pytest.fixture
def held(settings: Settings) -> Iterator[Held]:
    """A model whose drafts are held."""
    breaker.forget()
    draft = Held()
    with LocalModel() as server:
        for name, value in server.settings().items():
            setattr(settings, name, value)
        settings.DRAFT_MODEL_TIMEOUT = WAIT
        server.always(draft, program="draft")
        yield draft
        draft.free.set()
    endpoint.close()
    breaker.forget()


def work(run: Run) -> threading.Thread:
    """A worker beside the test."""

    def answer() -> None:
        try:
            tasks.answer(str(run.pk))
        finally:
            connection.close()

    thread = threading.Thread(target=answer)
    thread.start()
    return thread


def test_rounds_are_told_while_they_happen_and_fold_when_the_answer_is_there(
    page: Page, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "Heartbeat", lambda *told: Heartbeat(*told, every=0.05))
    page.goto("/")
    page.get_by_label("Mode").select_option("Direct")
    page.get_by_label("Your question").fill(SUPPLY)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url(RUN)
    run = Run.objects.get()
    thread = work(run)
    assert held.asked.wait(WAIT)

    # While the draft is waited for: the round, what is under way, and one sentence for who cannot see it.
    expect(page.get_by_role("heading", name="Round 1 of at most 2")).to_be_visible()
    expect(page.get_by_text("The question asks what the filing says of this subject.")).to_be_visible()
    expect(page.locator(".step--now")).to_contain_text("Draft")
    expect(page.locator("#run-status")).to_have_text("Round 1 of at most 2: Draft.")
    run.refresh_from_db()
    silent = run.heartbeat
    for _ in range(200):
        run.refresh_from_db()
        if run.heartbeat != silent:
            break
        page.wait_for_timeout(50)
    assert run.heartbeat != silent

    held.free.set()
    expect(page.get_by_text("sentences quoted").first).to_be_visible()
    expect(page.locator("#run-status")).to_have_text(re.compile(r"^Answered: \d+ of \d+ sentences quoted\.$"))
    thread.join(WAIT)
    trail = page.get_by_role("heading", name="Round 1 of at most 2")
    expect(trail).to_be_hidden()
    page.get_by_role("heading", name="How this was answered").click()
    expect(trail).to_be_visible()
    expect(page.get_by_text("It is good enough for its mode.")).to_be_visible()
    assert run.steps.filter(event="result").exists()
