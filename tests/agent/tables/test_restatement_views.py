"""The page of a company's restatements: figures that later 10-Ks give otherwise, with both facts and the change."""

import csv
import io
from decimal import Decimal

import pytest
from django.test import Client

from agent.numbers.basis.moved_figures import Moved, moved_figures
from filings.models import Company, Fact
from tests.support.holdings import annual_fact, annual_report, northwind
from tests.support.sample import Sample


@pytest.fixture
def company(db: None) -> Company:
    return northwind()


def test_a_figure_that_moved_is_shown_with_both_facts_the_change_and_the_filing(
    client: Client, company: Company
) -> None:
    (one,) = moved_figures(company)
    assert (one.fiscal_year, one.change, one.percent) == (2024, Decimal(-512000), Decimal("-0.6"))
    page = client.get(f"/companies/{company.cik}/restatements").content.decode()
    for fact in (one.before, one.after):
        assert f'href="{fact.get_absolute_url()}"' in page
    assert "$86.214 million" in page
    assert "$85.702 million" in page
    assert "\u2212$512,000" in page
    assert "10-K, fiscal 2025" in page


def test_the_company_page_and_the_ticker_lead_there(client: Client, company: Company) -> None:
    address = f"/companies/{company.cik}/restatements"
    assert f'href="{address}"' in client.get(f"/companies/{company.cik}").content.decode()
    assert client.get("/companies/nwi/restatements").headers["Location"] == address
    assert client.get("/companies/nobody/restatements").status_code == 404


def test_the_file_has_every_digit(client: Client, company: Company) -> None:
    reply = client.get(f"/companies/{company.cik}/restatements.csv")
    (row,) = csv.DictReader(io.StringIO(reply.content.decode("utf-8-sig")))
    assert (row["Earlier value"], row["Later value"], row["Change"]) == ("86214000", "85702000", "-512000")
    assert client.get(f"/companies/{company.cik}/restatements.pdf").status_code == 400


@pytest.mark.parametrize(
    ("before", "after", "decimals"),
    [
        ("86214000", "86214000", None),
        ("86214321", "86214000", -3),
        ("0.125", "0.13", 2),
        ("105103000000", "105100000000", None),
    ],
)
def test_rounding_is_no_restatement(company: Company, before: str, after: str, decimals: int | None) -> None:
    annual_fact(company.filings.get(fiscal_year=2024), "Figure", before)
    annual_fact(company.filings.get(fiscal_year=2025), "Figure", after, year=2024, decimals=decimals)
    assert [one for one in moved_figures(company) if one.after.tag == "Figure"] == []


@pytest.mark.parametrize(
    ("before", "after", "decimals"),
    [("4900000000", "5000000000", None), ("105103000000", "105100000000", -6), ("105103000000", "105200000000", None)],
)
def test_a_figure_in_few_digits_or_of_known_precision_is_one(
    company: Company, before: str, after: str, decimals: int | None
) -> None:
    annual_fact(company.filings.get(fiscal_year=2024), "Figure", before, decimals=decimals)
    annual_fact(company.filings.get(fiscal_year=2025), "Figure", after, year=2024, decimals=decimals)
    assert [one.after.raw for one in moved_figures(company) if one.after.tag == "Figure"] == [after]


def test_a_company_without_any_says_so(client: Client, company: Company) -> None:
    Fact.objects.filter(company=company, filing__fiscal_year=2025, end__year=2024).delete()
    assert "No loaded 10-K reports" in client.get(f"/companies/{company.cik}/restatements").content.decode()


def test_a_figure_that_moved_twice_is_told_twice_the_newest_first(company: Company) -> None:
    annual_fact(annual_report(company, 2026), "Revenues", "85000000", year=2024)
    assert [one.after.raw for one in moved_figures(company)] == ["85000000", "85702000"]


@pytest.mark.parametrize(
    ("ticker", "tag", "year", "before", "after", "kind"),
    [
        ("NVDA", "EarningsPerShareDiluted", 2024, "11.93", "1.19", "split"),
        ("TSLA", "EarningsPerShareBasic", 2021, "5.6", "1.87", "split"),
        ("AMD", "AccountsPayableCurrent", 2024, "1990000000", "2466000000", "restated"),
        ("AAPL", "OtherAccruedLiabilitiesCurrent", 2024, "51703000000", "44024000000", "restated"),
    ],
)
def test_restatements_that_were_filed(
    sample: Sample, ticker: str, tag: str, year: int, before: str, after: str, kind: str
) -> None:
    found: list[Moved] = moved_figures(sample[ticker])
    (one,) = (one for one in found if (one.after.tag, one.fiscal_year) == (tag, year))
    assert (one.before.value, one.after.value, one.kind) == (Decimal(before), Decimal(after), kind)
