"""The grid: what its address says, how it is sorted and shown, what its gaps say, and what it counts."""

import re
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse, QueryDict
from django.test import Client
from django.utils.html import escape
from pytest_django import Settings

from accounts.models import Meter, Reservation
from agent.refusals.codes import Code
from agent.web.tables import grid as grids
from agent.web.tables.grid import Grid
from filings.xbrl.periods import Place
from tests.agent.tables.cells import rows, texts
from tests.support.holdings import known
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


ONE = {"companies": "AAPL", "measures": "revenue", "from": "2023", "to": "2024"}


TWO = {**ONE, "companies": "AAPL,MSFT", "align": "fiscal"}


def read(**query: str) -> Grid:
    return grids.read(QueryDict(urlencode(query)))


def shown(client: Client, **query: str) -> HttpResponse:
    response = client.get("/grid", query)
    assert response.status_code == 200, response.content.decode()
    return response


def figures(client: Client, **query: str) -> list[list[str]]:
    return texts(shown(client, **query).context["rows"])


def names(found: Grid) -> list[str]:
    return [company.called for company in found.companies]


@pytest.mark.parametrize(
    "query",
    [
        {"companies": "AAPL,MSFT"},
        {"companies": " aapl , msft ,AAPL,"},
        {"companies": "320193,789019"},
        {"companies": "0000320193,MSFT"},
        {"companies": "AAPL", "company": "Microsoft"},
        {"companies": "AAPL", "company": "msft"},
        {"company": "Apple Inc., MICROSOFT CORP"},
        {"companies": "AAPL,MSFT", "company": "Apple"},
        {"companies": "AAPL,MSFT", "company": " , "},
    ],
)
def test_companies_are_known_by_ticker_cik_or_name_each_once(sample: Sample, query: dict[str, str]) -> None:
    found = read(**query)
    assert found.problems == ()
    assert names(found) == ["Apple", "Microsoft"]


