"""A limit in a browser: a dialog before everything, and the question still there."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings

from accounts.models import User
from tests.support import answers

pytestmark = pytest.mark.browser


@pytest.fixture
def nothing_left(settings: Settings) -> None:
    settings.PLANS = {"anon": {"unfinished_runs": 1}, "user": {"requests_per_minute": 1}}


def ask_twice(page: Page) -> None:
    for question in ("First", answers.QUESTION):
        page.goto("/")
        page.get_by_label("Your question", exact=True).fill(question)
        page.get_by_role("button", name="Ask", exact=True).click()
        page.wait_for_load_state()


def test_a_visitor_gets_a_dialog_and_goes_on_with_the_question(page: Page, nothing_left: None) -> None:
    ask_twice(page)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("One of your questions is still unanswered")
    expect(page.get_by_role("button", name="Sign in")).to_be_focused()
    assert page.evaluate("document.querySelector('dialog').matches(':modal')")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator(".overlay")).to_be_hidden()
    expect(page.get_by_label("Your question", exact=True)).to_have_value(answers.QUESTION)
    page.reload()
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("E-mail")).to_be_visible()
    assert "next=" in page.url


def test_without_a_script_the_dialog_closes_too(browser: Browser, base_url: str, nothing_left: None) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    page = context.new_page()
    ask_twice(page)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Not now").click()
    expect(page.locator(".overlay")).to_be_hidden()
    expect(page.get_by_label("Your question", exact=True)).to_have_value(answers.QUESTION)
    context.close()


def test_somebody_with_an_account_gets_a_toast(page: Page, signed_in: Callable[[], User], nothing_left: None) -> None:
    ask_twice(page)
    expect(page.get_by_role("alert")).to_contain_text("Your question is kept.")
    expect(page.get_by_label("Your question", exact=True)).to_have_value(answers.QUESTION)
    expect(page.get_by_role("dialog")).to_have_count(0)
