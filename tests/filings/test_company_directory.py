"""Data available of each company is told in the same years on the home page, the list, a watchlist and the search form."""

import re

from django.test import Client
from pytest_django import DjangoAssertNumQueries

from filings.models import Company, Filing
from filings.web import company_directory
from tests.support.holdings import known
from tests.support.sample import Sample

ROW = re.compile(r'<tr>\s*<th scope="row">(.*?)</tr>', re.DOTALL)


def row(client: Client, page: str, name: str) -> str:
    """The words of a company's row, one space between them."""
    rows = ROW.findall(client.get(page).content.decode())
    found = next(one for one in rows if f">{name}<" in one)
    return " ".join(re.sub(r"<[^>]+>", " ", found).split())


def test_a_row_names_the_years_of_figures_and_of_text(client: Client, sample: Sample) -> None:
    assert row(client, "/companies", "Apple").startswith("Apple AAPL 2015 to 2025 None 31 Oct 2025")
    assert row(client, "/companies", "Northwind (fictional)").startswith(
        "Northwind (fictional) NWND 2024 to 2025 2024 to 2025 20 Feb 2026"
    )


def test_a_year_that_is_missing_between_others_is_counted(client: Client, sample: Sample) -> None:
    Filing.objects.filter(company=sample["AAPL"], fiscal_year=2019).delete()
    assert "2015 to 2025 , 10 years" in row(client, "/companies", "Apple")


def test_a_company_with_text_alone_is_listed(client: Client, sample: Sample) -> None:
    northwind = sample["NWND"]
    Company.objects.filter(pk=northwind.pk).update(facts_stored=0)
    northwind.filings.update(facts_stored=0)
    assert row(client, "/companies", "Northwind (fictional)").startswith(
        "Northwind (fictional) NWND None 2024 to 2025"
    )


def test_text_of_years_before_the_first_that_can_be_asked_is_searched_and_no_more(
    client: Client, sample: Sample
) -> None:
    held = Filing.objects.filter(company=sample["NWND"])
    held.update(facts_stored=0)
    Company.objects.filter(pk=sample["NWND"].pk).update(facts_stored=0)
    for year, filing in zip((2008, 2009), held.order_by("fiscal_year"), strict=True):
        Filing.objects.filter(pk=filing.pk).update(fiscal_year=year)
    assert "Northwind" not in client.get("/").content.decode()
    assert "Northwind" not in client.get("/companies").content.decode()
    assert "Northwind (fictional), 2008 to 2009" in client.get("/search").content.decode()
    assert row(client, "/companies?q=northwind", "Northwind (fictional)").startswith(
        "Northwind (fictional) NWND None 2008 to 2009"
    )


def test_a_watchlist_tells_the_same_years(as_alice: Client, sample: Sample) -> None:
    Filing.objects.filter(company=sample["AAPL"], fiscal_year=2015).update(fiscal_year=2013)
    as_alice.post("/watchlists", {"name": "Mine", "companies": "AAPL, NWND"})
    for page in ("/", "/watchlists"):
        assert "AAPL 2016 to 2025 None 31 Oct 2025" in row(as_alice, page, "Apple")
        assert "NWND 2024 to 2025 2024 to 2025 20 Feb 2026" in row(as_alice, page, "Northwind (fictional)")


def test_a_company_that_is_being_read_is_listed_apart_from_those_that_can_be_asked_about(
    client: Client, sample: Sample
) -> None:
    known("Halden Optics Inc.", "HLDN", 9_999_970_001, status=Company.Status.RUNNING)
    home, page = (client.get(path).content.decode() for path in ("/", "/companies"))
    count = Company.objects.covered().count()
    assert f"{count} companies covered" in home
    assert f">{count} of " in page
    assert "Halden" not in home
    assert "Halden Optics" in page.partition("Not read yet</h2>")[2]


def test_all_of_them_take_two_queries(sample: Sample, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(2):  # companies with what is held, and their tickers
        assert [(one.figures, one.symbols) for one in company_directory.askable()]


def test_home_counts_the_companies_and_leads_to_all_of_them(client: Client, db: None) -> None:
    Company.objects.update(active=False)
    for number in range(61):
        known(f"Halden {number:02d} Inc.", f"HLD{number}", 9_999_970_000 + number, facts_stored=9)
    page = client.get("/").content.decode()
    assert "61 companies covered" in page
    assert "Halden 59" not in page.partition("61 companies covered")[2]
    assert '<a href="/companies">All 61 companies</a>' in page
