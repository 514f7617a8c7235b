"""Companies that are asked about with an account only."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils.html import escape
from pytest_django import Settings

from accounts.identity import Identity
from accounts.models import User
from agent import tasks
from agent.models import Run
from agent.runs import create_run
from agent.steps.deps import open_to_visitors
from tests.support.holdings import northwind
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

VISITOR = "6c1f0a4e-0000-4000-8000-000000000001"
APPLE = "What was Apple's R&D spend in FY2024?"
NVIDIA = "NVIDIA revenue in fiscal 2024"
TEXT = "What supply risks did Northwind disclose in fiscal 2025?"


@pytest.fixture
def nvidia_alone(sample: Sample, settings: Settings) -> None:
    settings.ANON_TICKERS = ["nvda"]


def answered(identity: Identity, question: str) -> Run:
    run = create_run.start(identity, question)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    return run


def by_visitor(question: str) -> Run:
    return answered(Identity(visitor=VISITOR, address="192.0.2.1"), question)


@pytest.mark.parametrize(
    ("question", "nodes"), [(APPLE, ["plan", "fetch", "locate", "retrieve"]), (TEXT, ["plan", "fetch"])]
)
def test_a_visitor_is_refused_another_company_where_its_filing_is_looked_for(
    nvidia_alone: None, question: str, nodes: list[str]
) -> None:
    run = by_visitor(question)
    assert (run.outcome, run.refusal_code, run.refusal_stage) == ("refused", "sign_in_required", "fetch")
    assert [step.node for step in run.steps.all()] == nodes
    (block,) = run.answer["blocks"]
    assert block["refusal"]["text"].startswith("Sign in to ask about ")
    # Of another company than was asked about nothing is offered.
    assert block["alternatives"] == []


def test_of_several_companies_a_visitor_is_told_what_is_open_and_why_the_others_are_not(nvidia_alone: None) -> None:
    run = by_visitor("Apple and NVIDIA revenue in fiscal 2024")
    assert run.outcome == "answered"
    cells = run.answer["blocks"][0]["table"]["cells"]
    assert [(one["company"], one["value"], one["gap"] and one["gap"]["code"]) for one in cells] == [
        ("Apple", None, "sign_in_required"),
        ("NVIDIA", "60922000000", None),
    ]


def test_what_is_offered_instead_a_visitor_can_ask(nvidia_alone: None) -> None:
    for question in ("What was revenue in fiscal 2024?", "NVIDIA adjusted revenue in fiscal 2024"):
        run = by_visitor(question)
        offered = [one["question"] for one in run.answer["blocks"][0]["alternatives"]]
        assert offered
        assert all("NVIDIA" in question for question in offered)
        assert all(by_visitor(question).outcome == "answered" for question in offered)


def test_a_visitor_is_answered_about_the_company_of_the_list(nvidia_alone: None) -> None:
    assert by_visitor(NVIDIA).outcome == "answered"


def test_with_an_account_and_from_a_command_every_company_can_be_asked_about(nvidia_alone: None, alice: User) -> None:
    assert answered(Identity(user=alice), APPLE).outcome == "answered"
    run = Run.objects.create(question=APPLE)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert run.outcome == "answered"


def test_without_a_list_it_is_the_sample_and_with_a_star_everything(sample: Sample, settings: Settings) -> None:
    other = northwind()
    settings.ANON_TICKERS = []
    found = open_to_visitors()
    assert found is not None
    assert sample["AAPL"].cik in found
    assert other.cik not in found
    settings.ANON_TICKERS = ["*"]
    assert open_to_visitors() is None


def test_a_company_that_is_not_held_is_refused_as_that(nvidia_alone: None) -> None:
    assert by_visitor("Coca-Cola revenue in fiscal 2024").refusal_code in {"company_not_covered", "unknown_company"}


def test_the_page_leads_to_sign_in_with_the_question(client: Client, alice: User, nvidia_alone: None) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    client.post("/ask", {"question": APPLE})
    run = Run.objects.get()
    tasks.answer(str(run.pk))
    page = client.get(f"/runs/{run.pk}").content.decode()
    assert f'name="next" value="/?run={run.pk}"' in page
    assert f"/accounts/signup/?next=/%3Frun%3D{run.pk}" in page
    sent = {"login": alice.email, "password": "wonderland-42", "next": f"/?run={run.pk}"}
    landed = client.post("/accounts/login/", sent, follow=True).content.decode()
    assert f'value="{escape(APPLE)}" autofocus' in landed


@pytest.mark.parametrize("named", ["x", "00000000-0000-0000-0000-000000000000"])
def test_the_question_of_a_run_that_is_not_ones_own_is_not_shown(as_bob: Client, alice: User, named: str) -> None:
    run = Run.objects.create(user=alice, question=APPLE)
    for pk in (run.pk, named):
        page = as_bob.get(f"/?run={pk}")
        assert page.status_code == 200
        assert f'value="{escape(APPLE)}" autofocus' not in page.content.decode()


def test_the_ask_page_says_what_can_be_asked_without_an_account(
    client: Client, as_alice: Client, nvidia_alone: None
) -> None:
    assert "Without an account you can ask about NVIDIA." in client.get("/").content.decode()
    assert "Without an account you can ask" not in as_alice.get("/").content.decode()
