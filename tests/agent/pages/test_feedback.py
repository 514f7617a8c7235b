"""What whoever asked says of an answer, and the queue in which it waits."""

from uuid import uuid4

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.models import User
from agent.models import Feedback, Run
from tests.support import answers

HTMX = {"HX-Request": "true"}


@pytest.fixture
def run(alice: User) -> Run:
    return answers.run_with(answers.number_answer(), alice)


@pytest.fixture
def refused(alice: User) -> Run:
    return answers.run_with(answers.refusal_answer(), alice)


def say(client: Client, run: Run, verdict: str, comment: str = "", **more: object):
    return client.post(f"/runs/{run.pk}/feedback", {"verdict": verdict, "comment": comment}, **more)


@pytest.mark.parametrize("verdict", ["right", "wrong", "should_have_refused"])
def test_an_answer_is_right_wrong_or_should_not_be_there(as_alice: Client, run: Run, verdict: str) -> None:
    say(as_alice, run, verdict, " It is the segment's. ")
    given = Feedback.objects.get()
    assert (given.run, given.verdict, given.comment, given.status) == (run, verdict, "It is the segment's.", "open")


@pytest.mark.parametrize("verdict", ["right", "wrong", "should_have_answered"])
def test_a_refusal_is_right_wrong_or_should_be_an_answer(as_alice: Client, refused: Run, verdict: str) -> None:
    say(as_alice, refused, verdict)
    assert Feedback.objects.get().verdict == verdict


def test_what_makes_no_sense_of_an_outcome_is_not_taken(as_alice: Client, run: Run, refused: Run) -> None:
    for asked, verdict in ((run, "should_have_answered"), (refused, "should_have_refused"), (run, "fine"), (run, "")):
        assert say(as_alice, asked, verdict, headers=HTMX).status_code == 422
    assert not Feedback.objects.exists()


def test_a_run_without_outcome_is_not_judged(as_alice: Client, alice: User) -> None:
    for run in (answers.open_run(alice), answers.run_with(answers.meta_answer(), alice)):
        assert say(as_alice, run, "right").status_code == 404
        assert b'id="feedback"' not in as_alice.get(run.get_absolute_url()).content


def test_a_comment_that_is_too_long_is_not_lost(as_alice: Client, run: Run) -> None:
    response = say(as_alice, run, "wrong", "x" * 2001, headers=HTMX)
    assert response.status_code == 422
    assert "x" * 2001 in response.content.decode()


def test_it_is_said_once_and_may_be_changed(as_alice: Client, run: Run) -> None:
    say(as_alice, run, "wrong", "First")
    response = say(as_alice, run, "right", "Second", headers=HTMX)
    assert "in the review queue" in response.content.decode()
    given = Feedback.objects.get()
    assert (given.verdict, given.comment) == ("right", "Second")
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert 'value="right" required checked' in page
    assert "Second</textarea>" in page


def test_what_was_handled_is_open_again_once_it_says_something_else(as_alice: Client, run: Run, charlie: User) -> None:
    say(as_alice, run, "wrong", "First")
    Feedback.objects.update(status="handled", handled_by=charlie, handled=now())
    say(as_alice, run, "wrong", "First")
    given = Feedback.objects.get()
    assert (given.status, given.handled_by) == ("handled", charlie)
    assert given.handled
    say(as_alice, run, "wrong", "It is still wrong")
    given.refresh_from_db()
    assert (given.status, given.handled_by, given.handled) == ("open", None, None)


def test_nobody_else_judges_a_run(client: Client, as_bob: Client, as_charlie: Client, run: Run) -> None:
    client.post("/ask", {"question": "makes a visitor"})
    for stranger in (client, Client(), as_bob, as_charlie):
        assert say(stranger, run, "wrong").status_code == 404
    assert not Feedback.objects.exists()


def test_a_link_says_nothing(as_alice: Client, run: Run) -> None:
    assert as_alice.get(f"/runs/{run.pk}/feedback", {"verdict": "wrong"}).status_code == 405
    assert as_alice.post(f"/runs/{uuid4()}/feedback", {"verdict": "wrong"}).status_code == 404


def test_it_goes_with_the_run(as_alice: Client, run: Run) -> None:
    say(as_alice, run, "wrong")
    as_alice.post(f"/runs/{run.pk}/delete")
    assert not Feedback.objects.exists()


# --- the queue ---


def test_reviewers_see_it_with_question_and_answer(as_alice: Client, as_charlie: Client, run: Run) -> None:
    say(as_alice, run, "wrong", "It is the segment's.")
    given = Feedback.objects.get()
    page = as_charlie.get("/admin/agent/feedback/").content.decode()
    assert "It is the segment&#x27;s." in page
    assert run.question.replace("'", "&#x27;").replace("&D", "&amp;D") in page
    assert (
        f"/admin/agent/run/{run.pk}/change/"
        in as_charlie.get(f"/admin/agent/feedback/{given.pk}/change/").content.decode()
    )


def test_a_reviewer_handles_it_and_is_named(as_alice: Client, as_charlie: Client, charlie: User, run: Run) -> None:
    say(as_alice, run, "wrong", "Mine")
    given = Feedback.objects.get()
    sent = {"status": "handled", "reviewer_note": "The tag was changed.", "comment": "Not mine", "verdict": "right"}
    as_charlie.post(f"/admin/agent/feedback/{given.pk}/change/", sent)
    given.refresh_from_db()
    assert (given.status, given.reviewer_note, given.handled_by) == ("handled", "The tag was changed.", charlie)
    assert given.handled is not None
    assert (given.verdict, given.comment) == ("wrong", "Mine")
    assert "The tag was changed." not in as_alice.get(run.get_absolute_url()).content.decode()


def test_the_queue_is_narrowed_to_what_is_open(as_charlie: Client, run: Run, refused: Run) -> None:
    waits = Feedback.objects.create(run=run, verdict="wrong")
    Feedback.objects.create(run=refused, verdict="wrong", status="handled")
    page = as_charlie.get("/admin/agent/feedback/", {"status__exact": "open"})
    assert list(page.context["cl"].result_list) == [waits]
    assert 'href="?status__exact=handled"' in page.content.decode()


def test_the_queue_costs_the_same_however_long_it_is(
    as_charlie: Client, alice: User, django_assert_max_num_queries
) -> None:
    for _ in range(20):
        Feedback.objects.create(run=answers.run_with(answers.number_answer(), alice), verdict="wrong")
    with django_assert_max_num_queries(12) as held:
        as_charlie.get("/admin/agent/feedback/")
    assert not any('"answer"' in one["sql"] for one in held.captured_queries)
