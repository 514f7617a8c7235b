"""Companies, filings, sections and coverage by the API: what the pages show, for everybody."""

import hashlib

import pytest
from django.test import Client

from filings.models import Company, Filing, Section
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

API = "/api/v1"
NORTHWIND = 9_999_999_901


def get(client: Client, address: str, **query: object):
    return client.get(f"{API}{address}", query)


# --- companies ---


def test_companies_that_can_be_asked_about_are_listed_by_name(client: Client, sample: Sample) -> None:
    shown = get(client, "/companies", size=100).json()
    assert shown["total"] == Company.objects.covered().count()
    names = [one["name"].lower() for one in shown["items"]]
    assert names == sorted(names)
    assert all(one["covered"] for one in shown["items"])
    northwind = next(one for one in shown["items"] if one["cik"] == NORTHWIND)
    assert northwind["fictional"]


def test_a_company_known_by_name_is_found_where_all_are_wanted(client: Client, sample: Sample) -> None:
    Company.objects.create(cik=9_000_000_001, name="Unheard Of Corp")
    assert get(client, "/companies", q="unheard").json()["items"] == []
    (found,) = get(client, "/companies", q="unheard", covered="all").json()["items"]
    assert (found["cik"], found["covered"], found["years"]) == (9_000_000_001, False, 0)


def test_a_company_is_found_by_ticker_cik_and_name(client: Client, sample: Sample) -> None:
    apple = sample["AAPL"]
    for name in ("AAPL", "aapl", "320193", "CIK0000320193", "Apple Inc."):
        shown = get(client, f"/companies/{name}").json()
        assert (shown["cik"], shown["symbols"][0]) == (apple.cik, "AAPL")
    assert get(client, "/companies/Apple").status_code == 404


def test_coverage_is_told_year_by_year(client: Client, sample: Sample) -> None:
    shown = get(client, f"/companies/{NORTHWIND}").json()
    filing = Filing.objects.filter(company__cik=NORTHWIND, is_primary=True).order_by("-fiscal_year").first()
    year = shown["coverage"][0]
    assert (year["fiscal_year"], year["accession"]) == (filing.fiscal_year, filing.accession)
    assert (year["facts"], year["passages"]) == (filing.facts_stored, filing.chunks_stored)
    assert year["sections"]["extracted"] > 10
    assert "income" in year["statements"]


def test_coverage_in_all_adds_up(client: Client, sample: Sample) -> None:
    shown = get(client, "/coverage").json()
    held = Filing.objects.primary().filter(facts_stored__gt=0)
    assert (shown["companies"], shown["filings"]) == (Company.objects.covered().count(), held.count())
    assert shown["facts"] == sum(held.values_list("facts_stored", flat=True))
    assert shown["filings_with_text"] == Filing.objects.primary().filter(chunks_stored__gt=0).count()


# --- filings ---


def test_filings_of_a_company_the_newest_first(client: Client, sample: Sample) -> None:
    shown = get(client, "/filings", company="AAPL", size=100).json()
    filed = [one["filed"] for one in shown["items"]]
    assert filed == sorted(filed, reverse=True)
    assert shown["total"] == sample["AAPL"].filings.annual().count()
    (one,) = get(client, "/filings", company="AAPL", fiscal_year=2024).json()["items"]
    assert (one["accession"], one["primary"]) == (sample.filing("AAPL", 2024).accession, True)
    assert one["sec_url"].startswith("https://www.sec.gov/Archives/edgar/data/320193/")
    assert get(client, "/filings", company="NOBODY").status_code == 404


def test_quarterly_reports_are_listed_where_they_are_asked_for(client: Client, sample: Sample) -> None:
    shown = get(client, "/filings", company="AAPL", fiscal_year=2024, report="quarterly").json()["items"]
    assert [(one["form"], one["fiscal_quarter"], one["primary"]) for one in shown] == [
        ("10-Q", quarter, False) for quarter in (3, 2, 1)
    ]
    assert all(one["facts"] for one in shown)
    assert get(client, "/filings", report="monthly").status_code == 422


def test_a_filing_has_its_sections(client: Client, sample: Sample) -> None:
    filing = Filing.objects.filter(company__cik=NORTHWIND, chunks_stored__gt=0).first()
    shown = get(client, f"/filings/{filing.accession}").json()
    risk = next(one for one in shown["sections"] if one["key"] == "1A")
    assert (risk["title"], risk["status"]) == ("1A Risk Factors", "extracted")
    text = client.get(risk["url"]).json()
    assert (text["characters"], text["sha256"]) == (risk["characters"], risk["sha256"])
    assert get(client, "/filings/0000000000-00-000000").status_code == 404


