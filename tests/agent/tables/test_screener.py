"""The screener's page: its address, its rows, its file, whose saved screens are, and questions about all companies."""

import csv
import io

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from accounts.identity import Identity
from accounts.models import Reservation, User
from agent.models import MOST_SCREENS, Run, Screen
from agent.runs import lifecycle
from agent.runs.claim import claim
from agent.runs.stored_answer import read
from filings.models import Company, Fact
from tests.support.people import confirm, sign_up
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

MARGINS = {"measures": "operating_margin,revenue", "year": "2023"}


@pytest.fixture(autouse=True)
def three(sample: Sample) -> None:
    """Apple, Microsoft and NVIDIA are all that is covered."""
    Company.objects.exclude(tickers__symbol__in=["AAPL", "MSFT", "NVDA"]).update(active=False)


def shown(client: Client, **query: str) -> HttpResponse:
    response = client.get("/screener", query)
    assert response.status_code == 200, response.content.decode()
    return response


def names(response: HttpResponse) -> list[str]:
    return [row.ranked.company.called for row, _ in response.context["rows"]]


def test_companies_are_listed_with_their_own_years_and_a_link_to_each_figure(as_alice: Client) -> None:
    response = shown(as_alice, **MARGINS)
    assert names(response) == ["NVIDIA", "Microsoft", "Apple"]
    row, cells = response.context["rows"][1]
    assert (row.ranked.rank, row.ranked.fiscal_year, row.ends.isoformat()) == (2, 2024, "2024-06-30")
    assert [one.column for one in cells] == ["44.6%", "245,122"]
    for one in cells:
        assert as_alice.get(one.href).status_code == 200
    # The page behind the link says the same.
    assert "44.6%" in as_alice.get(cells[0].href).content.decode()


def test_what_is_typed_moves_into_the_address(as_alice: Client) -> None:
    response = as_alice.get(
        "/screener",
        {"measures": "operating_margin", "measure": "Total revenue", "above": "30 %", "below": "", "year": "2023"},
    )
    assert response.status_code == 302
    assert response["Location"] == "/screener?measures=operating_margin,revenue&year=2023&where=operating_margin%3E30"
    assert names(as_alice.get(response["Location"])) == ["NVIDIA", "Microsoft"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"where": "operating_margin>30"}, ["NVIDIA", "Microsoft"]),
        ({"where": "operating_margin>=30,operating_margin<50"}, ["Microsoft"]),
        ({"where": "revenue<100bn"}, ["NVIDIA"]),
        ({"sort": "revenue"}, ["Apple", "Microsoft", "NVIDIA"]),
        ({"sort": "revenue", "order": "lowest"}, ["NVIDIA", "Microsoft", "Apple"]),
        ({"where": "operating_margin>99"}, []),
    ],
)
def test_bounds_and_order_are_those_of_the_address(
    as_alice: Client, query: dict[str, str], expected: list[str]
) -> None:
    assert names(shown(as_alice, **MARGINS, **query)) == expected


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"measures": "nonsense"}, "There is no such measure: nonsense."),
        ({"measures": "revenue", "where": "revenue"}, "is no condition"),
        ({"measures": "revenue", "where": "revenue>much"}, "is no number"),
        ({"measures": "revenue", "year": "20x4"}, "fiscal year of four digits"),
        ({"measures": "revenue", "year": "1999"}, "Figures begin in 2015."),
        ({"measures": "revenue", "sic": "chips"}, "SIC code"),
        ({"measures": "revenue,rnd,cash,equity,capex,cfo,net_income"}, "6 measures at most"),
    ],
)
def test_what_cannot_be_screened_is_said(as_alice: Client, query: dict[str, str], sentence: str) -> None:
    response = as_alice.get("/screener", query)
    assert response.status_code == 400
    assert sentence in response.content.decode()


def test_a_company_without_a_figure_is_named_in_one_line(as_alice: Client, sample: Sample) -> None:
    Fact.objects.filter(company=sample["MSFT"], tag="OperatingIncomeLoss").delete()
    page = shown(as_alice, **MARGINS).content.decode()
    assert "Not ranked: 1 company has no figure for 2023. Microsoft." in page


def test_htmx_gets_the_table_alone(as_alice: Client) -> None:
    part = as_alice.get("/screener", MARGINS, headers={"HX-Request": "true"}).content.decode()
    assert 'id="screened"' in part
    assert "<html" not in part


def test_pages_and_orders_of_one_screen_count_once(as_alice: Client) -> None:
    for order in ("", "lowest", "highest"):
        shown(as_alice, **MARGINS, order=order)
    assert Reservation.objects.count() == 1
    shown(as_alice, measures="net_margin")
    assert Reservation.objects.count() == 2


def test_a_visitor_sees_the_companies_that_visitors_may_ask_about(client: Client, settings: Settings) -> None:
    settings.ANON_TICKERS = ["AAPL"]
    assert names(shown(client, **MARGINS)) == ["Apple"]


