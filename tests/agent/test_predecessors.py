"""Questions about a registrant that took another's place: what the older one filed answers, and the answer says so."""

from datetime import date

import pytest
from django.test import Client

from agent.query.companies.statement_names import owners
from agent.registrants.registrant_index import Companies
from agent.state import Answer, FilingRef, Period, PeriodForm, Target
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.fetch import held, resolve
from filings.edgar.predecessors import link
from filings.models import Company, Filing, Member, Succession, Ticker
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

APPLE, NEW = 320193, 9_999_988_899
FILED = "Fiscal 2023 was filed by Apple Inc. (CIK 320193)."


@pytest.fixture
def moved(sample: Sample) -> Company:
    """Apple's ticker and history are those of another registrant now."""
    found = Company.objects.create(cik=NEW, name="Orchard Holdings Corp", in_sample=True)
    Ticker.objects.filter(symbol="AAPL").update(company=found)
    link(Company.objects.get(cik=APPLE), found, Succession.CURATOR)
    return found


def answered(question: str) -> Answer:
    return pipeline.answer(question, Deps.current())


@pytest.mark.parametrize("name", ["AAPL", "Apple", "Orchard", "Orchard Holdings Corp", "CIK 320193", f"CIK {NEW}"])
def test_a_figure_of_the_older_registrant_answers_by_every_name(moved: Company, name: str) -> None:
    (block,) = answered(f"{name} revenue fiscal 2023").blocks
    assert block.table is not None
    (cell,) = block.table.asserted
    assert (cell.cik, cell.company, cell.facts[0].cik) == (NEW, "Orchard Holdings", APPLE)
    assert FILED in block.table.notes


def test_its_parts_are_those_of_the_older_registrant(moved: Company) -> None:
    filing = Filing.objects.get(company__cik=APPLE, fiscal_year=2023, is_primary=True)
    Member.objects.create(filing=filing, axis="ProductOrServiceAxis", member="GlowPodMember", label="GlowPod")
    assert owners("with its part").parts["glowpod",].ciks == {NEW}


def test_a_text_of_the_older_registrant_is_told_as_its(moved: Company) -> None:
    company = Companies.current().get(NEW)
    assert company is not None
    target = Target(id=0, company=company, period=Period(form=PeriodForm.FISCAL, year=2023))
    found = resolve(target, held(target, Deps.current()), date(2026, 11, 21))
    assert isinstance(found, FilingRef)
    assert found.said == (FILED,)


def test_one_registrant_stands_for_both(moved: Company) -> None:
    index = Companies.current()
    assert APPLE not in index.registrants
    assert index.get(APPLE) == index.get(NEW)
    assert index.registrants[NEW].predecessors == (APPLE,)


def test_the_page_of_the_older_registrant_leads_to_that_of_the_newer(moved: Company, client: Client) -> None:
    assert client.get(f"/companies/{APPLE}").headers["Location"] == f"/companies/{NEW}"
    page = client.get(f"/companies/{NEW}").content.decode()
    assert "Filed before as" in page
    assert "Key figures" in page


def test_it_is_undone_by_removing_the_successor(moved: Company) -> None:
    Company.objects.filter(cik=APPLE).update(successor_cik=None)
    (block,) = answered("Apple revenue fiscal 2023").blocks
    assert block.table is not None
    assert block.table.asserted[0].cik == APPLE
    assert FILED not in block.table.notes


@pytest.mark.parametrize("asked", ["AAPL", "320193"])
def test_the_api_and_the_grid_find_the_newer_registrant(moved: Company, client: Client, asked: str) -> None:
    table = client.get("/api/v1/table", {"companies": asked, "measures": "revenue", "years": "2023"}).json()
    assert {row["cik"] for row in table["table"]} == {NEW}
    assert client.get(f"/api/v1/companies/{asked}").json()["cik"] == NEW
    page = client.get("/grid", {"companies": asked, "measures": "revenue", "years": "2023"}).content.decode()
    assert "Orchard" in page


def test_a_former_ticker_finds_the_company(sample: Sample, client: Client) -> None:
    Ticker.objects.create(company=Company.objects.get(cik=APPLE), symbol="OLDX9", former=True)
    assert client.get("/api/v1/companies/OLDX9").json()["symbols"] == ["AAPL"]
    assert answered("OLDX9 revenue fiscal 2023").blocks[0].table is not None
