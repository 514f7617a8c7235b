"""axe-core over what pages come to: what a search finds, forms that are wrong, a limit, an ingestion; and pages of errors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.shortcuts import render
from django.test import Client, RequestFactory
from django.urls import reverse
from django.views.defaults import bad_request, server_error
from playwright.sync_api import Browser, Page, expect

from accounts.identity import Identity
from accounts.models import User
from filings.models import Company, Import, SearchRequest
from filings.search import requests
from tests.browser.axe import check, seen
from tests.browser.test_limits import ask_twice, nothing_left
from tests.support import answers
from tests.support.holdings import northwind
from tests.support.sample import Sample

__all__ = ["nothing_left"]

pytestmark = pytest.mark.browser


def test_what_a_search_finds_and_what_it_does_not(page: Page, signed_in: User, sample: Sample) -> None:
    addresses = {}
    for text in ("supply of wafers", "zyzzyva"):
        one = SearchRequest.objects.create(user=signed_in, text=text)
        requests.run(one.pk)
        addresses[text] = reverse("search_results", args=[one.pk])
    failed = SearchRequest.objects.create(user=signed_in, text="x", status="failed", problem="No index.")
    assert SearchRequest.objects.get(text="supply of wafers").results
    check(page, {**addresses, "failed": reverse("search_results", args=[failed.pk])})


def test_a_question_and_a_search_that_are_wrong(page: Page) -> None:
    found = []
    for address, button in (("/", "Ask"), ("/search", "Search")):
        page.goto(address)
        sent(page, button)
        found += wrong(page, f"{address}, wrong")
    assert not found, "\n".join(found)


def test_a_next_question_that_is_wrong(page: Page, signed_in: User) -> None:
    page.goto(answers.run_with(answers.number_answer(), signed_in).get_absolute_url())
    sent(page, "Ask")
    assert not wrong(page, "ask_question, going on")


def test_a_company_that_is_wrong(page: Page, staff: User) -> None:
    page.goto("/companies")
    page.get_by_label("Ticker, CIK or exact name").fill("AAPLE")
    sent(page, "Add company")
    assert not wrong(page, "add_company")


def test_a_file_that_is_confirmed_wrongly(page: Page, staff: User) -> None:
    Import.objects.create(
        filename="call.txt", size=2_000, sha256="5e" * 32, user=staff, status=Import.Status.ASKED, kind="call"
    )
    page.goto(reverse("import_documents"))
    sent(page, "Import")
    assert not wrong(page, "import_confirm")


def sent(page: Page, button: str) -> None:
    """Send a form as it stands, which the browser would not."""
    pressed = page.locator("main").get_by_role("button", name=button, exact=True)
    pressed.evaluate("node => { node.form.noValidate = true }")
    pressed.click()


def wrong(page: Page, name: str) -> list[str]:
    """The findings on a form that says what is wrong."""
    expect(page.locator(".error").first).to_be_visible()
    return seen(page, name)


def test_the_dialog_of_a_limit(page: Page, nothing_left: None) -> None:
    ask_twice(page)
    expect(page.get_by_role("dialog")).to_be_visible()
    assert not seen(page, "dialog")


def test_the_dialog_of_a_limit_without_a_script(
    page: Page, browser: Browser, base_url: str, nothing_left: None
) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    unscripted = context.new_page()
    ask_twice(unscripted)
    expect(unscripted.get_by_role("dialog")).to_be_visible()
    html = unscripted.content()
    context.close()
    with shown(page, html) as address:
        check(page, {"dialog without a script": address})


def test_the_toast_of_a_limit(page: Page, signed_in: User, nothing_left: None) -> None:
    ask_twice(page)
    expect(page.get_by_role("alert")).to_be_visible()
    assert not seen(page, "toast")


@pytest.mark.parametrize("status", [Company.Status.QUEUED, Company.Status.RUNNING, Company.Status.FAILED])
def test_an_ingestion(page: Page, staff: User, status: str) -> None:
    """For staff, who stop it and take it up again, and for everybody."""
    company = northwind(status=status, step="Filing 2 of 3", filings_found=3, filings_done=1)
    check(page, {f"{status}, company": company.get_absolute_url(), f"{status}, companies": "/companies"})
    page.context.clear_cookies()
    check(page, {f"{status}, for everybody": company.get_absolute_url()})


@contextmanager
def shown(page: Page, html: str) -> Iterator[str]:
    """An address at which the browser is shown this, with the styles and scripts of the site."""
    page.route("**/shown", lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))
    yield "/shown"
    page.unroute("**/shown")


def out_of_date() -> HttpResponse:
    return Client(enforce_csrf_checks=True).post("/ask", {"question": answers.QUESTION})


def out_of_date_elsewhere() -> HttpResponse:
    return Client(enforce_csrf_checks=True).post("/companies/add", {"ticker": "AAPL"})


def forbidden() -> HttpResponse:
    client = Client()
    client.force_login(User.objects.create_user("carol@example.com", "wonderland-42"))
    return client.post("/companies/add", {"ticker": "AAPL"})


def unreadable() -> HttpResponse:
    return bad_request(RequestFactory().get("/"), Exception())


def nowhere() -> HttpResponse:
    return Client().get("/nowhere")


def too_many() -> HttpResponse:
    """As allauth shows its template."""
    request = RequestFactory().get("/accounts/login/")
    request.user = AnonymousUser()
    request.identity = Identity()
    return render(request, "429.html", status=429)


def failed() -> HttpResponse:
    return server_error(RequestFactory().get("/"))


@pytest.mark.parametrize(
    ("made", "status", "heading"),
    [
        (unreadable, 400, "The address cannot be read"),
        (forbidden, 403, "This page is not open to this account"),
        (out_of_date, 403, "The page you sent this from was out of date"),
        (out_of_date_elsewhere, 403, "The page you sent this from was out of date"),
        (nowhere, 404, ""),
        (too_many, 429, "Too many attempts"),
        (failed, 500, "Something failed on our side"),
    ],
    ids=lambda made: getattr(made, "__name__", None),
)
def test_a_page_of_an_error(page: Page, made: Callable[[], HttpResponse], status: int, heading: str) -> None:
    response = made()
    assert response.status_code == status
    with shown(page, response.content.decode()) as address:
        check(page, {made.__name__: address})
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