def test_the_file_has_every_company_in_the_page_s_order(as_alice: Client) -> None:
    response = as_alice.get("/screener.csv", MARGINS | {"sort": "revenue"})
    assert response["Content-Disposition"].endswith('.csv"')
    first, *rest = csv.DictReader(io.StringIO(response.content.decode("utf-8-sig")))
    assert (first["Rank"], first["Company"], first["Ticker"], first["Fiscal year"]) == ("1", "Apple", "AAPL", "2023")
    assert (first["Total revenue"], first["Total revenue: unit"]) == ("383285000000", "USD")
    assert first["Operating margin: page"].endswith("/figures/320193/2023/operating_margin")
    assert [one["Company"] for one in rest] == ["Microsoft", "NVIDIA"]
    assert as_alice.get("/screener.csv").status_code == 400
    assert as_alice.get("/screener.pdf", MARGINS).status_code == 400


# --- saved screens ---


def saved(client: Client, name: str = "Rich", **query: str) -> HttpResponse:
    return client.post("/screener/save", {**MARGINS, **query, "name": name})


def test_a_saved_screen_is_its_owner_s_alone(as_alice: Client, as_bob: Client, alice: User) -> None:
    saved(as_alice, where="operating_margin>30", page="2")
    (screen,) = Screen.objects.visible_to(Identity(user=alice))
    assert (
        screen.get_absolute_url()
        == "/screener?measures=operating_margin,revenue&year=2023&where=operating_margin%3E30"
        or (names(as_alice.get(screen.get_absolute_url())) == ["NVIDIA", "Microsoft"])
    )
    assert "Rich" in as_alice.get("/screener").content.decode()
    assert "Rich" not in as_bob.get("/screener").content.decode()
    assert as_bob.post(f"/screener/{screen.pk}/delete").status_code == 404
    assert Screen.objects.count() == 1
    as_alice.post(f"/screener/{screen.pk}/delete")
    assert not Screen.objects.exists()


def test_a_screen_saved_again_under_its_name_is_replaced(as_alice: Client, alice: User) -> None:
    saved(as_alice)
    saved(as_alice, where="revenue>1bn")
    (screen,) = Screen.objects.visible_to(Identity(user=alice))
    assert "where=revenue>1000000000" in screen.query


def test_a_visitor_s_screens_become_the_account_s(client: Client) -> None:
    saved(client)
    assert Screen.objects.get().user is None
    assert "Rich" in client.get("/screener").content.decode()
    assert "Rich" not in Client().get("/screener").content.decode()
    sign_up(client)
    confirm(client)
    assert Screen.objects.get().user == User.objects.get(email="dana@example.com")


@pytest.mark.parametrize("name", ["", "  ", "!", "x" * 81])
def test_a_screen_needs_a_name(as_alice: Client, name: str) -> None:
    page = as_alice.post("/screener/save", {**MARGINS, "name": name}, follow=True).content.decode()
    assert "Give the screen a name" in page
    assert not Screen.objects.exists()


def test_nobody_saves_more_screens_than_fifty(as_alice: Client, alice: User) -> None:
    Screen.objects.bulk_create(Screen(user=alice, name=f"Screen {one}", query="") for one in range(MOST_SCREENS))
    page = as_alice.post("/screener/save", {**MARGINS, "name": "More"}, follow=True).content.decode()
    assert "You have 50 saved screens" in page


# --- in a question ---


def answered(question: str, user: User) -> Run:
    run = Run.objects.create(question=question, user=user)
    attempt = claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    run.refresh_from_db()
    return run


def test_a_question_ranks_all_companies_and_leads_to_the_screener(alice: User, as_alice: Client) -> None:
    run = answered("rank all companies by operating margin in 2023", alice)
    answer = read(run.answer)
    assert answer is not None
    (block,) = answer.blocks
    assert block.table is not None
    assert [(cell.company, cell.fiscal_year) for cell in block.table.asserted] == [
        ("NVIDIA", 2024),
        ("Microsoft", 2024),
        ("Apple", 2023),
    ]
    (result,) = block.table.results
    assert [one.rank for one in result.order] == [1, 2, 3]
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert "/screener?measures=operating_margin&amp;year=2023" in page
    assert "All covered companies" in page


def test_a_question_filters_companies_and_says_how_many_meet_the_bound(alice: User) -> None:
    answer = read(answered("companies with operating margin above 30% in 2023", alice).answer)
    assert answer is not None
    (block,) = answer.blocks
    assert block.table is not None
    assert [cell.company for cell in block.table.asserted] == ["NVIDIA", "Microsoft"]
    assert block.table.notes[0] == "2 of 3 companies with operating margin have one above 30%."


def test_where_no_company_meets_the_bound_the_nearest_is_shown(alice: User) -> None:
    answer = read(answered("companies with operating margin above 90% in 2023", alice).answer)
    assert answer is not None
    (block,) = answer.blocks
    assert block.table is not None
    assert [cell.company for cell in block.table.asserted] == ["NVIDIA"]
    assert [one.holds for one in block.table.results] == [False]
    assert block.table.notes[0] == "None of 3 companies with operating margin has one above 90%."
