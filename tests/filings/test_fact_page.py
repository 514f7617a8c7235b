"""The permanent page of one fact."""

import re
from datetime import date

import pytest
from django.test import Client

from filings.models import Company, Element, Fact, Member
from tests.support.holdings import SHA256, annual_fact, northwind


@pytest.fixture
def company(db: None) -> Company:
    return northwind()


def headline(client: Client, fact: Fact) -> str:
    """The main heading of a fact's page, as text."""
    found = re.search(r"<h1.*?</h1>", client.get(fact.get_absolute_url()).content.decode(), re.DOTALL)
    assert found
    return re.sub(r"<[^>]+>", "", found[0])


def latest(company: Company) -> Fact:
    return company.facts.get(raw="91530000")


def test_it_shows_every_field_and_where_it_comes_from(client: Client, company: Company) -> None:
    fact = latest(company)
    page = client.get(fact.get_absolute_url()).content.decode()
    for expected in (
        "91,530,000",
        "US dollars",
        "for the year ended",
        "Net sales",
        "91,530",
        "Income statement, line 1",
        "9999988801-26-000012",
        "nwi-20251231.htm",
        "d0" * 32,
        "Inline XBRL of the document",
        "None: the whole company",
    ):
        assert expected in page, expected


def test_a_fact_of_companyfacts_shows_the_hash_of_that_file_and_secs_own_data(
    client: Client, company: Company
) -> None:
    fact = company.facts.get(raw="79004000")
    page = client.get(fact.get_absolute_url()).content.decode()
    assert SHA256 in page
    assert "https://data.sec.gov/api/xbrl/companyconcept/CIK9999988801/us-gaap/Revenues.json" in page
    assert "Not on a loaded statement" in page


def test_its_headline_says_in_words_what_it_is_of_whom_and_when(client: Client, company: Company) -> None:
    assert headline(client, latest(company)) == "Northwind Instruments: Net sales for the year ended 31 December 2025"
    # Without a printed row, by what the taxonomy calls the element; without that, by its tag in words.
    unlabelled = company.facts.get(raw="79004000")
    Element.objects.create(taxonomy="us-gaap", tag="Revenues", label="Revenues, Net", measured="money", instant=False)
    assert headline(client, unlabelled) == "Northwind Instruments: Revenues, Net for the year ended 31 December 2023"
    quarter = annual_fact(unlabelled.filing, "OtherEPSIncome", "7", start=date(2023, 10, 1))
    assert (
        headline(client, quarter) == "Northwind Instruments: Other EPS Income for the quarter ended 31 December 2023"
    )
    balance = annual_fact(unlabelled.filing, "Cash", "7", start=date(2023, 12, 31))
    assert headline(client, balance) == "Northwind Instruments: Cash as of 31 December 2023"
    odd = annual_fact(unlabelled.filing, "Cash", "7", start=date(2023, 7, 1))
    assert headline(client, odd) == "Northwind Instruments: Cash for 1 July 2023 to 31 December 2023"


def test_a_large_value_is_given_in_millions_and_below_that_in_full(client: Client, company: Company) -> None:
    page = client.get(latest(company).get_absolute_url()).content.decode()
    assert "$91.53 <span" in page
    assert page.index("$91.53 <span") < page.index("91,530,000 US dollars")
    few = annual_fact(latest(company).filing, "Employees", "412", unit="shares")
    assert "412 shares" not in client.get(few.get_absolute_url()).content.decode()


def test_it_lists_the_same_tag_in_other_filings_and_marks_what_differs(client: Client, company: Company) -> None:
    page = client.get(company.facts.get(raw="86214000").get_absolute_url()).content.decode()
    assert "79,004,000" in page
    assert "91,530,000" in page
    assert page.count("Differs") == 1
    assert page.index("85,702,000") < page.index("Differs")


