"""Companies and the admin in a browser: progress that moves and ends, and no breach of the CSP anywhere."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from filings.models import Company
from tests.support.holdings import NORTHWIND, northwind

pytestmark = pytest.mark.browser


@pytest.fixture
def staff(signed_in: User) -> User:
    User.objects.filter(pk=signed_in.pk).update(is_staff=True, is_superuser=True)
    return signed_in


def moved(company: Company, **fields: object) -> None:
    """What a worker writes to the row."""
    Company.objects.filter(pk=company.pk).update(**fields)


def test_an_ingestion_is_followed_to_its_end_and_the_poll_stops(page: Page, staff: User) -> None:
    company = northwind()
    page.goto("/companies")
    page.get_by_label("Ticker, CIK or exact name").fill("nwi")
    page.get_by_role("button", name="Add company").click()
    expect(page.get_by_text("Waiting to start")).to_be_visible()
    moved(company, status=Company.Status.RUNNING, step="Filing 2 of 3", filings_found=3, filings_done=1)
    expect(page.get_by_text("Filing 2 of 3")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "1")
    stop = page.get_by_role("button", name="Stop")
    stop.focus()
    moved(company, filings_done=2)
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "2")
    expect(stop).to_be_focused()
    moved(company, status=Company.Status.DONE, filings_done=3)
    expect(page.locator("#ingestion")).to_contain_text("Read: 3 filings, 4 figures.")
    expect(page.locator("#ingestion")).not_to_have_attribute("hx-get", f"/companies/{NORTHWIND}/progress")
    expect(page.locator("#ingestion-status")).to_have_text("Ingested")


def test_an_ingestion_is_stopped_by_its_button(page: Page, staff: User) -> None:
    company = northwind(status=Company.Status.RUNNING)
    page.goto(company.get_absolute_url())
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("You can resume later.").first).to_be_visible()
    company.refresh_from_db()
    assert company.status == Company.Status.CANCELLED


def test_a_mistyped_ticker_is_told_beside_the_field_and_kept(page: Page, staff: User) -> None:
    page.goto("/companies")
    field = page.get_by_label("Ticker, CIK or exact name")
    field.fill("AAPLE")
    page.get_by_role("button", name="Add company").click()
    expect(page.get_by_text("Did you mean AAPL (Apple Inc.)")).to_be_visible()
    expect(field).to_have_value("AAPLE")
    expect(field).to_have_attribute("aria-invalid", "true")


def test_the_admin_works_under_the_strict_policy(page: Page, staff: User) -> None:
    company = northwind()
    # The admin asks for an icon that it does not name; the answer is a 404 and no matter of the policy.
    for path in (
        "",
        "filings/company/",
        "filings/fact/",
        "filings/filing/",
        "agent/run/refusals/",
        "accounts/user/add/",
    ):
        page.goto(f"/admin/{path}")
        expect(page.locator("#content")).to_be_visible()
    page.goto(f"/admin/filings/company/?q={company.cik}")
    page.locator("#action-toggle").check()
    # The counter beside the actions is a script's work.
    expect(page.locator(".action-counter")).to_have_text("1 of 1 selected")
    page.locator("select[name=action]").select_option("deactivate")
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_text("1 company is switched off.")).to_be_visible()
    page.goto(f"/admin/filings/company/{company.pk}/coverage/")
    expect(page.get_by_text("Coverage of Northwind Instruments, Inc.")).to_be_visible()
