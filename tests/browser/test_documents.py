"""Documents of every kind in the browser: filters and jumps by keyboard, and the picture of a PDF page."""

import hashlib
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from filings.document.blocks import stored_blocks
from filings.models import Company, Filing, Section
from tests.browser.test_looks import fits
from tests.filings import test_page_pictures as pictures
from tests.filings.test_turns import read
from tests.support.calls import CALL, FORMS
from tests.support.holdings import NORTHWIND, northwind

pytestmark = pytest.mark.browser
WIDTHS = (360, 1280)


@pytest.fixture
def company(page: Page) -> Company:
    return northwind()


@pytest.fixture
def call(company: Company) -> Filing:
    filing = Filing.objects.create(
        company=company,
        source="call",
        accession="doc-0123456789abcdef",
        filed="2025-10-28",
        fiscal_year=2025,
        fiscal_quarter=3,
        title="A call",
        chunks_stored=1,
    )
    for number, one in enumerate(read(FORMS["page_with_roles_below"](CALL)), 1):
        Section.objects.create(
            filing=filing,
            number=number,
            item=one.item,
            status=str(one.status),
            text=one.text,
            sha256=hashlib.sha256(one.text.encode()).hexdigest(),
            blocks=stored_blocks(one.blocks),
        )
    return filing


def test_choosing_a_kind_offers_its_parts(page: Page, call: Filing) -> None:
    page.goto("/search")
    expect(page.get_by_label("Item or part").locator("optgroup")).not_to_have_count(0)
    page.get_by_label("Kind").focus()
    page.get_by_label("Kind").select_option("call")
    parts = page.get_by_label("Item or part")
    expect(parts.locator("option")).to_have_text(["All parts", "Prepared remarks", "Questions and answers"])
    page.keyboard.press("Tab")
    expect(parts).to_be_focused()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_question_leads_to_its_answer_by_keyboard(page: Page, call: Filing, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(f"/filings/{call.accession}/questions")
    fits(page)
    page.get_by_role("link", name="Answer by Mary O'Neil-Roth").press("Enter")
    heading = page.locator("h3:target")
    expect(heading).to_have_text("Mary O'Neil-Roth")
    expect(heading).to_be_in_viewport()
    page.get_by_role("link", name="Question by Petra Sand").press("Enter")
    expect(page.locator("h3:target")).to_have_text("Petra Sand")
    page.get_by_role("navigation", name="Speakers").get_by_role("link", name="Hugo Lindqvist").press("Enter")
    expect(page.locator("h3:target")).to_have_text("Hugo Lindqvist")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_is_pictured_beside_its_text(
    page: Page, company: Company, settings: Settings, tmp_path: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(pictures, "northwind", lambda: company)
    section = pictures.imported(pictures.two_pages())
    at = section.text.index(pictures.FIRST)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/filings/{section.filing.accession}/p1?at={at}-{at + len(pictures.FIRST)}")
    picture = page.get_by_role("img", name="Page 1 as printed, the cited lines marked")
    expect(picture).to_be_attached(timeout=30_000)
    expect(picture).to_have_js_property("complete", True, timeout=30_000)
    assert picture.evaluate("image => image.naturalWidth") > 0
    assert page.locator(".picture__mark").count() == 2
    fits(page)
    page.get_by_role("navigation", name="Pages as printed").get_by_role("link", name="Next page").press("Enter")
    expect(page.get_by_role("heading", name="Page 2 as printed")).to_be_attached(timeout=30_000)
    page.get_by_role("link", name="Page 1", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="Page 1 as printed")).to_be_in_viewport(timeout=30_000)


@pytest.mark.parametrize("width", WIDTHS)
def test_documents_since_the_last_10_k_are_one_click_away(page: Page, call: Filing, width: int) -> None:
    Filing.objects.filter(pk=call.pk).update(filed="2026-03-01")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/companies/{NORTHWIND}")
    card = page.get_by_role("region", name="Documents")
    card.locator("summary", has_text="Earnings call").press("Enter")
    expect(card.get_by_role("link", name="Earnings call, Q3 fiscal 2025", exact=True)).to_be_visible()
    card.get_by_role("link", name="Since the last 10-K: 1").click()
    expect(page.get_by_role("heading", name="1 document found")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Only since the last 10-K")).to_be_checked()
    fits(page)
