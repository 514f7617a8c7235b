"""The slots that a language model filled: opened by keyboard, one at a time, and asked otherwise with one press."""

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from agent.models import Run
from tests.browser.test_asking import RUN
from tests.browser.test_looks import fits
from tests.support import answers

pytestmark = pytest.mark.browser

OTHER = "Northwind capital expenditure in fiscal 2024"


@pytest.fixture
def run(signed_in: User) -> Run:
    return answers.run_with(answers.read_by_model(answers.number_answer()), signed_in)


def test_a_slot_is_opened_by_keyboard_and_asks_the_other_question(page: Page, run: Run) -> None:
    page.goto(run.get_absolute_url())
    measure = page.locator("summary", has_text="Research and development expense")
    other = page.get_by_role("button", name=f"Capital expenditure ({OTHER})")
    for _ in range(30):
        page.keyboard.press("Tab")
        if measure.evaluate("node => node === document.activeElement"):
            break
    expect(measure).to_be_focused()
    expect(other).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.get_by_text("“put into its labs” was read as")).to_be_visible()
    page.keyboard.press("Tab")
    expect(other).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: bool(RUN.search(url)) and str(run.pk) not in url)
    expect(page.get_by_role("heading", name=OTHER)).to_be_visible()


def test_one_slot_is_open_at_a_time(page: Page, run: Run) -> None:
    page.goto(run.get_absolute_url())
    page.locator("summary", has_text="Research and development expense").click()
    expect(page.get_by_role("button", name=OTHER)).to_be_visible()
    page.locator("summary", has_text="fiscal 2024").first.click()
    expect(page.get_by_role("button", name="Fiscal 2023")).to_be_visible()
    expect(page.get_by_role("button", name=OTHER)).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_open_takes_the_line_below(page: Page, run: Run, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(run.get_absolute_url())
    page.locator("summary", has_text="Research and development expense").click()
    slots, period = page.locator(".slots"), page.locator(".slot > summary", has_text="fiscal 2024").bounding_box()
    form, line = page.locator(".slot__others").first.bounding_box(), slots.bounding_box()
    assert period
    assert form
    assert line
    # The other slots stay above it, and it is as wide as all of them.
    assert form["y"] >= period["y"] + period["height"]
    assert abs(form["width"] - line["width"]) < 2
    assert form["y"] + form["height"] <= line["y"] + line["height"] + 1
    fits(page)


def test_it_works_without_a_script(browser: Browser, base_url: str, page: Page) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    plain = context.new_page()
    # Whoever asks without an account has a cookie.
    plain.goto("/")
    plain.get_by_label("Your question").fill(answers.MODEL_QUESTION)
    plain.get_by_role("button", name="Ask", exact=True).click()
    plain.wait_for_url(RUN)
    answered = answers.run_with(answers.read_by_model(answers.number_answer()))
    Run.objects.filter(pk=plain.url.rsplit("/", 1)[1]).update(
        status=answered.status, outcome=answered.outcome, answer=answered.answer, finished=answered.finished
    )
    plain.reload()
    plain.locator("summary", has_text="Research and development expense").click()
    plain.get_by_role("button", name=OTHER).click()
    expect(plain.get_by_role("heading", name=OTHER)).to_be_visible()
    context.close()
