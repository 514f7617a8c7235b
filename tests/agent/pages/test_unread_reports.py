"""A question that lacks a company's reports offers staff to read them, and says to others who can."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.contrib.auth.models import Permission
from django.db.models import F
from django.test import Client
from django.utils.timezone import now
from pytest_django import Settings

from accounts.models import User
from agent.runs import lifecycle
from agent.runs.claim import claim
from filings.models import Company, Filing
from tests.conftest import signed_in

TEXT = "What supply risks did Apple disclose in fiscal 2024?"
FIGURE = "Netflix revenue in fiscal 2024"
BUTTON = "Read this company's reports"
ADD = "Add this company"
OTHERS = "An administrator can load the reports of"
OTHERS_ADD = "An administrator can add Netflix."


@pytest.fixture
def apple(db: None) -> Company:
    return Company.objects.get(cik=320193)


def asked(client: Client, question: str) -> str:
    """Ask as a browser does and answer as a worker does; the address of the run."""
    address = str(client.post("/ask", {"question": question}).headers["Location"])
    pk = UUID(address.rsplit("/", 1)[1])
    attempt = claim(pk)
    assert attempt
    lifecycle.answer(pk, attempt)
    return address


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode().replace("&#x27;", "'")


def read_now(company: Company) -> None:
    """What an ingestion leaves."""
    filings = Filing.objects.filter(company=company)
    filings.update(document_status=Filing.DocumentStatus.HELD, chunks_stored=300)
    Company.objects.filter(pk=company.pk).update(status="done", ingested=now() + timedelta(minutes=5))


@pytest.mark.parametrize(
    ("question", "button"), [(TEXT, BUTTON), (FIGURE, ADD), ("How many stores does Nike have?", BUTTON)]
)
def test_staff_get_one_button(as_charlie: Client, question: str, button: str) -> None:
    shown = page(as_charlie, asked(as_charlie, question))
    assert shown.count("/read") == shown.count(button) == 1
    assert "An administrator can" not in shown


def test_a_company_known_by_name_only_is_added_from_the_refusal(as_charlie: Client, as_alice: Client) -> None:
    address = asked(as_charlie, FIGURE)
    assert ADD in page(as_charlie, address)
    shown = page(as_alice, asked(as_alice, FIGURE))
    assert OTHERS_ADD in shown
    assert "Companies you can ask about" in shown
    assert ADD not in shown
    assert "are queued" in as_charlie.post("/companies/1065280/read", {"next": address}, follow=True).content.decode()
    assert Company.objects.get(cik=1065280).status == "queued"
    assert ADD not in page(as_charlie, address)


def test_others_are_told_who_can(client: Client, as_alice: Client, apple: Company) -> None:
    for visitor in (client, as_alice):
        shown = page(visitor, asked(visitor, TEXT))
        assert f"{OTHERS} Apple." in shown
        assert BUTTON not in shown
        assert visitor.post(f"/companies/{apple.cik}/read").status_code == 403
    apple.refresh_from_db()
    assert not apple.is_open


def test_staff_without_the_permission_are_told_who_can(bob: User, apple: Company) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    as_bob = signed_in(bob)
    address = asked(as_bob, TEXT)
    assert OTHERS in page(as_bob, address)
    assert as_bob.post(f"/companies/{apple.cik}/read").status_code == 403
    bob.user_permissions.add(Permission.objects.get(codename="change_company"))
    assert BUTTON in page(as_bob, address)
    assert as_bob.post(f"/companies/{apple.cik}/read").status_code == 302


def test_the_button_queues_the_company_and_leads_back_to_the_progress(as_charlie: Client, apple: Company) -> None:
    address = asked(as_charlie, TEXT)
    response = as_charlie.post(f"/companies/{apple.cik}/read", {"next": address}, follow=True)
    assert response.redirect_chain == [(address, 302)]
    apple.refresh_from_db()
    assert (apple.status, apple.years_from, apple.years_to) == ("queued", 2015, None)
    shown = response.content.decode()
    assert "The reports of Apple are queued." in shown
    assert f'hx-get="/companies/{apple.cik}/progress"' in shown
    assert BUTTON not in shown


def test_pressed_twice_it_is_queued_once(as_charlie: Client, apple: Company) -> None:
    as_charlie.post(f"/companies/{apple.cik}/read")
    Company.objects.filter(pk=apple.pk).update(status="running", attempt=F("attempt") + 1)
    shown = as_charlie.post(f"/companies/{apple.cik}/read", follow=True).content.decode()
    assert "The reports of Apple are already being read." in shown
    apple.refresh_from_db()
    assert apple.status == "running"


def test_everybody_sees_that_the_reports_are_being_read(client: Client, apple: Company) -> None:
    address = asked(client, TEXT)
    Company.objects.filter(pk=apple.pk).update(status="running", step="Filing 2 of 11")
    shown = page(client, address)
    assert "Filing 2 of 11" in shown
    assert OTHERS not in shown


@pytest.mark.parametrize("identity", ["", "nobody"])
def test_without_an_identity_staff_are_told_what_to_set(
    as_charlie: Client, apple: Company, settings: Settings, identity: str
) -> None:
    settings.EDGAR_IDENTITY = identity  # type: ignore[attr-defined]
    shown = page(as_charlie, asked(as_charlie, TEXT))
    assert "<code>EDGAR_IDENTITY</code>" in shown
    assert BUTTON not in shown
    shown = as_charlie.post(f"/companies/{apple.cik}/read", follow=True).content.decode()
    assert "Set EDGAR_IDENTITY first" in shown
    apple.refresh_from_db()
    assert not apple.is_open


def test_a_reading_that_failed_says_why_and_can_be_tried_again(as_charlie: Client, apple: Company) -> None:
    address = asked(as_charlie, TEXT)
    Company.objects.filter(pk=apple.pk).update(status="failed", problem="EDGAR did not answer.")
    shown = page(as_charlie, address)
    assert "EDGAR did not answer." in shown
    assert BUTTON in shown


@pytest.mark.parametrize("question", [TEXT, FIGURE])
def test_once_the_reports_are_stored_the_question_can_be_asked_again(as_alice: Client, question: str) -> None:
    address = asked(as_alice, question)
    company = Company.objects.get(cik=320193 if question == TEXT else 1065280)
    Company.objects.filter(pk=company.pk).update(facts_stored=1)
    read_now(company)
    shown = page(as_alice, address)
    assert f"The reports of {company.called} are loaded now." in shown
    assert OTHERS not in shown


def test_of_two_companies_each_has_its_button_and_no_id_stands_twice(as_charlie: Client, apple: Company) -> None:
    address = asked(as_charlie, "Compare the risk factors of Apple and Microsoft")
    assert page(as_charlie, address).count(f"{BUTTON}<") == 2
    Company.objects.filter(cik__in=(320193, 789019)).update(status="running")
    shown = page(as_charlie, address)
    assert shown.count("Show progress") == 2
    assert 'id="ingestion"' not in shown


GRID = "/grid?companies=AAPL,NFLX&measures=revenue&from=2023&to=2024"
TABLE = "Apple, Netflix and NVIDIA revenue, 2022 to 2024"


def test_a_company_without_figures_in_a_table_has_its_button_too(client: Client, as_charlie: Client) -> None:
    address = asked(as_charlie, TABLE)
    for path in (address, GRID):
        shown = page(as_charlie, path)
        assert "No 10-K of Netflix is loaded from the SEC." in shown
        assert shown.count(ADD) == 1
        assert 'action="/companies/1065280/read"' in shown
    for path in (asked(client, TABLE), GRID):
        shown = page(client, path)
        assert OTHERS_ADD in shown
        assert ADD not in shown
    read_now(Company.objects.get(cik=1065280))
    Company.objects.filter(cik=1065280).update(facts_stored=1)
    assert "The reports of Netflix are loaded now." in page(as_charlie, address)


@pytest.mark.parametrize(
    "question",
    [
        "What was Apple's R&D spend in FY2024?",
        "What was Amazon's R&D spend in FY2024?",
        "What will Apple's net income be in fiscal 2031?",
        "What does Northwind Instruments' fiscal 2025 10-K say about bananas?",
    ],
)
def test_nothing_is_offered_where_reading_would_not_help(as_charlie: Client, question: str) -> None:
    shown = page(as_charlie, asked(as_charlie, question))
    assert "/read" not in shown
    assert "An administrator can" not in shown


def test_a_company_that_is_switched_off_or_files_no_10_k_is_not_offered(as_charlie: Client, apple: Company) -> None:
    address = asked(as_charlie, TEXT)
    for field, value in (("active", False), ("foreign", True)):
        Company.objects.filter(pk=apple.pk).update(active=True, foreign=False)
        Company.objects.filter(pk=apple.pk).update(**{field: value})
        assert BUTTON not in page(as_charlie, address)
    assert as_charlie.post(f"/companies/{apple.cik}/read").status_code == 404


def test_a_shared_answer_offers_nothing(as_charlie: Client, client: Client) -> None:
    address = asked(as_charlie, TEXT)
    link = as_charlie.post(f"{address}/share", follow=True).content.decode().partition("/s/")[2].partition('"')[0]
    for visitor in (client, as_charlie):
        shown = page(visitor, f"/s/{link}")
        assert "is not in our data" in shown
        assert BUTTON not in shown
        assert OTHERS not in shown


def test_the_button_leads_to_no_other_site_and_works_by_post_with_a_token_only(charlie: User, apple: Company) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(charlie)
    assert careful.post(f"/companies/{apple.cik}/read").status_code == 403
    as_charlie = signed_in(charlie)
    assert as_charlie.get(f"/companies/{apple.cik}/read").status_code == 405
    for elsewhere in ("https://evil.example/", "//evil.example/", "javascript:alert(1)"):
        sent = as_charlie.post(f"/companies/{apple.cik}/read", {"next": elsewhere})
        assert sent.headers["Location"] == f"/companies/{apple.cik}"


def test_the_page_of_a_company_without_text_offers_it_too(client: Client, as_charlie: Client, apple: Company) -> None:
    address = apple.get_absolute_url()
    assert "Only figures of Apple are loaded" in page(client, address)
    assert f"{OTHERS} Apple." in page(client, address)
    assert page(as_charlie, address).count(BUTTON) == 1
    read_now(apple)
    assert "Only figures of Apple" not in page(client, address)
    assert BUTTON not in page(as_charlie, address)
    assert OTHERS not in page(client, "/companies/9999999901")
    assert OTHERS_ADD in page(client, "/companies/1065280")
    assert page(as_charlie, "/companies/1065280").count(ADD) == 1
