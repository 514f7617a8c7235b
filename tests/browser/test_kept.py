"""What people keep of an answer, in a browser: stars, notes, links, feedback, and going on from it."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from agent.models import Feedback, Run, Share
from tests.support import answers

pytestmark = pytest.mark.browser


@pytest.fixture
def run(signed_in: User) -> Run:
    return answers.run_with(answers.number_answer(), signed_in)


@pytest.fixture
def opened(page: Page, run: Run) -> Page:
    page.goto(run.get_absolute_url())
    return page


def test_a_star_is_put_by_keyboard_and_keeps_the_focus(page: Page, run: Run) -> None:
    page.goto("/history")
    star = page.get_by_role("button", name=re.compile("Star: "))
    star.focus()
    page.keyboard.press("Enter")
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(star).to_be_focused()
    page.get_by_label("Starred only").check()
    expect(page).to_have_url(re.compile("starred=1"))
    expect(page.locator(".run")).to_have_count(1)
    star.click()
    expect(star).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(page.get_by_text("No answers match")).to_be_visible()


def test_the_list_is_grouped_without_a_button(page: Page, run: Run) -> None:
    page.goto("/history")
    page.get_by_label("Order").select_option("By company")
    expect(page.get_by_role("heading", name="Northwind Instruments 1 answer")).to_be_visible()


def test_a_link_is_made_opened_by_somebody_else_and_revoked(
    opened: Page, context: BrowserContext, run: Run, base_url: str
) -> None:
    opened.get_by_role("button", name="Create a read-only link").click()
    field = opened.get_by_label("Read-only link")
    expect(field).to_have_value(re.compile(f"^{re.escape(base_url)}/s/"))
    link = field.input_value()
    other = context.browser.new_context()
    try:
        reader = other.new_page()
        reader.goto(link)
        expect(reader.get_by_text("This is a shared, read-only answer.")).to_be_visible()
        expect(reader.get_by_text("$9.412", exact=False).first).to_be_visible()
        expect(reader.get_by_role("button", name="Delete")).to_have_count(0)
        opened.get_by_role("button", name="Revoke link").click()
        expect(opened.get_by_role("button", name="Create a read-only link")).to_be_focused()
        assert reader.goto(link).status == 404
    finally:
        other.close()
    assert not Share.objects.exists()


def test_a_note_and_feedback_are_sent_without_leaving_the_answer(opened: Page, run: Run) -> None:
    opened.get_by_text("Note, feedback, delete").click()
    opened.get_by_label("Note").fill("Ask the auditors")
    opened.get_by_role("button", name="Save note").click()
    expect(opened.get_by_text("Saved", exact=True)).to_be_visible()
    opened.get_by_label("No, or only in part").check()
    opened.get_by_label("Comment").fill("It is the segment's")
    opened.get_by_role("button", name="Send for review").click()
    expect(opened.get_by_text("Your feedback is in the review queue.")).to_be_visible()
    run.refresh_from_db()
    assert run.note == "Ask the auditors"
    assert Feedback.objects.get().comment == "It is the segment's"


def test_enter_goes_on_from_an_answer(opened: Page, run: Run) -> None:
    opened.get_by_label("Ask a follow-up").fill("and in FY2023?")
    opened.keyboard.press("Enter")
    expect(opened.get_by_text("Continues a previous question.")).to_be_visible()
    assert Run.objects.get(continues=run).question == "and in FY2023?"


def test_it_all_works_without_a_script(context: BrowserContext, run: Run, page: Page, base_url: str) -> None:
    plain = context.browser.new_context(java_script_enabled=False)
    try:
        plain.add_cookies([cookie for cookie in context.cookies() if cookie["name"] == "sessionid"])
        reader = plain.new_page()
        reader.goto(f"{base_url}{run.get_absolute_url()}")
        reader.get_by_role("button", name="Create a read-only link").click()
        expect(reader.get_by_label("Read-only link")).to_be_visible()
        reader.get_by_role("button", name="Star", exact=True).click()
        expect(reader.get_by_role("button", name="Starred", exact=True)).to_be_visible()
        reader.get_by_text("Note, feedback, delete").click()
        reader.get_by_label("Yes").check()
        reader.get_by_role("button", name="Send for review").click()
        expect(reader.get_by_text("You sent this for review.")).to_be_visible()
    finally:
        plain.close()
