"""What changed between two years in a browser: the keys, the choice, both years on a narrow screen."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.sample import Sample

pytestmark = pytest.mark.browser

ADDRESS = "/companies/9999999901/redline?item=1A&from=2024&to=2025"


def test_keys_lead_from_change_to_change(page: Page, sample: Sample) -> None:
    page.goto(ADDRESS)
    changes = page.locator("[data-change]")
    expect(changes).to_have_count(28)
    for keys, number in (("j", 0), ("jj", 2), ("k", 1)):
        for key in keys:
            page.keyboard.press(key)
        expect(changes.nth(number)).to_be_focused()
        assert page.url.endswith(f"#{changes.nth(number).get_attribute('id')}")
    chosen = page.get_by_label("Item", exact=True)
    chosen.focus()
    page.keyboard.press("j")
    expect(chosen).to_be_focused()


def test_an_item_and_a_view_are_chosen(page: Page, sample: Sample) -> None:
    page.goto(ADDRESS)
    page.get_by_label("Item", exact=True).select_option("7")
    page.get_by_label("Shown as").select_option("side")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "What changed in Item 7. Management's Discussion and Analysis"
    )
    expect(page.get_by_role("group", name="Fiscal 2024").first).to_be_visible()


def test_on_a_narrow_screen_both_years_stand_one_below_the_other(page: Page, sample: Sample) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"{ADDRESS}&view=side")
    older, newer = (page.get_by_role("group", name=f"Fiscal {year}").first.bounding_box() for year in (2024, 2025))
    assert older is not None
    assert newer is not None
    assert newer["y"] > older["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
