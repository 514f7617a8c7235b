"""The pages of the workbench: what is held, who uses a tag, and the registry."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from agent.web.admin.refusal_counts import OTHERS, table
from filings.models import Anomaly, Company, Filing, Section
from filings.web import admin_pages
from tests.conftest import signed_in
from tests.support.holdings import annual_fact, annual_report, count, known, northwind

PAGES = ["admin:coverage", "admin:tag_use", "admin:registry", "admin:health"]


@pytest.fixture
def company(db: None) -> Company:
    return northwind()


# --- the first page, and who may come in ---


def test_the_first_page_lists_every_page_of_the_workbench(as_charlie: Client) -> None:
    page = as_charlie.get(reverse("admin:index")).content.decode()
    for name in PAGES:
        assert f'href="{reverse(name)}"' in page


@pytest.mark.parametrize("name", PAGES)
def test_a_page_needs_its_permission(as_alice: Client, bob: User, name: str) -> None:
    assert as_alice.get(reverse(name), follow=True).status_code == 403
    bob.is_staff = True
    bob.save()
    as_bob = signed_in(bob)
    assert as_bob.get(reverse(name)).status_code == 403
    assert f'href="{reverse(name)}"' not in as_bob.get(reverse("admin:index")).content.decode()
    page = next(one for one in admin_pages.PAGES if f"admin:{one.name}" == name)
    bob.user_permissions.add(Permission.objects.get(codename=page.permission.split(".")[1]))
    assert signed_in(User.objects.get(pk=bob.pk)).get(reverse(name)).status_code == 200


@pytest.mark.parametrize("name", PAGES)
def test_a_page_changes_nothing(as_charlie: Client, name: str) -> None:
    assert as_charlie.post(reverse(name)).status_code == 405


# --- the coverage ledger ---


def rows(client: Client, **asked: str) -> dict[str, Any]:
    page = client.get(reverse("admin:coverage"), asked)
    years = page.context["years"]
    return {row["company"].name: dict(zip(years, row["cells"], strict=True)) for row in page.context["rows"]}


def test_the_ledger_says_what_is_held_of_each_year(as_charlie: Client, company: Company) -> None:
    company.filings.filter(fiscal_year=2024).update(chunks_stored=3, indexed="embedded")
    cells = rows(as_charlie, q="nwi")[company.name]
    assert {year: cell.letters for year, cell in cells.items()} == {2025: "FD", 2024: "FTI", 2023: "F"}


def test_the_ledger_counts_items_that_are_unsure_and_anomalies(as_charlie: Client, company: Company) -> None:
    filing = company.filings.get(fiscal_year=2024)
    found = ("extracted", "extracted", "extracted", "not_found", "unverified", "none")
    for number, status in enumerate(found, 1):
        Section.objects.create(filing=filing, number=number, item=str(number), status=status)
    for _ in range(4):
        Anomaly.objects.create(company=company, kind="scale", detail="Assets jump.")
    page = as_charlie.get(reverse("admin:coverage"), {"q": "nwi"})
    (row,) = page.context["rows"]
    cell = row["cells"][1]
    assert (cell.extracted, cell.unsure, row["anomalies"]) == (3, 2, 4)
    text = page.content.decode()
    assert "</a> 3 <strong>(2)</strong></td>" in text
    assert "<td>4</td>" in text


def test_the_ledger_is_searched_and_narrowed_to_gaps(as_charlie: Client, company: Company) -> None:
    Filing.objects.exclude(company=company).update(origin="")
    company.filings.update(origin="edgar", document_status="held", chunks_stored=1, indexed="embedded")
    found = rows(as_charlie, q="northwind instr")
    assert company.name in found
    assert all("Northwind" in name for name in found)
    assert company.name not in rows(as_charlie, gaps="1")
    company.filings.filter(fiscal_year=2024).update(document_status="missing")
    assert list(rows(as_charlie, gaps="1")) == [company.name]


def test_the_ledger_costs_the_same_for_few_companies_and_for_many(
    as_charlie: Client, company: Company, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(12):
        other = known(f"Listed {number}", f"L{number}", 9_900_000_000 + number)
        annual_fact(annual_report(other, 2024), "Revenues", "1")
        count(other)
    with django_assert_max_num_queries(8):
        as_charlie.get(reverse("admin:coverage"))


# --- who uses a tag ---


@pytest.mark.parametrize("typed", ["us-gaap:Revenues", " Revenues "])
def test_a_tag_names_its_companies_with_first_and_last_period(
    as_charlie: Client, company: Company, typed: str
) -> None:
    other = known("Listed", "LSTD", 9_900_000_000)
    annual_fact(annual_report(other, 2024), "SalesRevenueNet", "1")
    count(other)
    page = as_charlie.get(reverse("admin:tag_use"), {"tag": typed})
    uses = {use.company.name: use for use in page.context["uses"]}
    assert "Listed" not in uses
    found = uses[company.name]
    assert (found.first.year, found.last.year, found.unit) == (2023, 2025, "USD")
    assert (found.statement, found.label) == ("income", "Net sales")


def test_a_fact_of_a_segment_is_no_use_by_the_company(as_charlie: Client, company: Company) -> None:
    annual_fact(company.filings.first(), "SegmentTag", "1", dimensions="Segment=A")
    assert as_charlie.get(reverse("admin:tag_use"), {"tag": "SegmentTag"}).context["uses"] == []


def test_what_is_no_tag_is_said(as_charlie: Client) -> None:
    page = as_charlie.get(reverse("admin:tag_use"), {"tag": "net income; drop"})
    assert "Enter a tag" in page.content.decode()


# --- the registry ---


def test_the_registry_is_found_by_words_key_and_tag(as_charlie: Client) -> None:
    def found(asked: str) -> list[str]:
        return [one.key for one in as_charlie.get(reverse("admin:registry"), {"q": asked}).context["concepts"]]

    assert "revenue" in found("top line")
    assert "rnd" in found("ResearchAndDevelopmentExpense")
    assert found("gross_profit") == ["gross_profit"]
    assert found("no such words") == []
    assert len(found("")) > 50


def test_a_concept_is_shown_with_the_companies_of_each_tag(as_charlie: Client, company: Company) -> None:
    other = known("Listed", "LSTD", 9_900_000_000)
    annual_fact(annual_report(other, 2024), "Assets", "1")
    count(other)
    page = as_charlie.get(reverse("admin:registry_entry", args=["revenue"]))
    by_tag = {row.name: [one.name for one in row.companies] for row in page.context["rows"]}
    assert company.name in by_tag["us-gaap:Revenues"]
    assert "Listed" in [one.name for one in page.context["without"]]
    assert company.name not in [one.name for one in page.context["without"]]


def test_a_metric_is_shown_with_its_formulas_and_what_they_read(as_charlie: Client) -> None:
    metrics = as_charlie.get(reverse("admin:registry")).context["metrics"]
    for metric in metrics:
        page = as_charlie.get(reverse("admin:registry_entry", args=[metric.key]))
        assert page.status_code == 200
        assert page.context["operands"]
    assert as_charlie.get(reverse("admin:registry_entry", args=["nothing"])).status_code == 404


# --- counts of refusals ---


def test_rare_names_stand_together() -> None:
    day = now().date()
    found = table((day, f"code {number}", 20 - number) for number in range(12))
    assert found.names == [*(f"code {number}" for number in range(8)), OTHERS]
    assert found.rows == [(day, [20, 19, 18, 17, 16, 15, 14, 13, 12 + 11 + 10 + 9], sum(range(9, 21)))]
