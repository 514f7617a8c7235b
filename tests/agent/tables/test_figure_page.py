"""The page of one computed figure: how it is made, of which facts, and the years around it."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from accounts.models import Meter
from agent.refusals.codes import Code
from filings.models import Company, Fact
from tests.agent.pages.test_views_run import text
from tests.agent.tables.cells import texts
from tests.support.holdings import known
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

APPLE = "/figures/320193/2024"


def shown(client: Client, measure: str, at: str = APPLE) -> HttpResponse:
    response = client.get(f"{at}/{measure}")
    assert response.status_code == 200, response.content.decode()
    return response


def test_it_shows_the_formula_with_a_link_for_each_operand(client: Client, sample: Sample) -> None:
    response = shown(client, "gross_margin")
    page = response.content.decode()
    assert "<h1>Apple, gross margin, fiscal 2024</h1>" in page
    assert "Gross margin is gross profit \u00f7 total revenue." in text(response)
    line = re.search(r'<p class="formula__line">(.*?)</p>', page, re.DOTALL)
    assert line is not None
    facts = [Fact.objects.get(pk=pk) for pk in re.findall(r'href="/facts/(\d+)"', line[1])]
    assert [str(fact.value) for fact in facts] == ["180683000000", "391035000000"]
    assert "46.2%" in line[1]
    assert f'href="{sample["AAPL"].get_absolute_url()}"' in page


def test_the_years_around_it_stand_below_with_what_it_moved_by(client: Client, sample: Sample) -> None:
    response = shown(client, "gross_margin")
    years = response.context["part"]["table"].years
    assert len(years.columns) == 10
    at = [column.label for column in years.columns].index("FY2024")
    margin, change = texts(years)
    assert (margin[0], margin[at], margin[at + 1]) == ("Gross margin", "44.1%", "46.2%")
    assert (change[0], change[at + 1]) == ("Change", "+2.1")
    # Every other year has a page like this one; this one's formula is on it.
    (row, _) = years.groups[0].rows
    assert [one.href for one in row.shown if one and one.kind == "context"] == [
        f"/figures/320193/{column.label.removeprefix('FY')}/gross_margin"
        for column in years.columns
        if column.label != "FY2024"
    ]
    assert row.shown[at] is not None
    assert f'id="{row.shown[at].href.removeprefix("#")}"' in response.content.decode()


@pytest.mark.parametrize(
    ("measure", "title"),
    [
        ("roe:ending", "Apple, return on equity (year-end equity), fiscal 2024"),
        ("growth of revenue", "Apple, growth of total revenue, fiscal 2024"),
        ("change of roe:average", "Apple, change of return on equity (average equity), fiscal 2024"),
        ("rnd of revenue", "Apple, research and development expense as % of total revenue, fiscal 2024"),
        # A reported one has a page too, which leads to its fact.
        ("revenue", "Apple, total revenue, fiscal 2024"),
    ],
)
def test_every_key_of_a_computed_cell_has_its_page(client: Client, sample: Sample, measure: str, title: str) -> None:
    response = shown(client, measure)
    assert title in text(response)
    assert response.context["part"]["table"].single is not None


def test_every_place_is_there_once(client: Client, sample: Sample) -> None:
    for measure in ("gross_margin", "roe", "growth of revenue", "revenue"):
        places = re.findall(r'\sid="([^"]+)"', shown(client, measure).content.decode())
        assert len(places) == len(set(places))


@pytest.mark.parametrize(
    "address",
    [
        f"{APPLE}/nonsense", f"{APPLE}/roe:never", f"{APPLE}/us-gaap:Revenues", f"{APPLE}/income", f"{APPLE}/growth of ",
        "/figures/7/2024/gross_margin", "/figures/9999999999999999999999/2024/gross_margin", "/figures/9000000003/2024/roe",
        "/figures/320193/x/roe", "/figures/320193/-1/roe", f"/figures/320193/{10**20}/roe",
    ],
)  # fmt: skip
def test_of_what_is_not_known_there_is_no_page(client: Client, sample: Sample, address: str) -> None:
    known("Unheard Of Corp", "UNHD", 9_000_000_003)
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("measure", ["revenue + eps_diluted", "gross_margin - revenue"])
def test_of_unlike_units_there_is_no_figure_and_no_error(client: Client, sample: Sample, measure: str) -> None:
    assert client.get(f"{APPLE}/{measure}").status_code in {200, 404}


def test_a_company_that_is_not_read_any_more_has_none(client: Client, sample: Sample) -> None:
    assert client.get(f"{APPLE}/roe").status_code == 200
    Company.objects.filter(cik=320193).update(active=False)
    assert client.get(f"{APPLE}/roe").status_code == 404


@pytest.mark.parametrize(
    ("at", "code", "said"),
    [
        ("/figures/320193/2014", Code.YEAR_BEFORE_2015, "Our data begins with fiscal 2015"),
        ("/figures/320193/2090", Code.FUTURE_PERIOD, "fiscal 2090 has not ended"),
    ],
)
def test_a_gap_is_told(client: Client, sample: Sample, at: str, code: Code, said: str) -> None:
    response = shown(client, "gross_margin", at)
    (cell,) = [cell for cell in response.context["part"]["table"].table.cells if cell.asked]
    assert cell.gap is not None
    assert cell.gap.code == code
    assert said in text(response)
    assert code.row.title in text(response)


def test_a_visitor_is_told_to_sign_in_for_a_company_that_is_not_open(
    client: Client, as_alice: Client, sample: Sample, settings: Settings
) -> None:
    settings.ANON_TICKERS = ["MSFT"]
    assert "46.2%" in text(shown(as_alice, "gross_margin"))
    closed = text(shown(client, "gross_margin"))
    assert "46.2%" not in closed
    assert "Sign in to ask about Apple." in closed


def test_it_counts_nothing_and_answers_a_request_for_its_head(
    client: Client, as_alice: Client, sample: Sample
) -> None:
    assert as_alice.head(f"{APPLE}/roe").status_code == 200
    assert client.get(f"{APPLE}/roe").status_code == 200
    assert client.post(f"{APPLE}/roe").status_code == 405
    assert not Meter.objects.exists()
