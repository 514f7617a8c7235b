"""Every page at phone width, and in both colour schemes: nothing cut off, nothing unreadable."""

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
    "refusal": answers.refusal_answer,
    "conflict": answers.conflict_answer,
    "meta": answers.meta_answer,
}
OPEN = ("queued", "running", "failed")
ADDRESSES = (
    "/",
    "/history",
    "/method",
    "/companies",
    "/search",
    f"/companies/{320193}",
    "/account",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
    "/nowhere",
)
FOR_VISITORS = ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/history", "/")

# Text whose contrast with what lies behind it is under 4.5 (WCAG 1.4.3), as "text: ratio".
FAINT = """() => {
  const parse = (css) => css.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b]
    .map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const [r, g, b, a = 1] = parse(getComputedStyle(at).backgroundColor);
      if (a > 0) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !node.checkVisibility()) continue;
    const [x, y] = [luminance(parse(getComputedStyle(node).color)), luminance(behind(node))].sort((a, b) => b - a);
    const ratio = (x + 0.05) / (y + 0.05);
    if (ratio < 4.5) faint.push(`${walker.currentNode.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return faint;
}"""


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


@pytest.fixture(params=["light", "dark"])
def phone(page: Page, request: pytest.FixtureRequest) -> Page:
    """A page of 360 pixels in one colour scheme."""
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme=request.param)
    return page


def test_every_state_of_a_run_fits_a_phone_and_can_be_read(phone: Page, signed_in: User) -> None:
    for name in (*ANSWERS, *OPEN):
        phone.goto(make(name, signed_in).get_absolute_url())
        fits(phone)
        assert phone.evaluate(FAINT) == [], name


def test_every_page_fits_a_phone_and_can_be_read(phone: Page, signed_in: User) -> None:
    make("refusal", signed_in)
    make("number", signed_in)
    for address in ADDRESSES:
        phone.goto(address)
        fits(phone)
        assert phone.evaluate(FAINT) == [], address


def test_pages_for_visitors_fit_a_phone_and_can_be_read(phone: Page) -> None:
    for address in FOR_VISITORS:
        phone.goto(address)
        fits(phone)
        assert phone.evaluate(FAINT) == [], address


def test_a_long_question_breaks_where_it_must(phone: Page, signed_in: User) -> None:
    phone.goto(answers.open_run(signed_in, question="incomprehensibilities" * 40).get_absolute_url())
    fits(phone)


def test_dark_is_dark_and_light_is_light(page: Page) -> None:
    seen = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto("/")
        seen.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert seen == ["rgb(246, 246, 243)", "rgb(17, 19, 21)"]


def test_every_control_has_a_name_and_every_page_one_main_heading(page: Page, signed_in: User) -> None:
    states = [make(name, signed_in).get_absolute_url() for name in (*ANSWERS, *OPEN)]
    for address in (*ADDRESSES, *states):
        page.goto(address)
        assert page.locator("h1").count() == 1, address
        assert page.locator("main").count() == 1, address
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, summary")]
            .filter((node) => !(node.textContent.trim() || node.labels?.length || node.ariaLabel))
            .map((node) => node.outerHTML)"""
        )
        assert nameless == [], address
        doubled = page.evaluate(
            """() => { const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
            return ids.filter((id, at) => ids.indexOf(id) !== at) }"""
        )
        assert doubled == [], address
