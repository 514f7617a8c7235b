"""The screener in a browser: a measure typed, a bound, the order turned round, a screen saved."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from filings.models import Company
from tests.support.sample import Sample

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def three(sample: Sample) -> None:
    """Apple, Microsoft and NVIDIA are all that is covered."""
    Company.objects.exclude(tickers__symbol__in=["AAPL", "MSFT", "NVDA"]).update(active=False)


def test_companies_are_screened_sorted_and_the_screen_kept(page: Page, signed_in: User) -> None:
    page.goto("/screener")
    page.get_by_label("Measure", exact=True).fill("Operating margin")
    page.get_by_label("Year", exact=True).select_option("2023")
    page.get_by_role("button", name="Show", exact=True).click()
    names = page.locator("#screened tbody th a")
    expect(names).to_have_text(["NVIDIA", "Microsoft", "Apple"])
    page.get_by_role("link", name="Operating margin").focus()
    page.keyboard.press("Enter")
    expect(names).to_have_text(["Apple", "Microsoft", "NVIDIA"])
    assert "order=lowest" in page.url
    page.get_by_text("Change measures, conditions or year").click()
    page.get_by_label("Above (%)").fill("30")
    page.keyboard.press("Enter")
    expect(names).to_have_text(["Microsoft", "NVIDIA"])
    page.get_by_label("Name", exact=True).fill("Rich margins")
    page.get_by_role("button", name="Save this screen").click()
    page.get_by_role("link", name="Rich margins").click()
    expect(names).to_have_text(["Microsoft", "NVIDIA"])


def test_on_a_narrow_screen_only_the_table_scrolls(page: Page, signed_in: User) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/screener?measures=operating_margin,revenue,net_income,rnd&year=2023")
    expect(page.locator("#screened tbody tr")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