@pytest.mark.parametrize(
    ("unit", "later", "said"),
    [
        ("USD/shares", "1.54", True),
        ("shares", "24.6", True),
        ("USD/shares", "6.01", False),
        ("USD", "1.54", False),
    ],
)
def test_a_value_that_a_split_of_shares_restates_says_so(
    client: Client, company: Company, unit: str, later: str, said: bool
) -> None:
    fact = annual_fact(company.filings.get(fiscal_year=2023), "Tested", "6.15", unit=unit)
    annual_fact(company.filings.get(fiscal_year=2025), "Tested", later, year=2023, unit=unit)
    page = " ".join(client.get(fact.get_absolute_url()).content.decode().split())
    assert "1 differs from the value above" in page
    assert ("by a whole factor, as after a split of shares." in page) == said


def test_a_later_filing_that_agrees_is_listed_for_this_period_only(client: Client, company: Company) -> None:
    annual_fact(company.filings.get(fiscal_year=2024), "Revenues", "79004000", year=2023)
    of_2023 = client.get(company.facts.filter(raw="79004000").earliest("filed").get_absolute_url()).content.decode()
    of_2025 = client.get(latest(company).get_absolute_url()).content.decode()
    table = 'id="same-tag"'
    assert of_2023.partition(table)[2].count("79,004,000") == 2
    assert of_2025.partition(table)[2].count("79,004,000") == 1


def test_another_unit_another_tag_and_another_kind_of_period_are_not_listed(client: Client, company: Company) -> None:
    fact = latest(company)
    annual_fact(fact.filing, "Revenues", "111", unit="EUR")
    annual_fact(fact.filing, "OperatingIncomeLoss", "222")
    annual_fact(fact.filing, "Revenues", "333", start=fact.end)
    page = client.get(fact.get_absolute_url()).content.decode()
    assert ">111<" not in page
    assert ">222<" not in page
    assert ">333<" not in page


def test_a_loss_and_a_fraction_keep_their_digits(client: Client, company: Company) -> None:
    fact = annual_fact(latest(company).filing, "IncomeLossPerShare", "-0.060", unit="USD/shares")
    page = client.get(fact.get_absolute_url()).content.decode()
    assert "−0.060" in page  # noqa: RUF001 - typographic minus
    assert "US dollars per share" in page


def test_text_of_a_filing_is_shown_as_text(client: Client, company: Company) -> None:
    Fact.objects.filter(pk=latest(company).pk).update(label="<b>Net sales</b>", anchor='"><script>')
    page = client.get(latest(company).get_absolute_url()).content.decode()
    assert "<b>Net sales" not in page
    assert '"><script>' not in page


def test_a_part_is_named_in_words_beside_its_elements(client: Client, company: Company) -> None:
    filing = latest(company).filing
    names = (
        ("ProductOrServiceAxis", "Product or service", "GaugesMember", "Gauges"),
        # Printed beside the figure, and no name of how it enters the consolidated one.
        ("ConsolidationItemsAxis", "Consolidation Items", "OperatingSegmentsMember", "Total Gauges Segment"),
    )
    for axis, axis_label, member, label in names:
        Member.objects.create(filing=filing, axis=axis, axis_label=axis_label, member=member, label=label)
    told = (
        "ProductOrServiceAxis=GaugesMember;StatementGeographicalAxis=DE;ConsolidationItemsAxis=OperatingSegmentsMember"
    )
    fact = annual_fact(
        filing, "Revenues", "4", dimensions=told, label="Gauges, Germany", column="2025 | Total", printed="4"
    )
    assert (
        headline(client, fact)
        == "Northwind Instruments, Gauges, Germany: Revenues for the year ended 31 December 2025"
    )
    page = re.sub(r"<wbr>", "", client.get(fact.get_absolute_url()).content.decode())
    for expected in (
        '<dt>Product or service</dt><dd class="quoted">Gauges</dd>',
        # What the filing has no label of is called by the words of its element.
        '<dt>Statement Geographical</dt><dd class="quoted">Germany</dd>',
        '<dt>Consolidation Items</dt><dd class="quoted">Operating Segments</dd>',
        "ProductOrServiceAxis=GaugesMember",
        "ConsolidationItemsAxis=OperatingSegmentsMember",
        '<span class="quoted">Gauges, Germany</span>',
        '<span class="quoted">2025 | Total</span>',
    ):
        assert expected in page, expected


def test_an_unknown_fact_is_not_found(client: Client, db: None) -> None:
    assert client.get(f"/facts/{10**12}").status_code == 404
