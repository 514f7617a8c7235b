"""Asking in a browser: from the form to the answer, with and without a script, by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from accounts.models import User
from agent.models import Run
from tests.browser.conftest import Worker
from tests.support import answers

pytestmark = pytest.mark.browser

RUN = re.compile(r"/runs/[0-9a-f-]{36}$")


def ask(page: Page, question: str = answers.QUESTION) -> Run:
    """Ask on the ask page and arrive at the run."""
    page.goto("/")
    page.get_by_label("Your question").fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url(RUN)
    return Run.objects.get(pk=page.url.rsplit("/", 1)[1])


def test_steps_appear_as_they_happen_and_the_answer_takes_their_place(page: Page, worker: Worker) -> None:
    run = ask(page)
    status = page.locator("#run-status")
    expect(page.get_by_role("heading", name="Working…")).to_be_visible()
    expect(status).to_have_text("Working…")
    worker.claim(run)
    expect(page.get_by_text("Step 1 of 6,")).to_be_visible()
    worker.step(run, 1, "plan")
    worker.step(run, 2, "fetch")
    expect(page.get_by_text("What fetch found.")).to_be_visible()
    expect(status).to_have_text("Step 3 of 6: Locate.")
    expect(page.locator("#run")).to_have_attribute("aria-busy", "true")
    worker.finish(run, answers.number_answer())
    expect(page.get_by_text("$9.412 million").first).to_be_visible()
    expect(status).to_have_text("Answered: $9.412 million.")
    expect(page.locator("#run")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#run")).to_have_count(1)


def test_polling_ends_with_the_answer(page: Page, worker: Worker) -> None:
    run = ask(page)
    worker.finish(run, answers.number_answer())
    expect(page.get_by_text("$9.412 million").first).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(1600)
    assert asked == []


def test_the_live_region_is_the_same_node_throughout(page: Page, worker: Worker) -> None:
    run = ask(page)
    region = page.locator("#run-status").element_handle()
    worker.finish(run, answers.number_answer())
    expect(page.get_by_text("$9.412 million").first).to_be_visible()
    assert region.evaluate("node => node.isConnected && node.textContent") == "Answered: $9.412 million."


def test_focus_stays_where_it_is_while_the_answer_arrives(page: Page, worker: Worker) -> None:
    run = ask(page)
    box = page.get_by_label("Ask a question about a US public company")
    box.focus()
    box.type("next")
    worker.finish(run, answers.number_answer())
    expect(page.get_by_text("$9.412 million").first).to_be_visible()
    expect(box).to_be_focused()
    expect(box).to_have_value("next")


def test_back_leads_to_the_form_and_forward_to_the_answer(page: Page, worker: Worker) -> None:
    run = ask(page)
    worker.finish(run, answers.number_answer())
    expect(page.get_by_text("$9.412 million").first).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Your question")).to_be_visible()
    page.go_forward()
    expect(page.get_by_text("$9.412 million").first).to_be_visible()
    assert Run.objects.count() == 1


def test_a_second_press_asks_once(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Your question").fill(answers.QUESTION)
    place, sent = page.get_by_role("button", name="Ask", exact=True).bounding_box(), list[Route]()
    assert place is not None
    # Held, as by a slow server: the second press finds the page as it was.
    page.route(lambda url: url.endswith("/ask"), lambda route: sent.append(route))
    with page.expect_request(lambda request: request.method == "POST"):
        page.mouse.click(place["x"] + 5, place["y"] + 5)
    page.mouse.click(place["x"] + 5, place["y"] + 5)
    page.wait_for_timeout(300)
    assert len(sent) == 1
    sent[0].continue_()
    page.wait_for_url(RUN)
    assert Run.objects.count() == 1


def test_a_form_can_be_sent_again_after_going_back(page: Page) -> None:
    ask(page)
    page.go_back()
    page.get_by_label("Your question").fill("Northwind revenue 2024")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url(RUN)
    expect(page.get_by_role("heading", name="Northwind revenue 2024")).to_be_visible()


def test_too_long_a_question_stays_in_the_form(page: Page, settings) -> None:
    settings.QUESTION_MAX_LENGTH = 10
    page.goto("/")
    box = page.get_by_label("Your question")
    box.fill("longer than ten")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator("#question-error")).to_have_text("The question has 15 characters. The limit is 10.")
    expect(page.get_by_role("alert")).to_contain_text("Your question is kept.")
    expect(box).to_have_value("longer than ten")
    expect(box).to_have_attribute("aria-invalid", "true")


def test_it_works_without_a_script(browser: Browser, base_url: str, page: Page, worker: Worker) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    plain = context.new_page()
    run = ask(plain)
    worker.finish(run, answers.refusal_answer())
    plain.get_by_role("link", name="Check for the answer").click()
    plain.get_by_role("heading", name="What was looked for").click()
    expect(plain.get_by_text("Measure not reported").first).to_be_visible()
    plain.get_by_role("button", name="Northwind revenue in fiscal 2024").click()
    plain.wait_for_url(RUN)
    assert Run.objects.count() == 2
    context.close()


def test_it_can_be_used_by_keyboard_alone(page: Page, worker: Worker) -> None:
    page.goto("/method")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.goto("/")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type(answers.QUESTION)
    page.keyboard.press("Enter")
    page.wait_for_url(RUN)
    run = Run.objects.get()
    worker.finish(run, answers.refusal_answer())
    alternative = page.get_by_role("button", name="Northwind revenue in fiscal 2024")
    expect(alternative).to_be_visible()
    for _ in range(20):
        page.keyboard.press("Tab")
        if alternative.evaluate("node => node === document.activeElement"):
            break
    expect(alternative).to_be_focused()
    assert alternative.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Northwind revenue in fiscal 2024")).to_be_visible()


def test_a_run_deleted_elsewhere_ends_on_the_page_that_says_so(page: Page) -> None:
    run = ask(page)
    run.delete()
    expect(page.get_by_role("heading", name="There is no page at this address")).to_be_visible()


def test_a_lost_connection_is_said_and_taken_up_again(page: Page, context, worker: Worker) -> None:
    run = ask(page)
    note = page.get_by_text("This page cannot reach Diligence right now.")
    expect(note).to_be_hidden()
    page.route("**/progress*", lambda route: route.fulfill(status=404))
    expect(note).to_be_visible()
    page.unroute("**/progress*")
    expect(note).to_be_hidden()
    worker.finish(run, answers.number_answer())
    expect(page.get_by_text("$9.412 million").first).to_be_visible()


def test_the_figure_is_copied_with_its_source(page: Page, context, signed_in: User) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(answers.run_with(answers.number_answer(), signed_in).get_absolute_url())
    page.get_by_role("button", name="Copy with source").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith("10-K 9999988801-25-000010, filed 20 Feb 2025.")


def test_an_answer_is_deleted_in_two_steps(page: Page, signed_in: User) -> None:
    page.goto(answers.run_with(answers.number_answer(), signed_in).get_absolute_url())
    button = page.get_by_role("button", name="Delete this answer")
    expect(button).to_be_hidden()
    page.get_by_text("Note, feedback, delete").click()
    button.click()
    expect(page.get_by_text("The answer has been deleted.")).to_be_visible()
    assert not Run.objects.exists()
