"""The pages of companies: who sees what, what is found, what a running ingestion shows."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client

from accounts.models import User
from filings.models import Anomaly, Company, Filing
from tests.conftest import signed_in
from tests.support.holdings import NORTHWIND, annual_report, known, northwind


@pytest.fixture
def company(db: None) -> Company:
    return northwind()


def test_anybody_sees_the_covered_companies(client: Client, company: Company) -> None:
    known("Blue Ridge Bancorp", "BRB", 9_999_988_802)
    page = client.get("/companies").content.decode()
    assert "Northwind Instruments" in page
    assert "2023 to 2025" in page
    assert "Blue Ridge Bancorp" not in page
    assert f"of {Company.objects.count():,} SEC registrants" in page


def test_with_nothing_held_it_says_so(client: Client, db: None) -> None:
    Company.objects.update(facts_stored=0)
    Filing.objects.update(chunks_stored=0)
    assert "No company is loaded yet" in client.get("/companies").content.decode()


@pytest.mark.parametrize("text", ["northwind", "NWI", "nwi", "Gauge Works", str(NORTHWIND), f"CIK{NORTHWIND}"])
def test_a_company_is_found_by_name_ticker_former_name_and_cik(client: Client, company: Company, text: str) -> None:
    known("Blue Ridge Bancorp", "BRB", 9_999_988_802)
    page = client.get("/companies", {"q": text}).content.decode()
    assert "Northwind Instruments" in page
    assert "Blue Ridge Bancorp" not in page


def test_a_search_finds_registrants_known_by_name_only_after_covered_ones(client: Client, company: Company) -> None:
    known("A Northwind Airline", "ANA", 9_999_988_803)
    page = client.get("/companies", {"q": "northwind"}).content.decode()
    assert page.index("Northwind Instruments") < page.index("A Northwind Airline")
    assert page.partition("A Northwind Airline")[2].count("None") == 2


def test_an_exact_ticker_comes_first(client: Client, company: Company) -> None:
    known("A Northwind Zzyx Company", "NWIH", 9_999_988_804, facts_stored=1)
    known("Somebody Else", "ZZYX", 9_999_988_805)
    page = client.get("/companies", {"q": "zzyx"}).content.decode()
    assert page.index("Somebody Else") < page.index("A Northwind Zzyx")


def test_a_search_without_result_quotes_the_words_safely(client: Client, company: Company) -> None:
    page = client.get("/companies", {"q": "<script>x"}).content.decode()
    assert "&lt;script&gt;x" in page
    assert "<script>x" not in page


def test_when_a_company_was_looked_at_is_told_as_it_was(client: Client, company: Company) -> None:
    at, address = datetime(2026, 3, 4, 5, 6, tzinfo=UTC), f"/companies/{company.cik}"
    Company.objects.update(ingested=at, origin="sample", watched=None)
    page = client.get(address, follow=True).content.decode()
    assert "<dt>Loaded</dt><dd>4 Mar 2026" in page
    assert "Last checked" not in page
    Company.objects.update(origin="edgar", watched=at + timedelta(days=1))
    page = client.get(address, follow=True).content.decode()
    assert "<dt>Last read</dt><dd>4 Mar 2026" in page
    assert "<dt>Last checked for new filings</dt><dd>5 Mar 2026" in page


@pytest.mark.parametrize(
    "query", [{"q": "x" * 500}, {"page": "-1"}, {"page": "abc"}, {"page": "99"}, {"q": "%"}, {"q": "²"}]
)
def test_odd_queries_give_a_page(client: Client, company: Company, query: dict[str, str]) -> None:
    assert client.get("/companies", query).status_code == 200


def test_the_list_costs_the_same_for_one_company_and_for_many(
    client: Client, company: Company, django_assert_max_num_queries: Any
) -> None:
    for number in range(20):
        other = known(f"Covered {number}", f"C{number}", 9_900_000_000 + number, facts_stored=1)
        annual_report(other, 2024, facts_stored=1)
    with django_assert_max_num_queries(6):
        assert "Covered 19" in client.get("/companies").content.decode()


def test_a_company_page_shows_years_names_and_links(client: Client, company: Company) -> None:
    page = client.get(f"/companies/{NORTHWIND}").content.decode()
    for expected in (
        "NWI",
        "Northwind Gauge Works",
        "Instruments for measuring (SIC 3825)",
        "31 Dec",
        "2023 to 2025",
        "FY2024",
        "Inline tables",
        "https://www.sec.gov/Archives/edgar/data/9999988801/999998880126000012/nwi-20251231.htm",
    ):
        assert expected in page, expected


def test_a_company_page_shows_amendments_apart(client: Client, company: Company) -> None:
    annual_report(company, 2024, accession="9999988801-25-000099", form="10-K/A", is_primary=False)
    page = client.get(f"/companies/{NORTHWIND}").content.decode()
    assert page.index("Other annual filings") < page.index("9999988801-25-000099")


def test_a_company_page_shows_anomalies_of_years_with_and_without_a_filing(client: Client, company: Company) -> None:
    Anomaly.objects.create(company=company, kind="scale", fiscal_year=2024, detail="Assets jump.")
    Anomaly.objects.create(company=company, kind="missing_year", fiscal_year=2020, detail="No 10-K of that year.")
    page = client.get(f"/companies/{NORTHWIND}").content.decode()
    assert "Assets jump." in page
    assert "Fiscal 2020: No 10-K of that year." in page


def test_coverage_shows_a_year_that_is_missing_and_none_before_2015(client: Client, company: Company) -> None:
    company.filings.filter(fiscal_year=2024).delete()
    annual_report(company, 2013)
    page = client.get(f"/companies/{NORTHWIND}").content.decode()
    table = page[page.index("Coverage by fiscal year") : page.index("Other annual filings")]
    assert 'FY2024</th><td colspan="9" class="muted">No 10-K loaded.' in table
    assert table.index("FY2025") < table.index("FY2024") < table.index("FY2023")
    assert "FY2013" not in table


def test_a_document_that_is_not_there_is_said_on_its_row(client: Client, company: Company) -> None:
    company.filings.filter(fiscal_year=2023).update(document_status=Filing.DocumentStatus.MISSING)
    assert "Not on EDGAR" in client.get(f"/companies/{NORTHWIND}").content.decode()


def test_a_fictional_company_is_called_so_and_leads_nowhere_at_sec(client: Client, db: None) -> None:
    company = Company.objects.get(cik=9_999_999_901)
    filing = company.filings.first()
    assert filing
    for address in (company.get_absolute_url(), filing.get_absolute_url(), f"{filing.get_absolute_url()}/1A"):
        page = client.get(address).content.decode()
        assert "ictional" in page
        assert "sec.gov" not in page[page.index("<main") : page.index("</main>")]


def test_an_unknown_company_is_not_found(client: Client, db: None) -> None:
    assert client.get("/companies/1").status_code == 404
    assert client.get("/companies/1/progress").status_code == 404
    assert client.get("/companies/99999999999999999999").status_code == 404


def test_a_foreign_filer_is_said_to_be_known_and_not_covered(client: Client, db: None) -> None:
    known("Overseas Plc", "OVRS", 9_999_988_806, foreign=True)
    page = client.get("/companies/9999988806").content.decode()
    assert "files Form 20-F or 40-F, not Form 10-K" in page


# --- adding a company ---


@pytest.mark.parametrize("path", ["/companies/add", f"/companies/{NORTHWIND}/cancel"])
def test_only_staff_may_add_or_stop(
    client: Client, as_alice: Client, as_bob: Client, company: Company, path: str
) -> None:
    for stranger in (client, as_alice, as_bob):
        assert stranger.post(path, {"ticker": "NWI"}).status_code == 403
    company.refresh_from_db()
    assert company.status == Company.Status.DONE


def test_the_form_to_add_is_shown_to_staff_only(client: Client, as_alice: Client, as_charlie: Client) -> None:
    assert "Add a company" not in as_alice.get("/companies").content.decode()
    assert "Add a company" in as_charlie.get("/companies").content.decode()


def test_staff_need_the_permission_to_add_and_to_stop(bob: User, company: Company) -> None:
    bob.is_staff = True
    bob.save()
    running(company)
    page = f"/companies/{NORTHWIND}"
    as_bob = signed_in(bob)
    for path in ("/companies/add", f"{page}/cancel"):
        assert as_bob.post(path, {"ticker": "NWI"}).status_code == 403
    assert "Add a company" not in as_bob.get("/companies").content.decode()
    assert "Stop</button>" not in as_bob.get(page).content.decode()
    actions = {"action": "cancel", "_selected_action": company.pk}
    assert as_bob.post("/admin/filings/company/", actions).status_code == 403
    company.refresh_from_db()
    assert company.is_open
    team = Group.objects.create(name="Ingestion")
    team.permissions.add(Permission.objects.get(codename="change_company"))
    bob.groups.add(team)
    assert "Add a company" in as_bob.get("/companies").content.decode()
    assert "Stop</button>" in as_bob.get(page).content.decode()
    assert as_bob.post(f"{page}/cancel").status_code == 302
    assert as_bob.post("/companies/add", {"ticker": "NWI"}).status_code == 302
    # Not without being staff, whatever the group may.
    User.objects.filter(pk=bob.pk).update(is_staff=False)
    assert as_bob.post(f"{page}/cancel").status_code == 403


@pytest.mark.parametrize("path", ["/companies/add", f"/companies/{NORTHWIND}/cancel"])
def test_nothing_changes_by_following_a_link(as_charlie: Client, company: Company, path: str) -> None:
    assert as_charlie.get(path).status_code == 405


@pytest.mark.parametrize(
    ("years", "span"),
    [("", (2015, None)), ("2018-", (2018, None)), ("2020-2022", (2020, 2022)), ("2021", (2021, 2021))],
)
def test_staff_add_a_company_by_ticker_and_its_page_shows_it_waiting(
    as_charlie: Client, company: Company, years: str, span: tuple[int, int | None]
) -> None:
    response = as_charlie.post("/companies/add", {"ticker": "nwi", "years": years}, follow=True)
    company.refresh_from_db()
    assert (company.status, company.years_from, company.years_to) == ("queued", *span)
    page = response.content.decode()
    assert response.redirect_chain == [(f"/companies/{NORTHWIND}", 302)]
    assert "Waiting to start" in page
    assert f'hx-get="/companies/{NORTHWIND}/progress"' in page


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ({"ticker": ""}, "Type a ticker first."),
        ({"ticker": "NWIQQ"}, "NWI (Northwind Instruments, Inc.)"),
        ({"ticker": "Northwind Instrument"}, "NWI (Northwind Instruments, Inc.)"),
        ({"ticker": "x" * 500}, "at most 60 characters"),
        (
            {"ticker": "NWI", "years": "last year"},
            "Enter one year, a range such as 2020-2024, or 2018- for every year since.",
        ),
        ({"ticker": "NWI", "years": "2024-2020"}, "2024 is after 2020."),
        ({"ticker": "OVRS"}, "files Form 20-F or 40-F, not 10-K"),
    ],
)
def test_what_cannot_be_added_is_told_beside_the_field(
    as_charlie: Client, company: Company, sent: dict[str, str], error: str
) -> None:
    known("Overseas Plc", "OVRS", 9_999_988_806, foreign=True)
    response = as_charlie.post("/companies/add", sent)
    assert response.status_code == 422
    assert error in response.content.decode().replace("&#x27;", "'")
    assert not Company.objects.filter(status=Company.Status.QUEUED).exists()


def test_a_company_being_ingested_is_not_queued_twice(as_charlie: Client, company: Company) -> None:
    Company.objects.filter(pk=company.pk).update(status=Company.Status.RUNNING, attempt=3)
    response = as_charlie.post("/companies/add", {"ticker": "NWI"})
    assert response.status_code == 422
    assert "is already being read" in response.content.decode()


# --- progress ---


def running(company: Company) -> None:
    Company.objects.filter(pk=company.pk).update(
        status=Company.Status.RUNNING, step="Filing 2 of 3", filings_done=1, filings_found=3
    )


def test_a_running_ingestion_shows_filings_facts_and_step_and_polls(client: Client, company: Company) -> None:
    running(company)
    page = client.get(f"/companies/{NORTHWIND}/progress", headers={"HX-Request": "true"}).content.decode()
    assert "Filing 2 of 3" in page
    assert "1 of 3 filings read" in page
    assert "4 figures" in page
    assert 'hx-trigger="every 2s"' in page
    assert "<html" not in page


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("done", "Read: 3 filings, 4 figures."),
        ("failed", "EDGAR did not answer."),
        ("cancelled", "Stopped after 3 of 3"),
    ],
)
def test_the_last_fragment_says_how_it_ended_and_stops_the_poll(
    client: Client, company: Company, status: str, said: str
) -> None:
    Company.objects.filter(pk=company.pk).update(status=status, problem="EDGAR did not answer.")
    page = client.get(f"/companies/{NORTHWIND}/progress", headers={"HX-Request": "true"}).content.decode()
    assert said in page
    assert "hx-trigger" not in page
    assert 'id="ingestion-status"' in page


def test_passages_are_counted_while_they_are_made(client: Client, company: Company) -> None:
    running(company)
    company.filings.filter(fiscal_year=2025).update(chunks_stored=1234)
    page = client.get(f"/companies/{NORTHWIND}/progress", headers={"HX-Request": "true"}).content.decode()
    assert "4 figures, 1,234 passages of text" in page


def test_staff_stop_an_ingestion_and_what_is_stored_stays(
    as_alice: Client, as_charlie: Client, company: Company
) -> None:
    running(company)
    assert "Stop</button>" not in as_alice.get(f"/companies/{NORTHWIND}").content.decode()
    assert "Stop</button>" in as_charlie.get(f"/companies/{NORTHWIND}").content.decode()
    page = as_charlie.post(f"/companies/{NORTHWIND}/cancel", follow=True).content.decode()
    company.refresh_from_db()
    assert company.status == Company.Status.CANCELLED
    assert company.facts.count() == 4
    assert "What is stored stays" in page


def test_stopping_what_does_not_run_changes_nothing(as_charlie: Client, company: Company) -> None:
    page = as_charlie.post(f"/companies/{NORTHWIND}/cancel", follow=True).content.decode()
    company.refresh_from_db()
    assert company.status == Company.Status.DONE
    assert "Northwind Instruments is not being read." in page
