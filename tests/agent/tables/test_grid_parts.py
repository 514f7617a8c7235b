"""Parts of one company in the grid: by name, as figures, growth and shares, with their formulas, saved and as files."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils.html import escape

from agent import tasks
from agent.models import Run
from agent.query.companies import statement_names as faces
from agent.state.query import Combined, Concept, Member, Share
from agent.web.tables.part_lookup import Part, Parts
from filings.models import Company
from filings.models import Member as StoredMember
from tests.agent.tables.cells import texts
from tests.agent.tables.test_grid import figures, read, shown
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

CALDER = "9999999903"
GRID = {"companies": CALDER, "measures": "revenue", "members": "Turbines,Grid", "from": "2024", "to": "2025"}
TURBINES = "StatementBusinessSegmentsAxis=TurbinesMember"


@pytest.fixture
def calder(sample: Sample) -> Iterator[Company]:
    """What companies call their parts is kept in the process; here it changes without an ingestion."""
    faces._of_company.cache_clear()
    yield Company.objects.get(cik=int(CALDER))
    faces._of_company.cache_clear()


def test_each_measure_has_a_row_of_each_part(as_alice: Client, calder: Company) -> None:
    found = figures(as_alice, **{**GRID, "measures": "revenue,operating_margin"})
    assert [row[0] for row in found] == [
        "Total revenue of Turbines", "Total revenue of Grid", "Operating margin of Turbines", "Operating margin of Grid",
    ]  # fmt: skip
    assert found[0][1] == "768"
    assert found[2][1].endswith("%")


@pytest.mark.parametrize("name", ["turbines", " TURBINES ", TURBINES, TURBINES.lower()])
def test_a_part_is_known_by_its_name_and_as_it_is_tagged(calder: Company, name: str) -> None:
    found = read(**{**GRID, "members": name})
    assert (found.problems, found.parts) == ((), (Part("Turbines", (TURBINES,)),))
    assert "members=Turbines&" in found.address()


def test_a_name_may_have_commas_of_its_own(calder: Company) -> None:
    StoredMember.objects.filter(filing__company=calder, member="GridMember").update(label="Grid, wires, and poles")
    found = read(**{**GRID, "members": "Turbines,grid, wires and poles,Services"})
    assert [one.label for one in found.parts] == ["Turbines", "Grid, wires, and poles", "Services"]
    assert read(**{**GRID, "members": found.members}).parts == found.parts


def test_a_name_that_two_axes_have_is_of_both_and_told_apart_as_tagged(calder: Company) -> None:
    StoredMember.objects.filter(filing__company=calder, member="OtherCountriesMember").update(label="Grid")
    (part,) = read(**{**GRID, "members": "grid"}).parts
    assert set(part.members) == {
        "StatementBusinessSegmentsAxis=GridMember", "StatementGeographicalAxis=OtherCountriesMember",
    }  # fmt: skip
    (one,) = read(**{**GRID, "members": "StatementGeographicalAxis=OtherCountriesMember"}).parts
    assert one == Part("Grid", ("StatementGeographicalAxis=OtherCountriesMember",))


def test_typed_parts_are_put_into_the_address(as_alice: Client, calder: Company) -> None:
    response = as_alice.get("/grid", {**GRID, "member": "services, canada"})
    assert response.status_code == 302
    assert "members=Turbines,Grid,Services,Canada&" in response.url


def test_the_form_offers_the_parts_of_the_one_company_alone(as_alice: Client, calder: Company) -> None:
    page = shown(as_alice, **GRID).content.decode()
    assert '<option value="Services">' in page
    assert 'aria-label="Remove Turbines"' in page
    assert "Parts of Calder" in page
    both = shown(as_alice, companies=f"{CALDER},AAPL", measures="revenue").content.decode()
    assert 'name="member"' not in both


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"members": "Narnia,Oz"}, "Calder (fictional) has no part called \u201cNarnia\u201d or \u201cOz\u201d. It has: United States; "),
        ({"members": "Turbines", "companies": f"{CALDER},AAPL"}, "Parts are of one company: choose one alone, "),
        ({"members": "iPhone", "companies": "AAPL"}, "Apple has no part called \u201ciPhone\u201d. No parts of it are loaded."),
        ({"members": "x" * 700}, "Type up to 600 characters of parts at once; "),
        ({"members": "StatementBusinessSegmentsAxis="}, "Calder (fictional) has no part called"),
    ],
)  # fmt: skip
def test_what_names_no_part_is_said_with_those_there_are(
    as_alice: Client, calder: Company, query: dict[str, str], said: str
) -> None:
    response = as_alice.get("/grid", {**GRID, **query})
    assert response.status_code == 400
    assert escape(said) in response.content.decode()


def test_a_grid_of_parts_counts_their_cells_and_has_ten_at_most(calder: Company) -> None:
    for number in range(11):
        part = StoredMember.objects.filter(filing__company=calder, member="GridMember").latest("filing__filed")
        part.pk, part.member, part.label = None, f"Grid{number}Member", f"Grid {number}"
        part.save(force_insert=True)
        fact = calder.facts.filter(dimensions="StatementBusinessSegmentsAxis=GridMember").latest("filed")
        fact.pk, fact.dimensions = None, f"StatementBusinessSegmentsAxis=Grid{number}Member"
        fact.save(force_insert=True)
    many = read(**{**GRID, "members": ",".join(f"Grid {number}" for number in range(11))})
    assert read(**GRID).cells == 4
    assert many.problems == ("A grid has 10 parts at most; these are 11.",)


@pytest.mark.parametrize(("show", "label"), [("growth", "Growth of total revenue of Grid"), ("share", "Total revenue of Grid as % of total revenue")])  # fmt: skip
def test_growth_and_share_of_revenue_are_of_the_part(as_alice: Client, calder: Company, show: str, label: str) -> None:
    page = shown(as_alice, **GRID, show=show)
    assert texts(page.context["rows"])[1][0] == label
    # What is computed of a part has no page of its own: it leads to its formula below.
    links = [one.href for row in page.context["rows"].groups[0].rows for one in row.shown if one]
    assert all(one.startswith("#formula-grid-") and f'id="{one[1:]}"' in page.content.decode() for one in links)


def test_it_is_kept_and_given_away_with_its_parts(as_alice: Client, calder: Company) -> None:
    content = as_alice.get("/grid.csv", GRID).content.decode()
    assert "Total revenue of Turbines,768000000,USD" in content
    assert "Statement Business Segments,Turbines" in content
    as_alice.post("/grid/save", {**GRID, "name": "Parts"})
    run = Run.objects.get(question="Parts")
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert run.outcome == "answered"
    (part,) = as_alice.get(run.get_absolute_url()).context["parts"]
    assert [one.name for one in part.table.asserted] == ["Total revenue of Turbines"] * 2 + [
        "Total revenue of Grid"
    ] * 2


def test_leaving_the_company_out_leaves_its_parts_out(calder: Company) -> None:
    found = read(**GRID)
    assert "members" not in found.without_company(calder.cik)
    assert "members=Grid&" in found.without_part("Turbines")


def test_of_a_measure_that_is_made_of_others_each_is_of_the_part() -> None:
    part = Part("Grid", ("A=B",))
    revenue, cost = (Concept(key=key) for key in ("revenue", "cost_of_revenue"))
    asked = part.of(Share(part=Combined(sign="-", parts=(revenue, cost)), whole=revenue))
    of_revenue, of_cost = (Member(of=one, label="Grid", members=("A=B",)) for one in (revenue, cost))
    assert asked == Share(part=Combined(sign="-", parts=(of_revenue, of_cost)), whole=of_revenue)


def test_each_part_is_offered_once_by_its_newest_name(calder: Company) -> None:
    StoredMember.objects.filter(filing__company=calder, filing__fiscal_year=2024, member="GridMember").update(
        label="GRID of before"
    )
    assert Parts(calder).offered.count("Grid") == 1
    assert "GRID of before" not in Parts(calder).offered
    assert read(**{**GRID, "members": "grid of before"}).parts[0].members == (
        "StatementBusinessSegmentsAxis=GridMember",
    )