def test_a_name_that_one_company_has_is_not_taken_for_a_longer_one(sample: Sample) -> None:
    known("Apple Orchards Trust", "APLZ", 9_000_000_101)
    known("Fresh Apples Corp", "FRAPZ", 9_000_000_102)
    assert names(read(company="apple")) == ["Apple"]
    # Half a name is nobody's: those like it are named, first the one that can be asked about.
    (said,) = read(company="appl").problems
    assert said.startswith("\u201cappl\u201d is not on the SEC's list. Did you mean Apple (AAPL)")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"companies": "AAPL,NOPE,7"}, "No such company: NOPE, 7. Give tickers or names."),
        ({"company": "Frobnicators"}, "\u201cFrobnicators\u201d is not on the SEC's list. Check the spelling, or use the ticker."),
        ({"company": "x" * 601}, "Type up to 600 characters of companies at once; these are 601."),
        ({"measures": "revenue,nonsense"}, "There is no such measure: nonsense."),
        ({"measure": "roe:never"}, "There is no such measure: roe:never."),
        ({"measures": "us-gaap:revenues"}, "There is no such measure: us-gaap:revenues."),
        ({"from": "24"}, "\u201cfrom\u201d is a fiscal year of four digits."),
        ({"to": "\u0662\u0660\u0662\u0664"}, "\u201cto\u201d is a fiscal year of four digits."),
        ({"from": "2024", "to": "2020"}, "The years end before they begin: 2024 to 2020."),
        ({"from": "2004", "to": "2024"}, "A grid has 20 years at most; these are 21."),
        (
            {"measures": ",".join(f"{one}revenue" for one in ("", "growth of ", "change of ")) + ",net_income,cash,"
             "cfo,rnd,total_assets,eps_diluted,roe,gross_margin"},
            "A grid has 10 measures at most; these are 11.",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_said(
    as_alice: Client, sample: Sample, query: dict[str, str], sentence: str
) -> None:
    wanted = {**ONE, **query}
    assert read(**wanted).problems == (sentence,)
    response = as_alice.get("/grid", wanted)
    assert response.status_code == 400
    assert f'role="alert">{escape(sentence)}</p>' in response.content.decode()
    # Nothing of it is shown, counted, or lost from the form.
    assert "rows" not in response.context
    assert not Reservation.objects.exists()


def test_a_name_that_several_have_is_told_with_theirs(sample: Sample) -> None:
    for place, name in enumerate(("Grahamite Mining Corp", "Grahamite Rail Corp")):
        known(name, f"GRA{place}", 9_000_000_110 + place)
    found = read(company="grahamite")
    assert found.companies == ()
    assert found.problems == (
        "\u201cgrahamite\u201d fits several companies: Grahamite Mining (GRA0), Grahamite Rail (GRA1). Type the ticker of one.",
    )


def test_what_was_typed_stays_in_the_form_where_one_of_its_companies_is_not_known(
    as_alice: Client, sample: Sample
) -> None:
    page = as_alice.get("/grid", {"companies": "AAPL", "company": "NVDA, Microsft"}).content.decode()
    assert 'name="company" type="text" value="NVDA, Microsft"' in page
    assert "\u201cMicrosft\u201d is not on the SEC" in page


def test_companies_and_cells_have_a_limit(sample: Sample) -> None:
    many = [known(f"Unheard Of {at}", f"UNH{at}", 9_000_000_200 + at).symbols[0] for at in range(21)]
    ten = ",".join(f"{begins}{key}" for key in ("revenue", "cfo") for begins in ("", "growth of ")) + ",rnd"
    assert read(**{**ONE, "companies": ",".join(many)}).problems == ("A grid has 20 companies at most; these are 21.",)
    fits = read(companies=",".join(many[:20]), measures=ten, **{"from": "2015", "to": "2024"})
    assert (fits.cells, fits.problems) == (1_000, ())
    over = read(companies=",".join(many[:20]), measures=f"{ten},cash", **{"from": "2016", "to": "2024"})
    assert over.problems == ("A grid has 1,000 cells at most; this one has 1,080.",)


def test_without_years_it_shows_the_newest_five_of_its_companies(sample: Sample) -> None:
    newest = sample["MSFT"].filings.filter(is_primary=True).order_by("-fiscal_year").first().fiscal_year
    found = read(companies="MSFT", measures="revenue")
    assert (found.first, found.last) == (newest - 4, newest)
    assert read(companies="MSFT", measures="revenue", to="2016").first == 2015
    assert read().address() == "/grid"


def test_every_measure_that_the_form_offers_is_taken(sample: Sample) -> None:
    offered = grids.measures_offered()
    assert offered[:3] == ["Total revenue", "Gross margin", "Operating income (loss)"]
    for label in offered:
        found = read(companies="AAPL", measure=label)
        assert (found.problems, len(found.measures)) == ((), 1), label


def test_measures_are_typed_by_their_names_several_at_once(sample: Sample) -> None:
    assert read(companies="AAPL", measure="Sales, net margin,R&D").measures == ("revenue", "net_margin", "rnd")
    assert read(companies="AAPL", measure="sales, wonder").problems == ("There is no such measure: wonder.",)


def test_what_is_typed_into_the_form_is_put_into_the_address(as_alice: Client, sample: Sample) -> None:
    typed = {**ONE, "company": "Microsoft", "measure": "gross_margin", "show": "levels"}
    response = as_alice.get("/grid", typed)
    assert response.status_code == 302
    assert response.url == "/grid?companies=AAPL,MSFT&measures=revenue,gross_margin&from=2023&to=2024"
    assert not Reservation.objects.exists()
    assert as_alice.get(response.url).status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        {},
        TWO,
        {**TWO, "sort": "2023", "order": "lowest", "show": "growth", "name": "Peers & co"},
        {**TWO, "measures": "growth of revenue,rnd of revenue,roe:ending,revenue - cfo"},
    ],
)
def test_its_address_says_all_of_it(sample: Sample, query: dict[str, str]) -> None:
    found = read(**query)
    again = grids.read(QueryDict(found.address().partition("?")[2]))
    assert again == found
    assert again.address() == found.address()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"show": "nonsense"}, ("levels", None, True)),
        ({"show": "share", "sort": "2023"}, ("share", Place(2023), True)),
        ({"sort": "2024", "order": "lowest"}, ("levels", Place(2024), False)),
        # A year that is not among those shown sorts nothing.
        ({"sort": "2010"}, ("levels", None, True)),
        ({"sort": "\u00b2\u00b2\u00b2\u00b2"}, ("levels", None, True)),
    ],
)
def test_an_odd_sort_or_show_is_the_usual_one(
    sample: Sample, query: dict[str, str], expected: tuple[str, Place | None, bool]
) -> None:
    found = read(**TWO, **query)
    assert (found.show, found.sort, found.highest) == expected
    assert found.problems == ()


