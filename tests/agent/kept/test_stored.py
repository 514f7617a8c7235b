"""An answer kept in a form that is read no more, as after an upgrade: every page and file that has it says so."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from accounts import account_deletion
from accounts.identity import Identity
from accounts.models import Reservation, User
from agent.models import Run, Share
from agent.runs import spending, stored_answer
from agent.web.admin.golden_pointers import NotReviewable, promote
from agent.web.pages.progress import offers_deeper
from filings.models import Section
from tests.agent.api.conftest import alices
from tests.agent.pages.test_views_prose import sections
from tests.support import answers, prose_answers

__all__ = ["alices", "sections"]

SAID = "This answer can no longer be shown"
NOT_MARKED = "No passage is marked."
FORMER: list[Any] = [
    {"of": "a former release"},
    {"plan": {"targets": None}, "blocks": [{"refusal": 1}], "judged": {"mark": 3}},
    ["a list"],
    "a text",
]


@pytest.fixture(params=[FORMER[1], FORMER[2]], ids=["alike", "list"])
def run(request: pytest.FixtureRequest, alice: User) -> Run:
    return of_former_release(answers.run_with(answers.number_answer(), alice), request.param)


def of_former_release(run: Run, form: Any) -> Run:
    Run.objects.filter(pk=run.pk).update(answer=form)
    run.refresh_from_db()
    return run


def test_it_is_none_and_nothing_is_raised() -> None:
    assert [stored_answer.read(one) for one in (*FORMER, None, {})] == [None] * 6
    answer = answers.number_answer()
    assert stored_answer.read(answer.model_dump(mode="json")) == answer


def test_its_page_says_so_with_what_the_run_knows_and_offers_to_ask_again(as_alice: Client, run: Run) -> None:
    response = as_alice.get(run.get_absolute_url())
    page = response.content.decode()
    assert response.status_code == 200
    for words in (SAID, "R&amp;D spend", run.company_called, run.summary, f'action="/runs/{run.pk}/again"'):
        assert words in page
    assert "The error is ours" not in page
    assert as_alice.get(f"/runs/{run.pk}/progress").status_code == 200
    assert not offers_deeper(run)


def test_an_open_run_and_a_failed_one_say_no_such_thing(as_alice: Client, alice: User) -> None:
    failed = answers.open_run(alice, status=Run.Status.FAILED, outcome=Run.Outcome.ERROR)
    for one in (answers.open_run(alice), failed):
        assert SAID not in as_alice.get(one.get_absolute_url()).content.decode()


def test_nothing_of_it_can_be_verified(as_alice: Client, run: Run) -> None:
    response = as_alice.post(f"/runs/{run.pk}/verify")
    assert (response.status_code, SAID in response.content.decode()) == (200, True)
    part = as_alice.post(f"/runs/{run.pk}/verify", headers={"HX-Request": "true"})
    assert "nothing to re-read" in part.content.decode()


def test_it_can_be_followed_and_asked_again(as_alice: Client, run: Run) -> None:
    assert as_alice.post("/ask", {"question": "and in FY2023?", "continues": run.pk}).status_code == 302
    assert as_alice.post(f"/runs/{run.pk}/again").status_code == 302


def test_who_has_its_link_is_told_too_and_offered_nothing(client: Client, run: Run) -> None:
    response = client.get(Share.objects.create(run=run).get_absolute_url())
    page = response.content.decode()
    assert (response.status_code, SAID in page) == (200, True)
    assert "/again" not in page


def test_a_section_is_shown_without_its_marks(
    as_alice: Client, client: Client, alice: User, sections: dict[str, Section]
) -> None:
    run = of_former_release(answers.run_with(prose_answers.supply_answer(sections), alice), FORMER[0])
    share = Share.objects.create(run=run)
    address = f"/filings/{prose_answers.ACCESSION}/1A"
    for reader, query in ((as_alice, f"run={run.pk}&cite=2"), (client, f"share={share.token}&cite=2")):
        response = reader.get(f"{address}?{query}")
        assert (response.status_code, NOT_MARKED in response.content.decode()) == (200, True)


def test_it_is_no_golden_and_the_others_chosen_with_it_are(as_charlie: Client, alice: User, run: Run) -> None:
    with pytest.raises(NotReviewable):
        promote(run, None)
    good = answers.run_with(answers.number_answer(), alice)
    sent = {"action": "propose_golden", "_selected_action": [run.pk, good.pk]}
    page = as_charlie.post(reverse("admin:agent_run_changelist"), sent, follow=True).content.decode()
    assert "1 golden candidate proposed." in page
    assert stored_answer.UNREAD in page


def test_the_api_gives_no_answer_and_says_why(alices: Client, alice: User, run: Run) -> None:
    given = alices.get(f"/api/v1/runs/{run.pk}").json()
    assert (given["answer"], given["refusal"], given["unread"]) == (None, None, stored_answer.UNREAD)
    assert (given["summary"], given["company"]) == (run.summary, run.company)
    read = answers.run_with(answers.number_answer(), alice)
    assert alices.get(f"/api/v1/runs/{read.pk}").json()["unread"] == ""


def test_it_is_exported_as_it_is_kept_and_so_are_the_others(alice: User, run: Run) -> None:
    answers.run_with(answers.number_answer(), alice)
    file = io.BytesIO()
    account_deletion.export(alice, file)
    with zipfile.ZipFile(file) as archive:
        first, second = json.loads(archive.read("runs.json"))
    assert (first["answer"], first["text"]) == (run.answer, "")
    assert "9,412" in second["text"]


def test_the_sweep_settles_it_as_the_answer_that_it_was(alice: User, run: Run) -> None:
    other = answers.run_with(answers.refusal_answer(), alice)
    for one in (run, other):
        spending.reserve(Identity(user=alice), one.pk, one.question)
    Reservation.objects.update(at=now() - timedelta(days=1))
    spending.sweep()
    assert Reservation.objects.get(ref=run.pk).answered
    assert set(Reservation.objects.values_list("state", flat=True)) == {"settled"}
