"""The header on a phone: every entry in one row, that of the page in view, nothing beyond the edge."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.support.sample import Sample

pytestmark = pytest.mark.browser

PAGES = {
    "/": "Ask",
    "/companies": "Companies",
    "/watchlists": "Watchlists",
    "/search": "Search",
    "/history": "History",
}


@pytest.fixture(params=[360, 320])
def phone(page: Page, request: pytest.FixtureRequest) -> Page:
    page.set_viewport_size({"width": request.param, "height": 740})
    return page


def stands_in_one_row(page: Page, current: str) -> None:
    nav = page.get_by_role("navigation", name="Main")
    boxes = [link.bounding_box() for link in nav.get_by_role("link").all()]
    assert len({box["y"] for box in boxes if box}) == 1
    assert all(box and box["height"] >= 24 and box["width"] >= 24 for box in boxes)
    here = nav.get_by_role("link", name=current, exact=True)
    expect(here).to_have_attribute("aria-current", "page")
    expect(here).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")


@pytest.mark.parametrize(("address", "current"), PAGES.items())
def test_a_visitor_sees_every_entry(phone: Page, sample: Sample, address: str, current: str) -> None:
    phone.goto(address)
    stands_in_one_row(phone, current)
    for link in phone.get_by_role("navigation", name="Main").get_by_role("link").all():
        expect(link).to_be_in_viewport(ratio=1)


def test_staff_reach_the_administration_from_their_account(phone: Page, signed_in: User, sample: Sample) -> None:
    User.objects.update(is_staff=True)
    phone.goto("/companies")
    account = phone.get_by_role("navigation", name="Account").get_by_role("link", name="Account")
    expect(account).to_be_in_viewport(ratio=1)
    account.click()
    expect(account).to_have_attribute("aria-current", "page")
    expect(phone.get_by_role("link", name="Administration")).to_have_attribute("href", "/admin/")
    User.objects.update(is_staff=False)
    phone.reload()
    expect(phone.get_by_role("link", name="Administration")).to_have_count(0)


def test_an_entry_beyond_the_edge_is_reached_by_keyboard(phone: Page, signed_in: User, sample: Sample) -> None:
    phone.set_viewport_size({"width": 200, "height": 740})
    phone.goto("/companies")
    stands_in_one_row(phone, "Companies")
    last = phone.get_by_role("navigation", name="Main").get_by_role("link", name="History")
    last.focus()
    expect(last).to_be_in_viewport(ratio=0.9)