def test_chips_lead_to_the_grid_without_them(as_alice: Client, sample: Sample) -> None:
    page = shown(as_alice, **{**TWO, "measures": "revenue,rnd", "sort": "2023"}).content.decode()
    for name, address in (
        ("Apple", "companies=MSFT&measures=revenue,rnd"),
        ("Microsoft", "companies=AAPL&measures=revenue,rnd"),
        ("Total revenue", "companies=AAPL,MSFT&measures=rnd"),
    ):
        link = escape(f"/grid?{address}&from=2023&to=2024&align=fiscal&sort=2023")
        assert re.search(rf'<a [^>]*href="{re.escape(link)}" aria-label="Remove {name}">', page)


def test_headings_sort_and_links_choose_what_is_shown(as_alice: Client, sample: Sample) -> None:
    highest = shown(as_alice, **TWO)
    before, newest = highest.context["rows"].columns
    base = "/grid?companies=AAPL,MSFT&measures=revenue&from=2023&to=2024&align=fiscal"
    assert (before.sorts, before.sorted) == (f"{base}&sort=2023#figures", "")
    assert (newest.sorts, newest.sorted) == (f"{base}&sort=2024&order=lowest#figures", "descending")
    assert 'aria-sort="descending"' in highest.content.decode()
    assert [row.label for row in rows(highest.context["rows"])] == ["Apple", "Microsoft"]
    lowest = as_alice.get(newest.sorts)
    assert [row.label for row in rows(lowest.context["rows"])] == ["Microsoft", "Apple"]
    assert lowest.context["rows"].columns[1].sorts == f"{base}&sort=2024#figures"
    # Of two measures the rows are sorted by the first, and by the other where that is chosen.
    both = shown(as_alice, **{**TWO, "measures": "revenue,net_margin"}).context["rows"]
    assert [group.sorts[-32:] for group in both.groups] == ["", "&sort=2024&by=net_margin#figures"]
    by_margin = as_alice.get(both.groups[1].sorts).context["rows"]
    assert [row.label for row in by_margin.groups[0].rows] == ["Microsoft", "Apple"]
    for show in ("growth", "share"):
        assert f'<a href="{escape(f"{base}&show={show}")}">' in highest.content.decode()
    grown = shown(as_alice, **TWO, show="growth").content.decode()
    assert f'<a href="{escape(f"{base}&show=growth")}" aria-current="true">Growth</a>' in grown


def test_it_shows_figures_each_with_its_fact_and_formulas_each_with_its_page(as_alice: Client, sample: Sample) -> None:
    found = shown(as_alice, **{**TWO, "measures": "revenue,gross_margin"})
    assert texts(found.context["rows"]) == [
        ["Apple", "383,285", "391,035"],
        ["Microsoft", "211,915", "245,122"],
        ["Apple", "44.1%", "46.2%"],
        ["Microsoft", "68.9%", "69.8%"],
    ]
    revenue, _, margin, _ = rows(found.context["rows"])
    assert all(one and one.href.startswith("/facts/") for one in revenue.shown)
    assert [one.href for one in margin.shown if one] == [
        f"/figures/320193/{year}/gross_margin" for year in (2023, 2024)
    ]
    for one in (*revenue.shown, *margin.shown):
        assert one is not None
        assert as_alice.get(one.href).status_code == 200
    assert "8 figures" in found.content.decode()


def test_growth_and_shares_are_of_the_figures_shown(as_alice: Client, sample: Sample) -> None:
    assert figures(as_alice, **TWO, show="growth") == [
        ["Microsoft", "+6.9%", "+15.7%"],
        ["Apple", "\u22122.8%", "+2.0%"],
    ]
    query = {**ONE, "measures": "revenue,rnd,gross_margin,growth of revenue"}
    assert figures(as_alice, **query, show="share") == [
        ["Total revenue", "383,285", "391,035"],
        ["Research and development expense as % of total revenue", "7.8%", "8.0%"],
        ["Gross margin", "44.1%", "46.2%"],
        ["Growth of total revenue", "\u22122.8%", "+2.0%"],
    ]
    # What is growth already is shown as it is; of a percentage it is points.
    grown = figures(as_alice, **query, show="growth")
    assert [row[0] for row in grown] == [
        "Growth of total revenue", "Growth of research and development expense", "Change of gross margin",
        "Growth of total revenue",
    ]  # fmt: skip
    assert grown[2][2].startswith("+2.1")


