"""The documents of a company: by kind, with the periods that are missing, since the last 10-K, and page by page."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from filings.models import Company, Filing
from filings.models.report import imported_accession
from filings.models.source_kinds import CALL, NEWS, QUARTERLY
from filings.web.company_documents import by_kind, missing_periods, since_annual
from tests.support.holdings import NORTHWIND, annual_report, northwind

PAGE = f"/companies/{NORTHWIND}"
LIST = f"{PAGE}/documents"


@pytest.fixture
def company(db: None) -> Company:
    return northwind()


def document(company: Company, source: str, filed: date, **fields: Any) -> Filing:
    """A document with text; without a form, as a person brings it."""
    number = 100 + company.filings.count()
    accession = f"{NORTHWIND}-26-{number:06d}" if fields.get("form") else imported_accession(str(number).encode())
    return Filing.objects.create(
        company=company, source=source, filed=filed, **{"accession": accession, "chunks_stored": 3, **fields}
    )


def quarterly(company: Company, year: int, quarter: int, **fields: Any) -> Filing:
    filed = date(year, 3 * quarter + 1, 20)
    given = {"form": "10-Q", "fiscal_year": year, "fiscal_quarter": quarter, "period_end": filed - timedelta(20)}
    return document(company, "10-Q", filed, **{**given, **fields})


def call(company: Company, year: int, quarter: int, **fields: Any) -> Filing:
    return document(company, "call", date(year, 3 * quarter, 5), fiscal_year=year, fiscal_quarter=quarter, **fields)


def test_documents_stand_by_kind_newest_first_and_lead_to_their_reader(client: Client, company: Company) -> None:
    old, new = quarterly(company, 2025, 1), quarterly(company, 2025, 3)
    spoken = call(company, 2025, 3, title="The third quarter, spoken")
    page = client.get(PAGE).content.decode()
    listed = page.partition('id="filings"')[2].partition("</section>")[0]
    assert (
        listed.index("Annual report (10-K)") < listed.index("Quarterly report (10-Q)") < listed.index("Earnings call")
    )
    assert listed.index("10-Q, Q3 fiscal 2025") < listed.index("10-Q, Q1 fiscal 2025")
    for one in (old, new):
        assert f'href="/filings/{one.accession}?cik={NORTHWIND}"' in listed
    assert f'href="/filings/{spoken.accession}"' in listed
    assert "The third quarter, spoken" in listed
    assert "Missing in between: Q2 fiscal 2025." in listed
    # Nothing of the coverage of 10-Ks is lost, and no other kind is in it.
    coverage = page.partition('id="coverage"')[2]
    assert "FY2024" in coverage
    assert "10-Q" not in coverage
    assert "Earnings call" not in coverage


def test_quarters_that_are_missing_are_those_between(company: Company) -> None:
    tens = [quarterly(company, *one) for one in ((2023, 3), (2024, 1), (2025, 1))]
    assert missing_periods(QUARTERLY, tens) == ("Q3 fiscal 2024", "Q2 fiscal 2024")
    # There is a call of the fourth quarter, and no 10-Q.
    calls = [call(company, *one) for one in ((2023, 3), (2024, 1))]
    assert missing_periods(CALL, calls) == ("Q4 fiscal 2023",)
    assert missing_periods(NEWS, [document(company, "news", date(2020, 1, 1))]) == ()
    assert missing_periods(QUARTERLY, []) == ()


def test_a_year_between_without_an_annual_report_is_missing(company: Company) -> None:
    Filing.objects.filter(company=company, fiscal_year=2024).delete()
    assert by_kind(company)[0].missing == ("fiscal 2024",)


def test_since_the_last_annual_report_is_one_click(client: Client, company: Company) -> None:
    before = quarterly(company, 2025, 3)
    after = document(company, "8-K", date(2026, 3, 4), form="8-K")
    amended = annual_report(
        company, 2025, accession=f"{NORTHWIND}-26-000099", form="10-K/A", is_primary=False, filed=date(2026, 4, 1)
    )
    Filing.objects.filter(pk=amended.pk).update(facts_stored=1)
    found = since_annual(company)
    assert found
    assert (found.report.fiscal_year, found.count) == (2025, 2)
    assert f'<a href="{LIST}?since=on">Since the last 10-K: 2</a>' in client.get(PAGE).content.decode()
    listed = client.get(LIST, {"since": "on"}).content.decode()
    assert after.accession in listed
    assert amended.accession in listed
    assert before.accession not in listed


def test_the_list_is_filtered_by_kind_and_period(client: Client, company: Company) -> None:
    kept, other = quarterly(company, 2025, 2), quarterly(company, 2025, 3)
    spoken = call(company, 2025, 2)
    page = client.get(LIST, {"kind": "10-Q", "quarter": "2", "year": "2025"}).content.decode()
    assert kept.accession in page
    assert other.accession not in page
    assert spoken.accession not in page
    page = client.get(LIST, {"quarter": "2"}).content.decode()
    assert kept.accession in page
    assert spoken.accession in page
    nothing = client.get(LIST, {"kind": "news"}).content.decode()
    assert "No document of Northwind Instruments passes these filters." in nothing


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"year": "last"}, "Enter a year, such as 2024."),
        ({"kind": "11-K"}, "not one of the available choices"),
        ({"quarter": "9"}, "not one of the available choices"),
        ({"page": "x"}, "Documents of Northwind Instruments"),
    ],
)
def test_a_filter_that_cannot_be_read_is_told_beside_its_field(
    client: Client, company: Company, query: dict[str, str], said: str
) -> None:
    response = client.get(LIST, query)
    assert response.status_code == 200
    assert said in response.content.decode()
    assert f"{NORTHWIND}-26-000012" in response.content.decode()


def test_a_company_with_200_documents_is_short_on_its_page_and_paged_in_its_list(
    client: Client, company: Company, django_assert_max_num_queries: Any
) -> None:
    for number in range(200):
        document(company, "8-K", date(2020, 1, 1) + timedelta(number), form="8-K")
    page = client.get(PAGE).content.decode()
    assert page.count(">8-K, ") == 8
    assert f'<a href="{LIST}?kind=8-K">All 200 8-Ks</a>' in page
    with django_assert_max_num_queries(8):
        first = client.get(LIST, {"kind": "8-K"}).content.decode()
    assert first.count(">8-K, ") == 50
    assert "Page 1 of 4" in first
    assert 'href="?kind=8-K&amp;page=2" rel="next"' in first


def test_what_was_withdrawn_is_listed_as_such_and_what_has_nothing_is_not(client: Client, company: Company) -> None:
    gone = call(company, 2025, 1, withdrawn=now())
    empty = document(company, "8-K", date(2026, 3, 4), form="8-K", chunks_stored=0)
    listed = client.get(LIST).content.decode()
    assert "Withdrawn" in listed.partition(gone.accession)[2].partition("</tr>")[0]
    assert empty.accession not in listed


def test_the_directory_counts_the_years_of_annual_reports_alone(client: Client, company: Company) -> None:
    call(company, 2019, 2)
    page = client.get("/companies").content.decode()
    assert "2023 to 2025" in page
    assert "2019" not in page.partition("Northwind Instruments")[2].partition("</tr>")[0]


def test_a_predecessors_documents_are_its_successors(client: Client, company: Company) -> None:
    before = Company.objects.create(cik=9_999_988_870, name="Northwind Gauge Works", successor_cik=NORTHWIND)
    old = annual_report(before, 2020, facts_stored=1)
    listed = client.get(LIST).content.decode()
    assert f'href="/filings/{old.accession}?cik={before.cik}"' in listed
    assert client.get(f"/companies/{before.cik}/documents").headers["Location"] == LIST
