"""Fields that no form has: whoever asks decides what is asked, and nothing else of a run."""

import pytest
from django.test import Client

from accounts import tokens
from accounts.models import User
from agent.models import Feedback, Run
from tests.support import answers

FORGED = {
    "outcome": "answered",
    "status": "done",
    "answer": '{"blocks": []}',
    "summary": "$1",
    "starred": "on",
    "note": "forged",
    "attempt": "7",
    "id": "00000000-0000-0000-0000-000000000007",
    "pk": "00000000-0000-0000-0000-000000000007",
    "visitor": "00000000-0000-0000-0000-000000000008",
    "batch": "1",
}


@pytest.fixture
def forged(bob: User) -> dict[str, object]:
    """All that a run has and no form, in the name of somebody else."""
    token, _ = tokens.issue(bob, "Bob's", ("ask", "read"))
    theirs = answers.run_with(answers.number_answer(), bob)
    of_bob = {"user": bob.pk, "user_id": bob.pk, "token": token.pk, "again_of": theirs.pk, "continues": theirs.pk}
    return {**FORGED, **of_bob}


def is_plain(run: Run, user: User) -> bool:
    """Whether a run has only what asking gives it."""
    given = (run.user, run.visitor, run.token, run.again_of, run.status, run.outcome, run.answer, run.attempt)
    kept = (run.summary, run.starred, run.note, str(run.pk) == FORGED["pk"])
    return given == (user, None, None, None, "queued", "", None, 0) and kept == ("", False, "", False)


def test_the_form_takes_a_question_and_a_mode(
    as_alice: Client, alice: User, forged: dict[str, object], models: None
) -> None:
    asked = {"question": answers.QUESTION, "mode": "direct", **forged}
    # An answer of Bob's is none that Alice's question goes on from.
    assert as_alice.post("/ask", asked).status_code == 422
    assert not Run.objects.filter(user=alice).exists()
    as_alice.post("/ask", {**asked, "continues": ""})
    run = Run.objects.get(user=alice)
    assert is_plain(run, alice)
    assert (run.mode, run.continues) == ("direct", None)


def test_a_question_that_goes_on_takes_the_question_alone(
    as_alice: Client, alice: User, forged: dict[str, object], models: None
) -> None:
    before = answers.run_with(answers.number_answer(), alice, mode="direct")
    as_alice.post("/ask", {**forged, "question": "and in FY2023?", "mode": "deep_search", "continues": str(before.pk)})
    run = Run.objects.get(user=alice, status="queued")
    assert is_plain(run, alice)
    assert (run.mode, run.continues) == ("direct", before)


@pytest.mark.parametrize("path", ["again", "note", "star", "feedback", "share"])
def test_what_is_added_to_a_run_leaves_it_as_it_is(
    as_alice: Client, alice: User, charlie: User, forged: dict[str, object], path: str
) -> None:
    run = answers.run_with(answers.number_answer(), alice)
    before = Run.objects.filter(pk=run.pk).values().get()
    more = {"verdict": "wrong", "handled_by": charlie.pk, "reviewer_note": "forged", "question": "Another?"}
    as_alice.post(f"/runs/{run.pk}/{path}", {**forged, **more, "mode": "deep_search", "starred": "1"})
    after = Run.objects.filter(pk=run.pk).values().get()
    own = {"note": {"note"}, "star": {"starred"}}.get(path, set())
    assert {name for name in before if before[name] != after[name]} == own
    for given in Feedback.objects.all():
        assert (given.run, given.status, given.handled_by, given.reviewer_note) == (run, "open", None, "")
    for made in Run.objects.filter(user=alice).exclude(pk=run.pk):
        assert (made.question, made.mode, made.again_of, made.token) == (run.question, run.mode, run, None)


def test_the_api_refuses_each_of_them(alice: User, forged: dict[str, object], models: None) -> None:
    _, text = tokens.issue(alice, "A program", ("ask", "read"))
    program = Client(headers={"Authorization": f"Bearer {text}", "Prefer": "respond-async"})
    for name, value in {**forged, "mode": "deep_search"}.items():
        asked = {"question": answers.QUESTION, name: str(value)}
        response = program.post("/api/v1/ask", asked, content_type="application/json")
        assert response.status_code == 422, name
        assert [error["field"].split(".")[-1] for error in response.json()["errors"]] == [name]
    assert not Run.objects.filter(user=alice).exists()
