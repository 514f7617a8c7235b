"""The bundled sample through the page: the real pipeline answers in the server, at once."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from diligence.celery import app
from tests.browser.test_asking import RUN

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def eager() -> Iterator[None]:
    """Tasks run where they are sent from."""
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


def ask(page: Page, question: str) -> None:
    page.goto("/")
    page.get_by_label("Your question").fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url(RUN)


def test_a_figure_is_answered_with_the_exact_fact_it_came_from(page: Page) -> None:
    ask(page, "What was Apple's R&D spend in FY2024?")
    answer = page.locator("article")
    for words in (
        "$31,370 million",
        "31,370,000,000 US dollars, for the year ended 28 September 2024",
        "us-gaap:ResearchAndDevelopmentExpense",
        "0000320193-24-000123",
    ):
        expect(answer).to_contain_text(words)
    assert "0000320193" in (page.get_by_role("link", name="sec.gov", exact=True).get_attribute("href") or "")
    page.locator("summary", has_text="Source").click()
    page.get_by_role("link", name="Details of this fact").click()
    expect(page.get_by_text("31370000000", exact=True)).to_be_visible()


def test_an_example_is_asked_by_one_press(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="How did Apple's gross margin move in five years?").click()
    page.wait_for_url(RUN)
    expect(page.locator("article")).to_contain_text("46.2%")


def test_two_readings_stand_side_by_side(page: Page) -> None:
    ask(page, "Apple shares outstanding, fiscal 2024")
    expect(page.locator(".reading")).to_have_count(2)
    expect(page.get_by_text("15,115,823,000").first).to_be_visible()
    expect(page.get_by_text("15,116,786,000").first).to_be_visible()


def test_parts_are_shown_under_the_sum(page: Page) -> None:
    ask(page, "Apple total term debt in FY2024")
    for words in ("$96,662", "10,912", "85,750"):
        expect(page.locator("article")).to_contain_text(words)


def test_a_refusal_offers_questions_that_are_answered(page: Page) -> None:
    ask(page, "JPMorgan gross profit in fiscal 2024")
    expect(page.get_by_text("Not meaningful").first).to_be_visible()
    expect(page.locator(".figure__value")).to_have_count(0)
    page.locator(".alts__ask").first.click()
    page.wait_for_url(RUN)
    expect(page.locator(".figure__value").first).to_be_visible()