def test_of_an_accession_of_two_registrants_the_one_named_is_shown(client: Client, sample: Sample) -> None:
    filing = Filing.objects.filter(company__cik=NORTHWIND, chunks_stored__gt=0).first()
    other = Company.objects.create(cik=9_000_000_002, name="Northwind Capital")
    Filing.objects.create(company=other, accession=filing.accession, form="10-K", filed=filing.filed)
    assert get(client, f"/filings/{filing.accession}").json()["cik"] == NORTHWIND
    assert get(client, f"/filings/{filing.accession}", cik=other.cik).json()["company"] == "Northwind Capital"
    assert get(client, f"/filings/{filing.accession}", cik=1).status_code == 404
    assert get(client, f"/filings/{filing.accession}", cik="x").status_code == 422


# --- sections ---


@pytest.fixture
def risks(sample: Sample) -> Section:
    return Section.objects.filter(filing__company__cik=NORTHWIND, item="1A").exclude(text="").first()


def address(section: Section) -> str:
    return f"/filings/{section.filing.accession}/sections/{section.key}"


def test_the_text_of_a_section_is_that_of_the_filing(client: Client, risks: Section) -> None:
    shown = get(client, address(risks)).json()
    assert shown["text"] == risks.text
    assert hashlib.sha256(shown["text"].encode()).hexdigest() == shown["sha256"]
    assert (shown["title"], shown["cik"], shown["next_start"]) == ("Item 1A. Risk Factors", NORTHWIND, None)


def test_a_long_text_is_read_in_stretches(client: Client, risks: Section) -> None:
    read, start = "", 0
    while start is not None:
        shown = get(client, address(risks), start=start, length=1000).json()
        assert len(shown["text"]) <= 1000
        read, start = read + shown["text"], shown["next_start"]
    assert read == risks.text
    assert get(client, address(risks), start=10**9).json()["text"] == ""


def test_pages_of_a_stretch_are_those_that_begin_in_it(client: Client, risks: Section) -> None:
    known = [one.start for one in risks.parsed_pages]
    assert len(known) > 1
    shown = get(client, address(risks), start=known[1], length=1).json()
    assert [one["start"] for one in shown["pages"]] == [known[1]]
    assert [one["start"] for one in get(client, address(risks)).json()["pages"]] == known


@pytest.mark.parametrize("query", ["start=-1", "length=0", "length=200001", "cik=0"])
def test_bounds_of_a_stretch_are_kept(client: Client, risks: Section, query: str) -> None:
    assert client.get(f"{API}{address(risks)}?{query}").status_code == 422


@pytest.mark.parametrize("key", ["p9999", "9C", "1", "99"])
def test_a_section_that_is_not_there_is_not_found(client: Client, risks: Section, key: str) -> None:
    Section.objects.filter(filing=risks.filing, item__in=["9C", "1"]).delete()
    response = get(client, f"/filings/{risks.filing.accession}/sections/{key}")
    assert (response.status_code, response.json()["reason"]) == (404, "not_found")


def test_a_section_is_not_sent_twice(client: Client, risks: Section) -> None:
    first = get(client, address(risks))
    again = client.get(f"{API}{address(risks)}", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get(f"{API}{address(risks)}?start=1", headers={"If-None-Match": first["ETag"]})
    assert other.status_code == 200


# --- cost ---


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ("/companies?size=1", "/companies?size=100"),
        ("/filings?size=1", "/filings?size=100"),
        ("/facts?accession={0}&size=1", "/facts?accession={0}&size=100"),
        ("/companies/AAPL", "/companies/JPM"),
    ],
)
def test_a_list_costs_the_same_whatever_its_length(
    client: Client, sample: Sample, django_assert_num_queries, django_assert_max_num_queries, small: str, large: str
) -> None:
    accession = sample.filing("AAPL", 2024).accession
    with django_assert_max_num_queries(7) as few:
        assert client.get(API + small.format(accession)).status_code == 200
    with django_assert_num_queries(len(few)):
        assert client.get(API + large.format(accession)).status_code == 200


def test_reading_makes_no_session(client: Client, sample: Sample) -> None:
    for address in ("/companies", "/filings", "/coverage", "/concepts", "/usage", "/health"):
        assert "sessionid" not in get(client, address).cookies
