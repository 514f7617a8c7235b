"""Companies of which only other documents than 10-Ks are held: listed, found, asked, and shown as what they are."""

import re

import pytest
from django.test import Client
from django.utils.timezone import now

from agent.refusals.codes import Code
from agent.registrants.registrant_index import Companies
from agent.runs.scope_checks import checked
from agent.state import Block
from agent.steps import pipeline
from agent.steps.deps import Deps
from filings.models import Company, Filing
from tests.support.brought import brought
from tests.support.holdings import known
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


@pytest.fixture
def alone(model: object, db: None) -> Company:
    """A company with a call and nothing else."""
    company = known("Halden Optics, Inc.", "HLDN", 9_999_999_911)
    brought(company="HLDN", period="2024Q3")
    Companies.forget()
    return company


def shown(client: Client, address: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", client.get(address).content.decode()).split())


def only(question: str) -> Block:
    Companies.forget()
    (block,) = pipeline.answer(question, Deps.current()).blocks
    return block


def test_it_can_be_asked_about_and_is_not_covered(alone: Company) -> None:
    assert alone in Company.objects.askable()
    assert alone not in Company.objects.covered()
    ref = Companies.current().get(alone.cik)
    assert ref
    assert (ref.covered, ref.readable) == (False, True)


@pytest.mark.parametrize("change", [{"active": False}, {"successor_cik": 9_999_999_912}])
def test_one_that_is_switched_off_or_has_a_successor_is_not(alone: Company, change: dict[str, object]) -> None:
    Company.objects.filter(pk=alone.pk).update(**change)
    assert alone not in Company.objects.askable()


def test_documents_of_a_predecessor_are_those_of_its_successor(alone: Company) -> None:
    successor = known("Halden Group plc", "HLG", 9_999_999_912)
    Company.objects.filter(pk=alone.pk).update(successor_cik=successor.cik)
    assert {successor} == {*Company.objects.askable()} - {*Company.objects.covered()}


def test_it_is_listed_with_its_documents(alone: Company, client: Client) -> None:
    for page in ("/companies", "/companies?q=halden"):
        assert "Halden Optics (fictional) HLDN None 1 document" in shown(client, page)
    covered = Company.objects.covered().count()
    assert f"{covered} companies covered" in shown(client, "/")
    assert f"All {covered + 1} companies, some with documents and no figures" in shown(client, "/").replace(" ,", ",")
    Filing.objects.filter(company=alone).update(withdrawn=now())
    assert "Halden Optics" not in shown(client, "/companies")
    assert "Halden Optics (fictional) HLDN None None" in shown(client, "/companies?q=halden")


def test_its_page_says_what_can_be_asked(alone: Company, client: Client) -> None:
    page = shown(client, alone.get_absolute_url())
    assert "No figures of Halden Optics (fictional) are loaded. The text of 1 document can be asked about." in page
    assert "Ask about Halden Optics" in page
    assert "None of its filings is loaded" not in page


def test_it_is_completed_while_it_is_typed(alone: Company, client: Client) -> None:
    assert "HLDN, documents only" in shown(client, "/suggest?q=hald")


def test_it_is_asked_for_text_and_a_figure_is_refused_as_what_is_not_held(alone: Company, sample: Sample) -> None:
    assert {one.accession for one in only("What did Halden Optics say about lead times in Q3 2024?").filings} == {
        Filing.objects.get(company=alone).accession
    }
    refusal = only("Compare the revenue of Apple and Halden Optics in fiscal 2024").refusal
    assert refusal
    assert (refusal.code, refusal.detail) == (
        Code.COMPANY_NOT_COVERED,
        "Only the text of its documents can be asked about.",
    )


def test_the_api_lists_it(alone: Company, client: Client) -> None:
    (found,) = client.get("/api/v1/companies", {"q": "halden"}).json()["items"]
    assert (found["cik"], found["covered"], found["documents"]) == (alone.cik, False, 1)


def test_a_question_can_be_limited_to_it(alone: Company, client: Client) -> None:
    limited = checked({"cik": alone.cik})
    assert limited
    assert limited.label == "Halden Optics (fictional)"
    assert f'<option value="{alone.cik}">Halden Optics (fictional)</option>' in client.get("/").content.decode()
