"""Asking: the page, the form, and what a question starts."""

import re
from uuid import UUID, uuid4

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.identity_middleware import SESSION_KEY
from accounts.models import User
from agent import tasks
from agent.models import Run
from agent.state import Answer, Table
from agent.steps import pipeline
from agent.steps.deps import Deps
from filings.models import Company
from tests.support.answers import QUESTION, number_answer, run_with
from tests.support.people import confirm, sign_in, sign_up
from tests.support.sample import Sample

ASK = "/ask"


def last_run() -> Run:
    return Run.objects.get()


def test_it_shows_the_form_to_a_visitor_without_making_a_session(client: Client, db: None) -> None:
    response = client.get("/")
    assert response.status_code == 200
    assert b'name="question"' in response.content
    assert "sessionid" not in response.cookies


def test_a_link_with_a_question_fills_the_form_and_asks_nothing(client: Client, db: None) -> None:
    for address in ("/", ASK):
        response = client.get(address, {"q": "Apple <b>revenue</b>"})
        assert b'value="Apple &lt;b&gt;revenue&lt;/b&gt;"' in response.content
        assert b"This question has not been asked yet." in response.content
        assert b"This question has not been asked yet." not in client.get(address).content
    assert not Run.objects.exists()


@pytest.mark.parametrize("known", [True, False])
def test_a_follow_up_that_takes_an_account_is_whole_after_signing_in_or_up(
    client: Client, alice: User, sample: Sample, settings: Settings, known: bool
) -> None:
    settings.ANON_TICKERS = ["nvda"]
    first = asked_of_worker(client, "NVIDIA revenue in fiscal 2024")
    refused = asked_of_worker(client, "what about Apple?", first.pk)
    assert (first.outcome, refused.refusal_code) == ("answered", "sign_in_required")
    back = f"/?run={refused.pk}"
    assert f'name="next" value="{back}"' in client.get(refused.get_absolute_url()).content.decode()
    if known:
        EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
        landed = sign_in(client, next=back)
    else:
        sign_up(client, next=back)
        landed = confirm(client)
    assert landed.url == back
    page = client.get(back).content.decode()
    # An account that was there before has none of the visitor's answers: the question stands alone.
    whole = ("Apple total revenue in fiscal 2024", None) if known else ("what about Apple?", first.pk)
    assert typed_in(page) == whole
    assert Answer.model_validate(asked_of_worker(client, *whole).answer).blocks[0].table == apple_revenue()


def typed_in(page: str) -> tuple[str, UUID | None]:
    """The question that stands in the box of the ask page, and the run that it goes on from."""
    question = re.search(r'id="question"[^>]* value="([^"]*)"', page)
    before = re.search(r'name="continues" value="([^"]+)"', page)
    assert question is not None
    return question[1], UUID(before[1]) if before else None


def apple_revenue() -> Table | None:
    return pipeline.answer("Apple revenue in fiscal 2024", Deps.current()).blocks[0].table


def test_a_follow_up_for_text_that_was_left_behind_says_that_it_stands_alone_no_more(
    client: Client, alice: User, bob: User
) -> None:
    taken = [{"part": "Topic", "value": "risks"}]
    before = run_with(number_answer(), visitor=uuid4())
    left = Run.objects.create(visitor=before.visitor, question="and Apple?", continues=before, taken=taken)
    client.force_login(bob)
    session = client.session
    session[SESSION_KEY] = str(before.visitor)
    session.save()
    page = client.get("/", {"run": left.pk}).content.decode()
    assert typed_in(page) == ("and Apple?", None)
    assert "is not in this browser&#x27;s history" in page


def test_a_follow_up_that_took_nothing_goes_on_where_whoever_asks_has_the_answer_before(
    as_alice: Client, as_bob: Client, alice: User, bob: User
) -> None:
    visitor = uuid4()
    before = run_with(number_answer(), alice)
    Run.objects.filter(pk=before.pk).update(visitor=visitor)
    run = Run.objects.create(user=alice, visitor=visitor, question="Northwind revenue 2024", continues=before)
    page = as_alice.get("/", {"run": run.pk}).content.decode()
    assert typed_in(page) == ("Northwind revenue 2024", before.pk)
    # Signed in to an account that was there before, with the visitor's runs left behind.
    Run.objects.update(user=None)
    session = as_bob.session
    session[SESSION_KEY] = str(visitor)
    session.save()
    page = as_bob.get("/", {"run": run.pk}).content.decode()
    assert typed_in(page) == ("Northwind revenue 2024", None)
    assert "is not in this browser&#x27;s history" not in page


def asked_of_worker(client: Client, question: str, continues: UUID | None = None) -> Run:
    """The run of a question, closed."""
    pk = client.post(ASK, {"question": question, "continues": continues or ""}).url.rpartition("/")[2]
    tasks.answer(pk)
    return Run.objects.get(pk=pk)


