"""The box that questions are typed in, in a browser: an editable combobox by keyboard, a plain box without a script."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Locator, Page, Route, expect

from accounts.models import User
from agent.models import Run
from tests.browser.axe import findings
from tests.browser.test_looks import fits
from tests.support import answers
from tests.support.sample import Sample

pytestmark = pytest.mark.browser

RUN = re.compile(r"/runs/[0-9a-f-]{36}$")


def box(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Your question")


def options(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


def marked(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option", selected=True)


def test_a_question_is_limited_by_the_form_below_it(page: Page, sample: Sample) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto("/")
    page.get_by_text("Limit to a company, a kind of document or a period").click()
    page.get_by_label("Company", exact=True).select_option(label="Larkfield (fictional)")
    page.get_by_label("Kind", exact=True).select_option(label="Quarterly report (10-Q)")
    page.get_by_label("Fiscal year").fill("2026")
    fits(page)
    assert findings(page) == []
    box(page).fill("What does it say about Brenova?")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url(RUN)
    limit = "Only in: Larkfield (fictional), Quarterly report (10-Q), fiscal 2026"
    expect(page.get_by_text(limit).first).to_be_visible()


def test_a_question_is_put_together_and_asked_by_keyboard_alone(page: Page, sample: Sample) -> None:
    page.goto("/")
    expect(box(page)).to_be_focused()
    expect(box(page)).to_have_attribute("aria-expanded", "false")
    page.keyboard.type("app")
    expect(options(page).first).to_contain_text("Apple")
    expect(box(page)).to_have_attribute("aria-expanded", "true")
    expect(marked(page)).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(marked(page)).to_contain_text("AAPL, fiscal 2015 to 2025")
    expect(box(page)).to_have_attribute("aria-activedescendant", "question-suggestions-0")
    expect(box(page)).to_have_value("app")
    page.keyboard.press("Enter")
    expect(box(page)).to_have_value("Apple ")
    expect(box(page)).to_have_attribute("aria-expanded", "false")
    page.keyboard.type("gross m")
    expect(options(page).first).to_contain_text("gross profit \u00f7 total revenue")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    expect(box(page)).to_have_value("Apple gross margin ")
    expect(box(page)).to_be_focused()
    page.keyboard.type("FY24")
    expect(options(page)).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert not Run.objects.exists()
    page.keyboard.press("Enter")
    page.wait_for_url(RUN)
    assert Run.objects.get().question == "Apple gross margin FY2024"


def test_enter_without_a_marked_option_asks_what_was_typed(page: Page, sample: Sample) -> None:
    page.goto("/")
    page.keyboard.type("appl")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(RUN)
    assert Run.objects.get().question == "appl"


def test_the_marked_option_goes_round_by_way_of_the_text(page: Page, sample: Sample) -> None:
    page.goto("/")
    page.keyboard.type("gross m")
    expect(options(page)).to_have_count(2)
    page.keyboard.press("ArrowUp")
    expect(marked(page)).to_contain_text("gross profit")
    page.keyboard.press("ArrowDown")
    expect(marked(page)).to_have_count(0)
    expect(box(page)).not_to_have_attribute("aria-activedescendant", re.compile("."))
    page.keyboard.press("ArrowDown")
    expect(marked(page)).to_contain_text("gross margin")


def test_escape_closes_the_list_and_leaves_the_text(page: Page, sample: Sample) -> None:
    page.goto("/")
    page.keyboard.type("app")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(options(page)).to_have_count(0)
    expect(box(page)).to_have_value("app")
    expect(box(page)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(options(page).first).to_be_visible()


def test_how_many_there_are_is_announced_once_and_politely(page: Page, sample: Sample) -> None:
    page.goto("/")
    said = page.locator(".ask [role=status]")
    page.keyboard.type("Apple gross m")
    expect(said).to_have_text("2 suggestions")
    page.keyboard.type("z")
    expect(said).to_have_text("")


def test_an_option_is_chosen_by_mouse_in_the_midst_of_a_text(page: Page, sample: Sample) -> None:
    page.goto("/")
    page.keyboard.type("\U0001f600 micr revenue")
    # The list of the last word is there, so that nothing is under way when the next one is asked for.
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Home")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect(options(page)).to_have_count(0)
    page.keyboard.press("ArrowDown")
    options(page).first.click()
    expect(box(page)).to_have_value("\U0001f600 Microsoft revenue")
    expect(box(page)).to_be_focused()
    assert box(page).evaluate("node => node.selectionStart") == len("xx Microsoft")


def test_letters_typed_before_the_list_has_followed_are_part_of_the_word(page: Page, sample: Sample) -> None:
    page.goto("/")
    page.keyboard.type("What was app")
    expect(options(page).first).to_be_visible()
    page.route("**/suggest*", lambda route: None)
    page.keyboard.type("l")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(box(page)).to_have_value("What was Apple ")


def test_the_newest_text_is_what_is_completed(page: Page, sample: Sample) -> None:
    page.goto("/")
    held: list[Route] = []
    page.route("**/suggest?q=app&*", lambda route: held.append(route))
    page.keyboard.type("app")
    page.wait_for_timeout(400)
    assert len(held) == 1
    box(page).fill("micros")
    expect(options(page)).to_contain_text(["Microsoft"])
    page.wait_for_timeout(100)
    expect(options(page)).to_contain_text(["Microsoft"])


@pytest.mark.parametrize("status", [404, 422])
def test_it_is_a_plain_box_where_the_server_does_not_answer(page: Page, sample: Sample, status: int) -> None:
    page.goto("/")
    page.route("**/suggest*", lambda route: route.fulfill(status=status, body="No"))
    page.keyboard.type("app")
    page.wait_for_timeout(400)
    expect(options(page)).to_have_count(0)
    expect(page.locator("#connection")).to_be_hidden()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(RUN)
    assert Run.objects.get().question == "app"


def test_without_a_script_it_is_a_plain_box(browser: Browser, base_url: str, page: Page, signed_in: User) -> None:
    run = answers.run_with(answers.number_answer(), signed_in)
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    try:
        context.add_cookies([one for one in page.context.cookies() if one["name"] == "sessionid"])
        plain = context.new_page()
        plain.goto(f"/?q=and+in+FY2023%3F&continues={run.pk}")
        expect(plain.get_by_role("combobox")).to_have_count(0)
        expect(plain.get_by_text("to search from any page")).to_be_hidden()
        plain.get_by_role("link", name="Ask on its own, not about Northwind").click()
        field = plain.get_by_role("textbox", name="Your question")
        expect(field).to_have_value("and in FY2023?")
        expect(plain.get_by_text("about Northwind")).to_have_count(0)
        field.press("Enter")
        plain.wait_for_url(RUN)
        assert Run.objects.get(question="and in FY2023?").continues is None
    finally:
        context.close()


def test_a_slash_leads_to_the_box_but_not_from_where_something_is_typed(page: Page, signed_in: User) -> None:
    page.goto(answers.run_with(answers.number_answer(), signed_in).get_absolute_url())
    header = page.get_by_role("combobox", name="Ask a question about a US public company")
    page.keyboard.press("Control+/")
    expect(header).not_to_be_focused()
    page.keyboard.press("/")
    expect(header).to_be_focused()
    expect(header).to_have_value("")
    page.keyboard.type("1/2")
    expect(header).to_have_value("1/2")
    page.get_by_text("Note, feedback, delete").click()
    note = page.get_by_label("Note")
    note.focus()
    page.keyboard.type("a/b")
    expect(note).to_have_value("a/b")
    page.goto("/history")
    page.get_by_label("Order").focus()
    page.keyboard.press("/")
    expect(page.get_by_label("Order")).to_be_focused()


def test_the_slash_can_be_turned_off_and_on(page: Page, sample: Sample) -> None:
    header = page.get_by_role("combobox", name="Ask a question about a US public company")
    page.goto("/")
    page.get_by_role("button", name="Turn this off").click()
    page.goto("/method")
    page.keyboard.press("/")
    expect(header).not_to_be_focused()
    page.goto("/")
    page.get_by_role("button", name="Turn this on").click()
    page.goto("/method")
    page.keyboard.press("/")
    expect(header).to_be_focused()


def test_what_a_question_goes_on_from_is_let_go_in_place(page: Page, signed_in: User) -> None:
    run = answers.run_with(answers.number_answer(), signed_in)
    page.goto(run.get_absolute_url())
    below = page.get_by_role("combobox", name="Ask a follow-up")
    expect(page.get_by_role("link", name="Northwind, fiscal 2024", exact=True)).to_be_visible()
    below.fill("Apple revenue in fiscal 2024")
    page.get_by_role("link", name="Ask on its own, not about Northwind").press("Enter")
    expect(page.get_by_role("link", name="Northwind, fiscal 2024", exact=True)).to_have_count(0)
    expect(below).to_be_focused()
    expect(below).to_have_value("Apple revenue in fiscal 2024")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Apple revenue in fiscal 2024")).to_be_visible()
    assert Run.objects.get(question="Apple revenue in fiscal 2024").continues is None


@pytest.mark.parametrize("width", [1280, 360, 320])
@pytest.mark.parametrize("address", ["/", "/history", "company"])
def test_the_open_list_fits_and_has_no_grave_finding(page: Page, sample: Sample, width: int, address: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(reverse("company", args=[sample["AAPL"].cik]) if address == "company" else address)
    field = page.get_by_role("combobox").last
    field.focus()
    field.press("End")
    page.keyboard.type("net")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    fits(page)
    for option in options(page).all():
        place = option.bounding_box()
        assert place is not None
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= width
        assert place["height"] >= 24
    if width == 1280:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert findings(page) == []
