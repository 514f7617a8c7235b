"""History in a browser: search while typing, select, delete."""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from agent.models import Run
from tests.support import answers

pytestmark = pytest.mark.browser


@pytest.fixture
def history(page: Page, signed_in: User) -> Page:
    answers.run_with(answers.number_answer(), signed_in)
    answers.run_with(answers.refusal_answer(), signed_in)
    page.goto("/history")
    return page


def test_the_list_narrows_while_typing_and_the_focus_stays(history: Page) -> None:
    box = history.get_by_label("Search questions, answers and notes")
    box.press_sequentially("advertising")
    expect(history.locator(".run")).to_have_count(1)
    expect(box).to_be_focused()
    expect(history).to_have_url(re.compile(r"q=advertising"))
    history.reload()
    expect(history.locator(".run")).to_have_count(1)
    expect(box).to_have_value("advertising")


def test_an_outcome_is_chosen_without_a_button(history: Page) -> None:
    history.get_by_label("Outcome").select_option("Answered")
    expect(history.locator(".run")).to_have_count(1)
    expect(history.get_by_text("$9.412 million")).to_be_visible()


def test_back_from_a_search_shows_the_whole_page(history: Page) -> None:
    history.get_by_label("Search questions, answers and notes").press_sequentially("advertising")
    expect(history.locator(".run")).to_have_count(1)
    history.locator(".run a").click()
    expect(history.get_by_text("Not answered").first).to_be_visible()
    history.go_back()
    expect(history.get_by_role("heading", name="History")).to_be_visible()
    expect(history.locator(".run")).to_have_count(1)
    expect(history.get_by_label("Search questions, answers and notes")).to_have_value("advertising")


def test_what_a_search_found_can_be_selected_and_deleted(history: Page) -> None:
    history.get_by_label("Search questions, answers and notes").press_sequentially("advertising")
    expect(history.locator(".run")).to_have_count(1)
    history.get_by_label(re.compile("Select: ")).check()
    history.get_by_role("button", name="Delete selected").click()
    expect(history.get_by_text("1 answer deleted.")).to_be_visible()
    assert Run.objects.get().outcome == "answered"