def test_a_gap_is_told_with_its_reason_in_its_place_and_below(as_alice: Client, sample: Sample) -> None:
    found = shown(as_alice, **{**ONE, "from": "2013", "to": "2016"})
    (row,) = rows(found.context["rows"])
    assert [one.reason for one in row.shown if one] == [Code.YEAR_BEFORE_2015.row.title] * 2 + ["", ""]
    page = found.content.decode()
    assert page.count(f'<span class="years__why">{Code.YEAR_BEFORE_2015.row.title}</span>') == 2
    assert "2 figures, 2 gaps" in page
    assert "Why 2 figures are missing" in page
    assert "Our data begins with fiscal 2015" in page


def test_a_company_that_is_not_held_is_a_gap_in_all_years(as_alice: Client, sample: Sample) -> None:
    known("Unheard Of Corp", "UNHD", 9_000_000_003)
    found = shown(as_alice, **{**ONE, "companies": "UNHD,AAPL"})
    assert [(row.label, row.gap) for row in rows(found.context["rows"])] == [
        ("Apple", ""),
        ("Unheard Of", Code.COMPANY_NOT_COVERED.row.title),
    ]


def test_without_a_figure_it_is_no_table_and_nothing_is_said_to_match(as_alice: Client, sample: Sample) -> None:
    page = shown(as_alice, companies="NFLX", measures="revenue").content.decode()
    assert "0 figures" in page
    assert "match" not in page.partition('id="figures"')[2].partition("</section>")[0]
    assert "<table" not in page
    assert "Download as" not in page
    assert '<details class="fold card__section" open>' in page
    assert "All 2 figures match the SEC's XBRL data" in shown(as_alice, **ONE).content.decode()


def test_a_visitor_is_shown_what_is_open_and_told_to_sign_in_for_the_rest(
    client: Client, as_alice: Client, sample: Sample, settings: Settings
) -> None:
    settings.ANON_TICKERS = ["MSFT"]
    # Whoever is signed in has looked at the same before.
    assert all(row[1:] for row in figures(as_alice, **TWO))
    found = shown(client, **TWO)
    assert [(row.label, row.gap) for row in rows(found.context["rows"])] == [
        ("Microsoft", ""),
        ("Apple", Code.SIGN_IN_REQUIRED.row.title),
    ]
    assert "391,035" not in found.content.decode()
    # Only what is open is offered.
    assert [company.called for company in found.context["offered"]] == ["Microsoft"]


def test_its_file_has_the_figures_of_its_page(as_alice: Client, sample: Sample) -> None:
    shown(as_alice, **TWO)
    file = as_alice.get("/grid.csv", TWO)
    assert file.status_code == 200
    body = file.content.decode("utf-8-sig")
    assert all(value in body for value in ("383285000000", "391035000000", "211915000000", "245122000000"))
    # It was counted when it was shown.
    assert Meter.objects.get().month_answers == 1
    assert as_alice.get("/grid.exe", TWO).status_code == 400


@pytest.mark.parametrize(("query", "status"), [({}, 200), (ONE, 200), ({**ONE, "from": "x"}, 400)])
def test_it_answers_a_request_for_its_head_alone(
    as_alice: Client, sample: Sample, query: dict[str, str], status: int
) -> None:
    head = as_alice.head("/grid", query)
    assert (head.status_code, head.content) == (status, b"")
    assert as_alice.post("/grid", query).status_code == 405


def test_years_that_end_apart_are_aligned_by_calendar_and_linked_to_each_companys_own(
    as_alice: Client, sample: Sample
) -> None:
    found = shown(as_alice, **{**TWO, "align": ""})
    assert [column.label for column in found.context["rows"].columns] == ["CY2023", "CY2024"]
    ((own, _),) = found.context["others"]
    assert "align=fiscal" in own
    assert escape(own) in found.content.decode()
    other = as_alice.get(own)
    assert [column.label for column in other.context["rows"].columns] == ["FY2023", "FY2024"]
    assert "align=calendar" in other.context["others"][0][0]
    assert '<input type="hidden" name="align" value="fiscal">' in other.content.decode()
    assert "CY2024" in as_alice.get("/grid.csv", {**TWO, "align": "calendar"}).content.decode()
