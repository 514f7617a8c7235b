"""axe-core over every page of the admin: those of every list that is registered, and those of its own."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Model
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from filings.models import SearchRequest
from filings.search import requests
from tests.browser.axe import WIDTHS, check, names, seen
from tests.browser.rows import rows
from tests.support.sample import Sample

pytestmark = pytest.mark.browser

KINDS = ("changelist", "add", "change", "delete", "history")
# Answers to scripts, and addresses that lead on.
NO_PAGES = {"jsi18n", "autocomplete", "view_on_site", "logout", "login", ""}
MODELS: list[type[Model]] = sorted(admin.site._registry, key=lambda model: model._meta.label)


def of(model: type[Model], kind: str) -> str:
    return f"{model._meta.app_label}_{model._meta.model_name}_{kind}"


@pytest.fixture
def staff(context: BrowserContext, base_url: str, settings: Any) -> User:
    """Charlie, who is staff, signed in in this browser."""
    settings.STAFF_MFA = False
    found = User.objects.create_superuser("charlie@example.com", "chocolate-42")
    client = Client()
    client.force_login(found)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": base_url}])
    return found


def pages(staff: User, sample: Sample) -> dict[str, str]:
    """The pages that are no list's: the name of the address, and what of it is shown, to where it is."""
    company, filing = sample["NWND"], sample.filing("NWND", 2025)
    return {
        "index": reverse("admin:index"),
        "app_list": reverse("admin:app_list", args=["filings"]),
        "password_change": reverse("admin:password_change"),
        "password_change_done": reverse("admin:password_change_done"),
        "auth_user_password_change": reverse("admin:auth_user_password_change", args=[staff.pk]),
        "coverage": reverse("admin:coverage"),
        "coverage, nothing found": reverse("admin:coverage") + "?q=nothing-of-this",
        "tag_use": reverse("admin:tag_use"),
        "tag_use, found": reverse("admin:tag_use") + "?tag=us-gaap:Assets",
        "tag_use, wrong": reverse("admin:tag_use") + "?tag=net income; drop",
        "health": reverse("admin:health"),
        "registry": reverse("admin:registry") + "?q=revenue",
        "registry_entry, concept": reverse("admin:registry_entry", args=["revenue"]),
        "registry_entry, metric": reverse("admin:registry_entry", args=["gross_margin"]),
        "filings_company_coverage": reverse("admin:filings_company_coverage", args=[company.pk]),
        "filings_synonym_preview": reverse("admin:filings_synonym_preview"),
        "filings_synonym_preview, a row": reverse("admin:filings_synonym_preview") + "?phrase=layoffs",
        "filings_section_ledger": reverse("admin:filings_section_ledger", args=[filing.pk]),
        "agent_run_refusals": reverse("admin:agent_run_refusals"),
        "agent_run_refusals, wrong": reverse("admin:agent_run_refusals") + "?first=2026-02-01&last=2026-01-01",
        "agent_run_usage": reverse("admin:agent_run_usage"),
    }


def test_every_address_of_the_admin_has_its_place_here(staff: User, sample: Sample) -> None:
    known = {name.partition(",")[0] for name in pages(staff, sample)}
    lists = {of(model, kind) for model in MODELS for kind in KINDS}
    assert set(names(admin.site.get_urls())) == known | lists | NO_PAGES


def test_pages_of_its_own(page: Page, staff: User, sample: Sample) -> None:
    rows(staff, sample)
    check(page, {**pages(staff, sample), "companies, for staff": "/companies"})


@pytest.mark.parametrize("kind", KINDS)
def test_pages_of_every_list(
    page: Page, staff: User, sample: Sample, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists are short, for their rows are alike; forms are narrow, for what is cut off there shows what is scrolled.

    What was done to a row, and whether to delete it, is said by one page for all lists: every fifth is enough.
    """
    held = rows(staff, sample)
    assert set(held) == set(MODELS)
    addresses = {}
    for model in MODELS[::5] if kind in {"delete", "history"} else MODELS:
        listed = admin.site._registry[model]
        monkeypatch.setattr(listed, "list_per_page", 3)
        if kind in {"add", "delete"} and not getattr(listed, f"has_{kind}_permission")(asked_by(staff)):
            continue
        LogEntry.objects.log_actions(staff.pk, [held[model]], CHANGE, "Looked after.", single_object=True)
        one = [] if kind in {"changelist", "add"} else [held[model].pk]
        addresses[of(model, kind)] = reverse(f"admin:{of(model, kind)}", args=one)
    check(page, addresses, WIDTHS if kind == "changelist" else WIDTHS[1:])


def asked_by(staff: User) -> HttpRequest:
    request = RequestFactory().get("/")
    request.user = staff
    return request


def test_what_staff_are_told_and_asked(page: Page, staff: User, sample: Sample) -> None:
    """A form that is wrong, rows to be deleted at once, and what was done."""
    rows(staff, sample)
    page.goto(reverse("admin:accounts_user_add"))
    page.get_by_label("E-mail address").fill(staff.email)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".errornote")).to_be_visible()
    found = seen(page, "form that is wrong")
    page.goto(reverse("admin:auth_group_changelist"))
    page.locator("#action-toggle").check()
    page.locator("select[name=action]").select_option("delete_selected")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.get_by_role("heading", name="Delete multiple objects")).to_be_visible()
    found += seen(page, "deleted at once")
    page.get_by_role("button", name="Yes").click()
    expect(page.locator(".messagelist")).to_be_visible()
    found += seen(page, "deleted")
    page.goto(reverse("admin:agent_run_changelist") + "?q=supply&outcome__exact=answered")
    found += seen(page, "searched and narrowed")
    assert not found, "\n".join(found)


def test_a_preview_that_waits_and_what_a_worker_finds_for_it(page: Page, staff: User, sample: Sample) -> None:
    page.goto(reverse("admin:filings_synonym_preview"))
    page.get_by_label("Question").fill("What supply risks did Northwind disclose in fiscal 2025?")
    page.get_by_label("Phrase").fill("supply")
    page.get_by_label("Variants").fill("sourcing")
    page.get_by_role("button", name="Search with both").click()
    expect(page.get_by_role("status")).to_contain_text("Searching")
    found = seen(page, "waiting")
    for one in SearchRequest.objects.all():
        requests.run(one.pk)
    expect(page.get_by_role("status")).to_contain_text("found")
    expect(page.get_by_role("table", name="What is searched")).to_be_visible()
    expect(page.get_by_role("table", name="Passages found")).to_be_visible()
    expect(page.get_by_label("Phrase")).to_have_value("supply")
    found += seen(page, "found")
    assert not found, "\n".join(found)
