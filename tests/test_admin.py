"""The admin: staff only, read-only where rows come from SEC, and no list that asks once a row."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from accounts.admin_lists import BoundedPaginator
from accounts.models import User
from agent.models import Run, Step
from filings.models import Anomaly, Company, Fact, ForeignRegistrant, Succession
from tests.support.holdings import NORTHWIND, annual_fact, annual_report, count, known, northwind

LISTS = [
    reverse_name
    for model in admin.site._registry
    if (reverse_name := f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
]
READ_ONLY = ("filings.filing", "filings.statement", "filings.document", "filings.fact", "filings.anomaly", "agent.run")


@pytest.fixture
def company(db: None) -> Company:
    return northwind()


def run(**fields: Any) -> Run:
    return Run.objects.create(question="What was Northwind's revenue?", status=Run.Status.DONE, **fields)


# --- who may come in ---


def test_a_visitor_is_sent_to_sign_in(client: Client, db: None) -> None:
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0].startswith("/accounts/login/")


def test_an_ordinary_user_is_not_let_in(as_alice: Client) -> None:
    assert as_alice.get("/admin/", follow=True).status_code == 403


@pytest.mark.parametrize("name", LISTS)
def test_staff_see_every_list_and_alice_none(
    as_alice: Client, as_charlie: Client, company: Company, name: str
) -> None:
    assert as_charlie.get(reverse(name)).status_code == 200
    assert as_alice.get(reverse(name), follow=True).status_code == 403


@pytest.mark.parametrize("name", LISTS)
def test_every_list_can_be_searched(as_charlie: Client, company: Company, name: str) -> None:
    assert as_charlie.get(reverse(name), {"q": "Northwind 1"}).status_code == 200


@pytest.mark.parametrize("model", READ_ONLY)
def test_what_comes_from_sec_or_from_a_run_cannot_be_edited(as_charlie: Client, company: Company, model: str) -> None:
    Anomaly.objects.create(company=company, kind="scale", detail="Assets jump.")
    answered = run(visitor="6c1f0a4e-0000-4000-8000-000000000001")
    Step.objects.create(run=answered, attempt=1, sequence=1, node="plan", said="Read.", ms=1)
    label, name = model.split(".")
    cls = next(registered for registered in admin.site._registry if registered._meta.label_lower == model)
    found = cls._default_manager.order_by("-pk").first()
    change = reverse(f"admin:{label}_{name}_change", args=[found.pk])
    assert as_charlie.get(change).status_code == 200
    assert as_charlie.post(change, {}).status_code == 403
    assert as_charlie.get(reverse(f"admin:{label}_{name}_add")).status_code == 403
    assert (
        as_charlie.post(reverse(f"admin:{label}_{name}_delete", args=[found.pk]), {"post": "yes"}).status_code == 403
    )
    assert cls._default_manager.filter(pk=found.pk).exists()


@pytest.mark.parametrize(
    "name", ["filings_company", "filings_filing", "filings_statement", "filings_document", "filings_fact", "agent_run"]
)
def test_a_list_costs_the_same_for_few_rows_and_for_many(
    as_charlie: Client, company: Company, bob: User, name: str, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        other = known(f"Listed {number}", f"L{number}", 9_900_000_000 + number)
        annual_fact(annual_report(other, 2024), "Revenues", "1")
        count(other)
        run(user=bob)
    with django_assert_max_num_queries(12):
        as_charlie.get(reverse(f"admin:{name}_changelist"))


def test_the_list_of_facts_never_counts_the_whole_table(
    as_charlie: Client, company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedPaginator, "LIMIT", 250)
    page = as_charlie.get(reverse("admin:filings_fact_changelist"))
    assert page.context["cl"].result_count == 250
    assert Fact.objects.count() > 250


@pytest.mark.parametrize("more", [False, True])
def test_a_list_that_ends_before_its_last_row_says_so(
    as_charlie: Client, db: None, monkeypatch: pytest.MonkeyPatch, more: bool
) -> None:
    monkeypatch.setattr(BoundedPaginator, "LIMIT", 60)
    for _ in range(61 if more else 60):
        run()
    page = as_charlie.get(reverse("admin:agent_run_changelist"), {"p": "2"})
    assert page.context["cl"].result_count == 60
    assert ("There are more than 60 results. Narrow them with a filter or a search." in page.content.decode()) is more


# --- users ---


def test_a_user_is_added_by_e_mail_address_in_lower_case(as_charlie: Client) -> None:
    sent = {
        "email": "New@Example.com",
        "usable_password": "true",
        "password1": "quiet-meadow-7",
        "password2": "quiet-meadow-7",
    }
    assert as_charlie.post(reverse("admin:accounts_user_add"), sent).status_code == 302
    assert User.objects.get(email="new@example.com").check_password("quiet-meadow-7")


def test_two_users_never_differ_by_case_alone(as_charlie: Client, alice: User) -> None:
    sent = {
        "email": "ALICE@example.com",
        "usable_password": "true",
        "password1": "quiet-meadow-7",
        "password2": "quiet-meadow-7",
    }
    response = as_charlie.post(reverse("admin:accounts_user_add"), sent)
    assert "already exists" in response.content.decode()
    assert User.objects.filter(email__iexact="alice@example.com").count() == 1


def test_a_user_can_be_opened_and_switched_off(as_charlie: Client, alice: User) -> None:
    change = reverse("admin:accounts_user_change", args=[alice.pk])
    assert as_charlie.get(change).status_code == 200
    assert as_charlie.post(change, {"email": alice.email}).status_code == 302
    alice.refresh_from_db()
    assert not alice.is_active


# --- companies ---


def edited(company: Company, **fields: str) -> dict[str, str]:
    """What the form of a company sends."""
    tickers = {"tickers-TOTAL_FORMS": "0", "tickers-INITIAL_FORMS": "0"}
    return {"active": "on", "priority": "5", "aliases": "", "label_offset": "", **tickers, **fields}


def change(company: Company) -> str:
    return reverse("admin:filings_company_change", args=[company.pk])


def test_aliases_are_written_one_a_line(as_charlie: Client, company: Company) -> None:
    sent = edited(company, aliases="Northwind\r\n  The   Gauge Company \r\n\r\nNorthwind")
    assert as_charlie.post(change(company), sent).status_code == 302
    company.refresh_from_db()
    assert company.aliases == ["Northwind", "The Gauge Company"]
    assert "Northwind\nThe Gauge Company</textarea>" in as_charlie.get(change(company)).content.decode()


def test_an_edit_touches_only_what_was_edited(as_charlie: Client, company: Company) -> None:
    Company.objects.filter(pk=company.pk).update(status=Company.Status.RUNNING, filings_done=1)
    as_charlie.post(change(company), edited(company, active=""))
    company.refresh_from_db()
    assert (company.active, company.status, company.filings_done) == (False, "running", 1)
    assert company.former_names == ["Northwind Gauge Works"]


def test_a_label_offset_relabels_the_filings_at_once(as_charlie: Client, company: Company) -> None:
    assert as_charlie.post(change(company), edited(company, label_offset="-1")).status_code == 302
    assert sorted(company.filings.values_list("fiscal_year", flat=True)) == [2022, 2023, 2024]
    as_charlie.post(change(company), edited(company))
    assert sorted(company.filings.values_list("fiscal_year", flat=True)) == [2023, 2024, 2025]


def test_a_label_never_lies_more_than_a_year_off(as_charlie: Client, company: Company) -> None:
    response = as_charlie.post(change(company), edited(company, label_offset="5"))
    assert "at most one year off" in response.content.decode()


def test_a_curator_sets_and_removes_the_successor_of_a_company(as_charlie: Client, company: Company) -> None:
    older = known("Northwind Gauge Works", "NWGX9", company.cik - 2, successor_cik=company.cik)
    newer = known("Northwind Holdings Corp", "NWHX9", company.cik - 1)
    assert as_charlie.post(change(company), edited(company, successor_cik=str(newer.cik))).status_code == 302
    found = Company.objects.filter(pk__in=[company.pk, older.pk]).values_list("successor_cik", flat=True)
    assert set(found) == {newer.cik}
    company.refresh_from_db()
    assert company.succession == Succession.CURATOR
    as_charlie.post(change(company), edited(company))
    company.refresh_from_db()
    assert (company.successor_cik, company.succession) == (None, Succession.CURATOR)


def test_a_successor_is_a_registrant_that_is_stored_and_another(as_charlie: Client, company: Company) -> None:
    for cik, said in ((123, "No registrant with CIK 123 is stored."), (company.cik, "cannot be its own successor")):
        response = as_charlie.post(change(company), edited(company, successor_cik=str(cik)))
        assert said in response.content.decode()


def test_companies_are_neither_added_nor_deleted_by_hand(as_charlie: Client, company: Company) -> None:
    assert as_charlie.get(reverse("admin:filings_company_add")).status_code == 403
    assert (
        as_charlie.post(reverse("admin:filings_company_delete", args=[company.pk]), {"post": "yes"}).status_code == 403
    )


@pytest.mark.parametrize(
    ("action", "before", "field", "after", "said"),
    [
        ("ingest", {}, "status", "queued", "1 company is queued."),
        ("ingest", {"status": "running"}, "status", "running", "Nothing was changed"),
        ("cancel", {"status": "running"}, "status", "cancelled", "1 company is stopped."),
        ("cancel", {}, "status", "done", "Nothing was changed"),
        ("deactivate", {}, "active", False, "1 company is switched off."),
        ("retry", {"status": "failed"}, "status", "queued", "1 company is queued again."),
        ("retry", {"status": "cancelled"}, "status", "queued", "1 company is queued again."),
        ("retry", {"status": "done"}, "status", "done", "Nothing was changed"),
        ("take_first", {}, "priority", 0, "1 company is taken first."),
        ("take_last", {}, "priority", 9, "1 company is taken last."),
        ("take_in_turn", {}, "priority", 5, "Nothing was changed"),
        ("activate", {"active": False}, "active", True, "1 company is switched on."),
        ("activate", {}, "active", True, "Nothing was changed"),
    ],
)
def test_actions_say_what_they_changed(
    as_charlie: Client, company: Company, action: str, before: dict[str, Any], field: str, after: Any, said: str
) -> None:
    Company.objects.filter(pk=company.pk).update(**before)
    sent = {"action": action, "_selected_action": [company.pk]}
    page = as_charlie.post(reverse("admin:filings_company_changelist"), sent, follow=True).content.decode()
    company.refresh_from_db()
    assert getattr(company, field) == after
    assert said in page


def test_the_coverage_page_counts_facts_by_year_and_source(as_charlie: Client, company: Company) -> None:
    Anomaly.objects.create(company=company, kind="scale", fiscal_year=2024, detail="Assets jump.")
    page = as_charlie.get(reverse("admin:filings_company_coverage", args=[company.pk]))
    rows = {
        row["year"].fiscal_year: (row["companyfacts"], row["inline"], row["faces"]) for row in page.context["years"]
    }
    assert rows == {2025: (1, 1, ("income",)), 2024: (1, 0, ()), 2023: (1, 0, ())}
    assert "Assets jump." in page.content.decode()


def test_the_coverage_page_is_for_staff(client: Client, as_alice: Client, company: Company) -> None:
    address = reverse("admin:filings_company_coverage", args=[company.pk])
    assert client.get(address).status_code == 302
    assert as_alice.get(address, follow=True).status_code == 403


def test_a_foreign_registrant_marks_its_company_and_its_removal_lets_it_be_ingested(as_charlie: Client) -> None:
    overseas = known("Overseas Plc", "OVRS", NORTHWIND + 5)
    add = reverse("admin:filings_foreignregistrant_add")
    as_charlie.post(add, {"cik": overseas.cik, "name": "Overseas Plc", "form": "20-F"})
    overseas.refresh_from_db()
    assert overseas.foreign
    row = ForeignRegistrant.objects.get(cik=overseas.cik)
    as_charlie.post(reverse("admin:filings_foreignregistrant_delete", args=[row.pk]), {"post": "yes"})
    overseas.refresh_from_db()
    assert not overseas.foreign