def test_a_question_becomes_a_run_of_the_user_and_is_queued_once_it_is_committed(
    as_alice: Client, alice: User, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        response = as_alice.post(ASK, {"question": QUESTION})
    run = last_run()
    assert (run.user, run.visitor, run.question, run.status) == (alice, None, QUESTION, Run.Status.QUEUED)
    assert response.status_code == 302
    assert response.url == f"/runs/{run.pk}"
    assert len(callbacks) == 1


def test_a_visitor_gets_an_identity_with_the_first_question_and_keeps_it(client: Client, db: None) -> None:
    client.post(ASK, {"question": QUESTION})
    first = client.session[SESSION_KEY]
    client.post(ASK, {"question": "Northwind revenue 2024"})
    assert {str(run.visitor) for run in Run.objects.all()} == {first}
    assert client.session.session_key != first


def test_white_space_is_not_part_of_a_question(client: Client, db: None) -> None:
    client.post(ASK, {"question": "  Northwind\r\n revenue\t2024 "})
    assert last_run().question == "Northwind revenue 2024"


@pytest.mark.parametrize("typed", ["", "   \r\n "])
def test_an_empty_question_is_refused_before_a_run_exists(client: Client, db: None, typed: str) -> None:
    response = client.post(ASK, {"question": typed})
    assert response.status_code == 422
    assert b"Type a question first." in response.content
    assert not Run.objects.exists()


def test_too_long_a_question_is_refused_with_both_numbers_and_what_was_typed(
    client: Client, db: None, settings
) -> None:
    settings.QUESTION_MAX_LENGTH = 20
    response = client.post(ASK, {"question": "What was Northwind's revenue?"})
    assert response.status_code == 413
    assert b"The question has 29 characters. The limit is 20." in response.content
    assert b'value="What was Northwind&#x27;s revenue?"' in response.content
    assert b'aria-invalid="true"' in response.content
    assert not Run.objects.exists()


def test_the_limit_itself_is_allowed(client: Client, db: None, settings) -> None:
    settings.QUESTION_MAX_LENGTH = 20
    assert client.post(ASK, {"question": "x" * 20}).status_code == 302


def test_a_null_character_is_an_error_of_the_form(client: Client, db: None) -> None:
    assert client.post(ASK, {"question": "revenue\x00"}).status_code == 422


def test_htmx_is_sent_to_the_run_by_a_header(client: Client, db: None) -> None:
    response = client.post(ASK, {"question": QUESTION}, headers={"HX-Request": "true"})
    assert response.headers["HX-Redirect"] == last_run().get_absolute_url()


def test_a_question_without_the_token_is_refused_calmly_and_kept(db: None) -> None:
    response = Client(enforce_csrf_checks=True).post(ASK, {"question": "Northwind revenue 2024"})
    assert response.status_code == 403
    assert b"Your question is still here" in response.content
    assert b'value="Northwind revenue 2024"' in response.content
    assert not Run.objects.exists()


def test_examples_are_about_covered_companies_only(client: Client, db: None) -> None:
    Company.objects.all().delete()
    assert b"Example questions" not in client.get("/").content
    Company.objects.create(cik=320193, name="Apple Inc.", facts_stored=1)
    Company.objects.create(cik=1045810, name="NVIDIA Corporation", facts_stored=0)
    page = client.get("/").content.decode()
    assert "What was Apple&#x27;s R&amp;D spend in FY2024?" in page
    assert "NVIDIA" not in page


def test_covered_companies_are_counted_with_a_search_for_them(client: Client, db: None) -> None:
    Company.objects.all().delete()
    Company.objects.create(cik=9_999_988_801, name="Northwind Instruments, Inc.", facts_stored=5)
    page = client.get("/").content.decode()
    assert "1 company covered" in page
    assert 'id="find-company"' in page


def test_other_methods_are_not_taken(client: Client, db: None) -> None:
    assert client.put(ASK).status_code == 405


@pytest.mark.parametrize("name", ["method", "ask", "history"])
def test_pages_without_a_run_are_open_to_everybody(client: Client, db: None, name: str) -> None:
    assert client.get(reverse(name)).status_code == 200


def test_an_unknown_address_says_so_in_the_same_language(client: Client, db: None) -> None:
    response = client.get("/nowhere")
    assert response.status_code == 404
    assert b"There is no page at this address" in response.content
    assert b'href="/accounts/login/?next=/nowhere"' in response.content


def test_no_page_has_inline_code_or_style(as_alice: Client) -> None:
    for address in ("/", "/history", "/method", "/account", "/accounts/email/", "/accounts/password/change/"):
        response = as_alice.get(address)
        page = response.content.decode()
        assert "style=" not in page
        assert " on" + "click" not in page
        assert "<script>" not in page
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
