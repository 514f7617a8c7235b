"""Reading in a browser: from a citation to its passage and on to the next, with and without a script or a mouse."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from agent.models import Run
from filings.models import SearchRequest, Section
from tests.browser.axe import check
from tests.browser.test_looks import fits
from tests.filings.test_search_pages import result
from tests.support import answers, prose_answers
from tests.support.holdings import northwind
from tests.support.texts import COSTS, STOPPED, SUPPLIER, Text, section, ten_k

pytestmark = pytest.mark.browser


@pytest.fixture
def sections(page: Page) -> dict[str, Section]:
    """A filing whose Item 1A is several screens long before the passages."""
    filing = northwind().filings.get(fiscal_year=2025)
    sections = ten_k(filing)
    text = Text().page(13, "13").heading("Item 1A. Risk Factors", 1)
    for number in range(60):
        text.paragraph(f"Paragraph {number} says at some length what could go wrong and did not go wrong so far. " * 3)
    text.page(14, "14").paragraph(f"A single supplier. {SUPPLIER} {STOPPED}")
    for number in range(30):
        text.paragraph(f"Paragraph {number} after the passages. " * 5)
    sections["1A"].delete()
    return {**sections, "1A": section(filing, 2, "1A", text)}


@pytest.fixture
def run(sections: dict[str, Section], signed_in: User) -> Run:
    risks = sections["1A"]
    claims = (
        prose_answers.claim(risks, SUPPLIER),
        prose_answers.claim(risks, STOPPED),
        prose_answers.claim(sections["7"], COSTS, query=1),
    )
    asked = prose_answers.target(1, "supply risks", "effect on costs")
    return answers.run_with(prose_answers.answer(prose_answers.block(*claims), targets=(asked,)), signed_in)


def in_view(page: Page, selector: str) -> bool:
    """Whether the whole element lies in the window, below what sticks to its top, once the page has moved to it."""
    element = page.locator(selector)
    expect(element).to_be_in_viewport(ratio=1)
    return bool(
        element.evaluate(
            """(node) => {
              const nav = document.querySelector(".cite-nav")?.getBoundingClientRect();
              return node.getBoundingClientRect().top >= (nav ? nav.bottom : 0);
            }"""
        )
    )


def background(page: Page, selector: str) -> str:
    return str(page.evaluate("(s) => getComputedStyle(document.querySelector(s)).backgroundColor", selector))


@pytest.mark.parametrize("width", [1280, 360])
def test_a_click_on_a_citation_shows_its_passage_highlighted(page: Page, run: Run, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(run.get_absolute_url())
    page.get_by_role("link", name="[10K2]").click()
    expect(page.locator("#c2")).to_have_text(STOPPED)
    expect(page.locator("#c2")).to_have_attribute("aria-current", "true")
    assert in_view(page, "#c2")
    assert background(page, "#c2") != background(page, "#c1") != background(page, ".filing-text p")
    expect(page.locator(".cite-nav")).to_contain_text("Citation 2 of 3, page 14")


def test_previous_and_next_lead_through_all_citations_and_sections(page: Page, run: Run) -> None:
    page.goto(run.get_absolute_url())
    page.get_by_role("link", name="[10K1]").click()
    expect(page.get_by_role("link", name="Previous")).to_have_count(0)
    page.get_by_role("link", name="Next").click()
    expect(page.locator("#c2.passage--now")).to_be_visible()
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Item 7. Management's Discussion and Analysis")
    assert in_view(page, "#c3")
    expect(page.get_by_role("link", name="Next")).to_have_count(0)
    page.get_by_role("link", name="Previous").click()
    assert in_view(page, "#c2")
    page.get_by_role("link", name="Back to the answer").click()
    expect(page.get_by_text("In the filing's own words")).to_be_visible()


def test_the_keyboard_is_enough(page: Page, run: Run) -> None:
    page.goto(run.get_absolute_url())
    page.get_by_role("link", name="[10K1]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#c1.passage--now")).to_be_in_viewport(ratio=1)
    # The fragment moves the starting point of Tab to the passage: the next stop is the next citation's number.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Citation 2"
    page.keyboard.press("Enter")
    expect(page.locator("#c2.passage--now")).to_be_visible()


def test_a_wide_table_can_be_scrolled_by_keyboard(page: Page, sections: dict[str, Section]) -> None:
    filing = sections["1A"].filing
    wide = Text().table(("Component", *(f"Column number {n}" for n in range(14))), ("Glass", *["1,234,567"] * 14))
    section(filing, 90, "", wide)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/filings/{filing.accession}/p90")
    region = page.get_by_role("region", name="Table 1")
    region.focus()
    # The policy forbids a page's own eval, which Playwright's waiting for a function needs.
    for _ in range(50):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(100)
        if region.evaluate("element => element.scrollLeft") > 0:
            break
    assert region.evaluate("element => element.scrollLeft") > 0
    fits(page)


@pytest.fixture
def unscripted(browser: Browser, base_url: str, page: Page, run: Run) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    context.add_cookies(page.context.cookies())
    yield context.new_page()
    context.close()


def test_citations_and_items_work_without_a_script(unscripted: Page, run: Run) -> None:
    unscripted.goto(run.get_absolute_url())
    unscripted.get_by_role("link", name="[10K3]").click()
    expect(unscripted.locator("#c3.passage--now")).to_have_text(COSTS)
    unscripted.get_by_role("link", name="1A Risk Factors").click()
    expect(unscripted.locator("#c1")).to_have_text(SUPPLIER)


def test_re_verify_answers_beside_its_button_and_keeps_the_focus(page: Page, run: Run) -> None:
    page.goto(run.get_absolute_url())
    button = page.get_by_role("button", name="Re-verify")
    button.click()
    expect(page.locator("#verification")).to_contain_text("all 3 re-read and unchanged")
    expect(button).to_be_focused()
    Section.objects.filter(item="7").update(text="Another text.")
    button.click()
    expect(page.locator("#verification")).to_contain_text("1 of 3 no longer matches the filing")


def test_re_verify_works_without_a_script(unscripted: Page, run: Run) -> None:
    unscripted.goto(run.get_absolute_url())
    unscripted.get_by_role("button", name="Re-verify").click()
    expect(unscripted.locator("#verification")).to_contain_text("all 3 re-read and unchanged")


def test_quotations_are_copied_with_their_sources(page: Page, run: Run) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(run.get_absolute_url())
    page.get_by_role("button", name="Copy with citations").click()
    expect(page.locator("#copied")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert f"“{SUPPLIER}” [10K1]" in copied
    assert f"[10K1] Fiscal 2025 10-K, {prose_answers.ACCESSION}, Item 1A, Risk Factors, page 14" in copied


# --- the outline ---


@pytest.mark.parametrize(("width", "stands_open"), [(360, False), (1280, True)])
def test_the_outline_is_closed_on_a_phone_and_open_beside_the_text(
    page: Page, sections: dict[str, Section], width: int, stands_open: bool
) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(sections["1A"].get_absolute_url())
    outline = page.get_by_role("navigation", name="Items of this filing")
    entry = outline.get_by_role("link", name="Risk Factors")
    expect(entry).to_be_visible(visible=stands_open)
    if not stands_open:
        outline.get_by_text("Items of this filing").locator("visible=true").click()
        expect(entry).to_be_visible()


# --- search ---


def test_a_search_is_followed_to_its_passages_and_opens_one(page: Page, sections: dict[str, Section]) -> None:
    page.goto("/search")
    page.get_by_label("Words to look for").fill("supplier contract")
    page.get_by_label("Item").select_option("1A")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", name="Searching")).to_be_visible()
    found = SearchRequest.objects.get()
    SearchRequest.objects.filter(pk=found.pk).update(
        status="done", results=[result(sections["1A"], SUPPLIER)], index="embedded", model="mini"
    )
    expect(page.get_by_role("heading", name="1 passage for")).to_be_visible()
    expect(page.locator("#search-status")).to_have_text("1 passage found.")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(1600)
    assert asked == []
    page.get_by_role("link", name="Northwind Instruments · FY2025 · Item 1A, Risk Factors").click()
    expect(page.locator("#at")).to_have_text(SUPPLIER)
    assert in_view(page, "#at")


def test_a_search_works_without_a_script(unscripted: Page, sections: dict[str, Section]) -> None:
    unscripted.goto("/search")
    unscripted.get_by_label("Words to look for").fill("supplier")
    unscripted.get_by_role("button", name="Search").click()
    SearchRequest.objects.update(status="done", results=[result(sections["1A"], SUPPLIER)], index="embedded")
    unscripted.get_by_role("link", name="Check for the results").click()
    expect(unscripted.get_by_role("heading", name="1 passage for")).to_be_visible()


# --- looks ---


def test_every_page_to_read_by(page: Page, run: Run, sections: dict[str, Section], signed_in: User) -> None:
    filing = sections["1A"].filing
    found = SearchRequest.objects.create(user=signed_in, text="x", status="done", index="embedded")
    full = SearchRequest.objects.create(
        user=signed_in, text="x" * 200, status="done", results=[result(sections["1A"], SUPPLIER)], index="embedded"
    )
    shown = {
        "data of the filing": prose_answers.particular_answer(),
        "figure and text": prose_answers.both_answer(sections),
        "half of it": prose_answers.half_answer(),
        "refused": prose_answers.answer(prose_answers.refused()),
    }
    check(
        page,
        {
            "quotations": run.get_absolute_url(),
            "filing": f"/filings/{filing.accession}",
            "passage": f"/filings/{filing.accession}/1A?run={run.pk}&cite=2",
            "another Item": f"/filings/{filing.accession}/1C",
            "company": filing.company.get_absolute_url(),
            "nothing found": f"/search/{found.pk}",
            "found, for long words": f"/search/{full.pk}",
            **{name: answers.run_with(answer, signed_in).get_absolute_url() for name, answer in shown.items()},
        },
    )
