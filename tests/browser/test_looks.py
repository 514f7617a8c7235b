"""States of a run to look at, a question that is too long for a phone, and two colour schemes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from accounts.models import User
from agent.models import Run
from agent.state import Answer
from tests.support import answers

pytestmark = pytest.mark.browser

ANSWERS: dict[str, Callable[[], Answer]] = {
    "number": answers.number_answer,
    "derived": answers.derived_answer,
    "breakdown": answers.breakdown_answer,
    "readings": answers.readings_answer,
    "read by a model": lambda: answers.read_by_model(answers.number_answer()),
    "refusal": answers.refusal_answer,
    "conflict": answers.conflict_answer,
    "meta": answers.meta_answer,
}
OPEN = ("queued", "running", "failed")


def make(name: str, user: User) -> Run:
    if name in ANSWERS:
        return answers.run_with(ANSWERS[name](), user)
    if name == "queued":
        return answers.open_run(user, status=Run.Status.QUEUED, attempt=0)
    if name == "failed":
        return answers.open_run(user, status=Run.Status.FAILED, outcome=Run.Outcome.ERROR)
    run = answers.open_run(user)
    answers.add_step(run, 1, "plan")
    return run


def fits(page: Page) -> None:
    """Nothing sticks out sideways, folded parts included."""
    for fold in page.locator("details").all():
        fold.evaluate("node => { node.open = true }")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth"), page.url


def test_a_long_question_breaks_where_it_must(page: Page, signed_in: User) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(answers.open_run(signed_in, question="incomprehensibilities" * 40).get_absolute_url())
    fits(page)


def test_dark_is_dark_and_light_is_light(page: Page) -> None:
    seen = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto("/")
        seen.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert seen == ["rgb(246, 246, 243)", "rgb(17, 19, 21)"]
