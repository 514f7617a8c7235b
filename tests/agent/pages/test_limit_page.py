"""A limit on the page: who signs in goes on, who has to wait is told, and no question is lost."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils.html import escape
from pytest_django import Settings

from accounts.models import Override, Session, User
from agent.models import Run
from tests.support import answers

pytestmark = pytest.mark.django_db

ASK = "/ask"
SECOND = "Northwind <b>revenue</b> 2024 & more"


@pytest.fixture
def one_question(settings: Settings) -> None:
    settings.PLANS = {"anon": {"questions_in_all": 1}, "user": {"requests_per_minute": 1}}


def text(page: bytes) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.decode()).split())


def test_a_visitor_is_asked_to_sign_in_and_the_question_stays(client: Client, one_question: None) -> None:
    assert client.post(ASK, {"question": answers.QUESTION}).status_code == 302
    response = client.post(ASK, {"question": SECOND})
    page = response.content.decode()
    assert response.status_code == 429
    assert "The one question without an account is used" in page
    assert "with 1 questions a minute and a history of your answers" in text(response.content)
    assert re.search(r"<dialog[^>]* open", page)
    kept = "Northwind &lt;b&gt;revenue&lt;/b&gt; 2024 &amp; more"
    assert f'value="{kept}"' in page
    assert f'<blockquote class="notice">{kept}</blockquote>' in page
    back = "/?q=Northwind+%3Cb%3Erevenue%3C%2Fb%3E+2024+%26+more"
    assert f'name="next" value="{back}"' in page
    assert "/accounts/signup/?next=%2F%3Fq%3DNorthwind%2B%253Cb%253E" in page
    assert Run.objects.count() == 1


def test_the_question_comes_back_after_signing_in(client: Client, one_question: None, alice: User) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    client.post(ASK, {"question": answers.QUESTION})
    page = client.post(ASK, {"question": SECOND}).content.decode()
    back = re.search(r'name="next" value="([^"]+)"', page)
    assert back
    sent = {"login": alice.email, "password": "wonderland-42", "next": back[1]}
    response = client.post("/accounts/login/", sent, follow=True)
    assert 'value="Northwind &lt;b&gt;revenue&lt;/b&gt; 2024 &amp; more"' in response.content.decode()


def test_a_long_question_comes_back_too_though_no_address_could_hold_it(
    client: Client, one_question: None, alice: User
) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    client.post(ASK, {"question": answers.QUESTION})
    asked = "英伟达披露了哪些供应风险" * 60
    page = client.post(ASK, {"question": asked}).content.decode()
    assert 'name="next" value="/?kept=typed"' in page
    sent = {"login": alice.email, "password": "wonderland-42", "next": "/?kept=typed"}
    assert f'value="{asked}"' in client.post("/accounts/login/", sent, follow=True).content.decode()
    # Nobody else finds anything there.
    assert asked not in Client().get("/?kept=typed").content.decode()


def test_no_more_is_kept_of_a_question_than_can_be_asked(
    client: Client, one_question: None, settings: Settings
) -> None:
    asked = "英伟达披露了哪些供应风险" * 60
    client.post(ASK, {"question": asked})
    settings.QUESTION_MAX_LENGTH = 600
    page = client.post(f"/runs/{Run.objects.get().pk}/again").content.decode()
    assert 'name="next" value="/?kept=typed"' in page
    assert f'value="{asked}"' in page
    assert client.session["typed"] == {"q": asked[:600]}


def test_what_somebody_has_to_wait_with_is_kept_by_the_form_alone(as_alice: Client, one_question: None) -> None:
    as_alice.post(ASK, {"question": answers.QUESTION})
    asked = "英伟达披露了哪些供应风险" * 60
    response = as_alice.post(ASK, {"question": asked})
    assert response.status_code == 429
    assert f'value="{asked}"' in response.content.decode()
    assert "typed" not in as_alice.session


FOLLOW = "and in FY2023?"


def goes_on_from(page: str, run: Run) -> bool:
    """Whether the question on the page, if it is asked from there, continues a run, and whether the page says so."""
    asks = f'<input type="hidden" name="continues" value="{run.pk}">' in page
    assert asks == (f'about <a href="/runs/{run.pk}">Northwind, fiscal 2024</a>' in page)
    assert f'value="{FOLLOW}"' in page
    return asks


def test_a_question_that_continues_an_answer_still_does_when_it_is_asked_again(
    as_alice: Client, alice: User, one_question: None
) -> None:
    run = answers.run_with(answers.number_answer(), alice)
    as_alice.post(ASK, {"question": answers.QUESTION})
    for headers in ({}, {"HX-Request": "true"}):
        response = as_alice.post(ASK, {"question": FOLLOW, "continues": run.pk}, headers=headers)
        assert response.status_code == 429
        page = as_alice.get(response["HX-Redirect"]) if headers else response
        assert goes_on_from(page.content.decode(), run)
    new = answers.run_with(answers.number_answer(), alice, question=FOLLOW, continues=run)
    assert goes_on_from(as_alice.post(f"/runs/{new.pk}/again").content.decode(), run)
    # With what was taken, the question is whole.
    Run.objects.filter(pk=new.pk).update(composed=SECOND)
    page = as_alice.post(f"/runs/{new.pk}/again").content.decode()
    assert '&amp; more" autofocus' in page
    assert 'name="continues"' not in page


def test_a_visitor_who_signs_up_goes_on_from_the_answer_before(
    client: Client, one_question: None, alice: User, bob: User
) -> None:
    client.post(ASK, {"question": answers.QUESTION})
    run = Run.objects.get()
    Run.objects.update(status="done", answer=answers.number_answer().model_dump(mode="json"))
    page = client.post(ASK, {"question": FOLLOW, "continues": run.pk}).content.decode()
    assert goes_on_from(page, run)
    back = re.search(r'name="next" value="([^"]+)"', page)
    assert back
    path = back[1].replace("&amp;", "&")
    # The runs of a visitor who signs up move to the account; to anybody else they do not exist.
    client.force_login(bob)
    page = client.get(path).content.decode()
    assert not goes_on_from(page, run)
    assert "is not in this browser&#x27;s history" in page
    client.force_login(alice)
    Run.objects.update(user=alice)
    assert goes_on_from(client.get(path).content.decode(), run)


@pytest.mark.parametrize("named", ["x", "00000000-0000-0000-0000-000000000000", "x\u200b"])
def test_a_continued_answer_that_is_not_there_is_no_error(client: Client, named: str) -> None:
    page = client.get("/", {"q": FOLLOW, "continues": named})
    assert page.status_code == 200
    assert 'name="continues"' not in page.content.decode()


def test_somebody_with_an_account_is_told_when_it_can_be_asked(as_alice: Client, one_question: None) -> None:
    as_alice.post(ASK, {"question": answers.QUESTION})
    response = as_alice.post(ASK, {"question": SECOND})
    page = response.content.decode()
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 60
    assert response["RateLimit-Policy"] == '"requests_per_minute";q=1;w=60'
    assert 'class="toast"' in page
    assert "<dialog" not in page
    assert '&amp; more" autofocus' in page


def test_too_long_a_question_is_413_with_what_was_typed(client: Client, settings: Settings) -> None:
    settings.PLANS = {"anon": {"requests_per_minute": 5, "input_tokens": 3}}
    response = client.post(ASK, {"question": SECOND})
    assert response.status_code == 413
    page = response.content.decode()
    assert page.count("tokens. The limit is 3") == 2
    assert re.search(r"<dialog[^>]* open", page)
    assert re.search(r'<p class="error" id="question-error">The question has \d+ tokens\. The limit is 3\.</p>', page)
    assert '&amp; more" autofocus' in page
    assert "Retry-After" not in response
    assert '"input_tokens";q=3' in response["RateLimit-Policy"]
    assert response["RateLimit"] == '"requests_per_minute";r=5, "input_tokens";r=3'


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_stranger_stores_nothing_with_however_long_a_question(
    client: Client, db: None, headers: dict[str, str]
) -> None:
    asked = "英" * 20_000
    response = client.post(ASK, {"question": asked}, headers=headers)
    assert response.status_code == 413
    assert f'value="{asked}"' in response.content.decode()
    assert not Session.objects.exists()


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_too_many_characters_are_told_as_too_many_tokens_are(
    client: Client, settings: Settings, headers: dict[str, str]
) -> None:
    settings.QUESTION_MAX_LENGTH = 20
    response = client.post(ASK, {"question": SECOND}, headers=headers)
    page = response.content.decode()
    assert response.status_code == 413
    assert "Retry-After" not in response
    assert '"question_characters";q=20' in response["RateLimit-Policy"]
    assert '"question_characters";r=20' in response["RateLimit"].split(", ")
    assert 'class="toast"' in page
    assert "See your limits" not in page
    assert "<dialog" not in page
    assert '<p class="error" id="question-error">The question has 36 characters. The limit is 20.</p>' in page
    assert '&amp; more" autofocus' in page
    assert not Session.objects.exists()


@pytest.mark.parametrize("path", [ASK, "/search", "/accounts/login/"])
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_too_large_a_body_is_told_as_too_long_a_question_is(path: str, headers: dict[str, str]) -> None:
    body = f"question={'x' * 3_000_000}"
    # As a browser sends it, with the check of CSRF, which reads the body first.
    client = Client(enforce_csrf_checks=True)
    response = client.post(path, body, content_type="application/x-www-form-urlencoded", headers=headers)
    page = response.content.decode()
    assert response.status_code == 413
    assert "The body has 3,000,009 bytes. The limit is 2,621,440." in page
    assert 'class="toast"' in page
    assert "Type a question first" not in page
    assert "Retry-After" not in response
    assert '"body_bytes";q=2621440' in response["RateLimit-Policy"].split(", ")
    assert '"body_bytes";r=2621440' in response["RateLimit"].split(", ")
    assert not Session.objects.exists()


def test_a_follow_up_that_is_too_long_still_goes_on_from_its_answer(
    as_alice: Client, alice: User, settings: Settings
) -> None:
    run = answers.run_with(answers.number_answer(), alice)
    settings.QUESTION_MAX_LENGTH = len(FOLLOW) - 1
    response = as_alice.post(ASK, {"question": FOLLOW, "continues": run.pk})
    assert response.status_code == 413
    assert goes_on_from(response.content.decode(), run)


def test_what_is_refused_makes_no_session(client: Client, settings: Settings) -> None:
    settings.PLANS = {"anon": {"input_tokens": 1}}
    response = client.post(ASK, {"question": SECOND})
    assert "sessionid" not in response.cookies
    assert not Session.objects.exists()


@pytest.mark.parametrize("path", ["again", "deeper"])
def test_other_ways_to_ask_are_limited_too(
    as_alice: Client, alice: User, one_question: None, models: None, path: str
) -> None:
    answer = answers.number_answer()
    judged = {"again": False, "score": 0.1, "threshold": 0.8, "why": "iterations", "iteration": 0}
    answer = type(answer).model_validate({**answer.model_dump(mode="json"), "judged": judged})
    run = answers.run_with(answer, alice)
    as_alice.post(ASK, {"question": answers.QUESTION})
    response = as_alice.post(f"/runs/{run.pk}/{path}")
    assert response.status_code == 429
    assert f'value="{escape(run.question)}"' in response.content.decode()


def test_a_request_of_htmx_is_sent_to_the_page_with_its_question(as_alice: Client, one_question: None) -> None:
    as_alice.post(ASK, {"question": answers.QUESTION})
    response = as_alice.post(ASK, {"question": SECOND}, headers={"HX-Request": "true"})
    assert response.status_code == 429
    page = as_alice.get(response["HX-Redirect"])
    assert '&amp; more" autofocus' in page.content.decode()
    assert "The limit of one question or search a minute is reached." in page.content.decode()


def test_of_many_asked_again_as_many_are_as_there_is_room_for(
    as_alice: Client, alice: User, settings: Settings
) -> None:
    settings.PLANS = {"user": {"unfinished_runs": 2}}
    runs = [answers.run_with(answers.number_answer(), alice) for _ in range(3)]
    chosen = {"run": [str(run.pk) for run in runs], "action": "ask_again"}
    page = as_alice.post("/history/selected", chosen, follow=True).content.decode()
    assert "2 of 3 answers asked again. 2 of your questions are still unanswered." in page
    assert Run.objects.filter(status="queued").count() == 2


def test_the_account_page_shows_use_against_limits(as_alice: Client, alice: User, settings: Settings) -> None:
    settings.PLANS = {"user": {"requests_per_minute": 60, "answers_per_month": 10, "input_tokens": 2000}}
    Override.objects.create(user=alice, answers_per_month=1)
    as_alice.post(ASK, {"question": answers.QUESTION})
    page = as_alice.get("/account").content
    assert "Questions and searches a minute 1 of 60" in text(page)
    assert "Answers this month 1 of 1" in text(page)
    assert "One question may have up to 2,000 tokens" in text(page)
    assert b'max="60" value="1"' in page
    assert page.count(b"meter__bar--near") == 1


def test_the_admin_shows_what_is_in_force_and_what_was_used(as_charlie: Client, alice: User, client: Client) -> None:
    client.force_login(alice)
    client.post(ASK, {"question": answers.QUESTION})
    assert "Visitors without an account Settings" in text(as_charlie.get("/admin/accounts/plan/").content)
    for name in ("reservation", "meter"):
        listed = as_charlie.get(f"/admin/accounts/{name}/", {"q": "Alice@example.com"}).content.decode()
        assert "alice@example.com" in listed
        assert "alice@example.com" not in as_charlie.get(f"/admin/accounts/{name}/", {"q": "user:0"}).content.decode()
    sent = {"name": "Team", "tier": "user", "requests_per_minute": "7"}
    assert as_charlie.post("/admin/accounts/plan/add/", sent).status_code == 302
    sent = {"user": str(alice.pk), "requests_per_minute": "9"}
    assert as_charlie.post("/admin/accounts/override/add/", sent).status_code == 302
    assert Override.objects.get().requests_per_minute == 9
