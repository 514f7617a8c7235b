"""What is held of each company is told in the same columns on the home page and on the list of companies."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from filings.models import Company, Filing
from filings.web import directory
from tests.support.holdings import known
from tests.support.sample import Sample

EVERY_PAGE = pytest.mark.parametrize("page", ["/", "/companies"])
ROW = re.compile(r'<tr>\s*<th scope="row">(.*?)</tr>', re.DOTALL)


def row(client: Client, page: str, name: str) -> str:
    """The words of a company's row, one space between them."""
    rows = ROW.findall(client.get(page).content.decode())
    found = next(one for one in rows if f">{name}<" in one)
    return " ".join(re.sub(r"<[^>]+>", " ", found).split())


@EVERY_PAGE
def test_a_row_names_the_years_of_figures_and_of_text(client: Client, sample: Sample, page: str) -> None:
    assert row(client, page, "Apple").startswith("Apple AAPL 2015 to 2025 No text 31 Oct 2025")
    assert row(client, page, "Northwind (fictional)").startswith(
        "Northwind (fictional) NWND 2024 to 2025 2024 to 2025 20 Feb 2026"
    )


@EVERY_PAGE
def test_a_year_that_is_missing_between_others_is_counted(client: Client, sample: Sample, page: str) -> None:
    Filing.objects.filter(company=sample["AAPL"], fiscal_year=2019).delete()
    assert "2015 to 2025 , 10 years" in row(client, page, "Apple")


@EVERY_PAGE
def test_a_company_with_text_alone_is_listed(client: Client, sample: Sample, page: str) -> None:
    northwind = sample["NWND"]
    Company.objects.filter(pk=northwind.pk).update(facts_stored=0)
    northwind.filings.update(facts_stored=0)
    assert row(client, page, "Northwind (fictional)").startswith("Northwind (fictional) NWND None 2024 to 2025")


def test_all_of_them_take_two_queries(sample: Sample, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(2):  # companies with what is held, and their tickers
        assert [(one.figures, one.symbols) for one in directory.covered()]


def test_home_names_every_company_and_leads_to_the_rest_of_very_many(client: Client, db: None) -> None:
    Company.objects.update(active=False)
    for number in range(61):
        known(f"Halden {number:02d} Inc.", f"HLD{number}", 9_999_970_000 + number, facts_stored=9)
    page = client.get("/").content.decode()
    assert "Halden 59" in page
    assert "Halden 60" not in page
    assert '<a href="/companies">All 61 companies</a>' in page
