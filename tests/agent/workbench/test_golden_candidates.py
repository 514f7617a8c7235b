"""Golden candidates: made of reviewed runs, with pointers and without a word of a filing; approved by a reviewer."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent.models import Feedback, GoldenCandidate, Run
from agent.state import Block, Claim, QuestionType
from agent.web.admin.golden_pointers import FactPointer, NotReviewable, PassagePointer, promote
from evals.candidates import NotExportable, rows
from tests.support import answers
from tests.support.holdings import northwind
from tests.support.texts import SUPPLIER, ten_k

CLAIM = Claim(
    target=1, text="We buy from one supplier.", quote="We buy from one supplier.", chunk=7, section=3, sha256="5e" * 32,
    start=10, end=35, cik=answers.CIK, accession=answers.ACCESSION, item="1A",
)  # fmt: skip


@pytest.fixture
def run(alice: User) -> Run:
    return answers.run_with(answers.number_answer(), user=alice)


def prose(alice: User) -> Run:
    answer = answers.number_answer()
    block = Block(target=1, type=QuestionType.PROSE, outcome="answered", claims=(CLAIM,))
    return answers.run_with(answer.model_copy(update={"blocks": (block,)}), user=alice)


def act(client: Client, name: str, action: str, *chosen: Any) -> str:
    sent = {"action": action, "_selected_action": [one.pk for one in chosen]}
    return client.post(reverse(f"admin:agent_{name}_changelist"), sent, follow=True).content.decode()


# --- what a run points at ---


def test_a_figure_is_kept_as_the_fact_it_was_read_from(run: Run, charlie: User) -> None:
    candidate, made = promote(run, charlie)
    assert made
    (fact,) = [FactPointer.model_validate(one) for one in candidate.facts]
    assert (fact.accession, fact.tag, fact.raw, fact.concept) == (
        answers.ACCESSION, "ResearchAndDevelopmentExpense", "9412000", "rnd",
    )  # fmt: skip
    assert (candidate.question, candidate.outcome, candidate.proposed_by) == (run.question, "answered", charlie)
    assert candidate.passages == []


def test_a_derived_figure_is_kept_as_its_operands(alice: User) -> None:
    candidate, _ = promote(answers.run_with(answers.derived_answer(), user=alice), None)
    assert len(candidate.facts) > 1
    assert {one["operand_of"] for one in candidate.facts} == {"gross_profit"}


def test_a_sentence_is_kept_as_its_place_and_not_as_its_words(alice: User) -> None:
    candidate, _ = promote(prose(alice), None)
    (passage,) = [PassagePointer.model_validate(one) for one in candidate.passages]
    assert (passage.section, passage.start, passage.end, passage.item) == (3, 10, 35, "1A")
    assert "supplier" not in str(candidate.passages)


def test_a_refusal_is_kept_with_its_code(alice: User) -> None:
    candidate, _ = promote(answers.run_with(answers.refusal_answer(), user=alice), None)
    assert (candidate.outcome, candidate.code, candidate.facts) == ("refused", "concept_not_reported", [])


def test_a_question_that_went_on_from_another_is_kept_whole(run: Run) -> None:
    run.composed = "What was Northwind's R&D spend in fiscal 2023?"
    assert promote(run, None)[0].question == run.composed


def test_a_run_is_proposed_once_and_what_was_written_stays(run: Run) -> None:
    candidate, _ = promote(run, None)
    GoldenCandidate.objects.update(question="Edited", status="approved")
    again, made = promote(run, None)
    assert (again.pk, again.question, made) == (candidate.pk, "Edited", False)


@pytest.mark.parametrize("answer", ["meta", "open"])
def test_what_is_no_answer_is_no_golden(alice: User, answer: str) -> None:
    run = answers.open_run(user=alice) if answer == "open" else answers.run_with(answers.meta_answer(), user=alice)
    with pytest.raises(NotReviewable):
        promote(run, None)


def test_it_goes_with_the_run(run: Run) -> None:
    promote(run, None)
    run.delete()
    assert not GoldenCandidate.objects.exists()


# --- in the admin ---


def test_runs_are_proposed_from_their_list(as_charlie: Client, run: Run, alice: User) -> None:
    meta = answers.run_with(answers.meta_answer(), user=alice)
    page = act(as_charlie, "run", "propose_golden", run, meta)
    assert "1 golden candidate proposed." in page
    assert "Only an answer or a refusal can become a golden." in page
    assert "1 had already been proposed." in act(as_charlie, "run", "propose_golden", run)


def test_feedback_is_handled_opened_again_and_proposed(as_charlie: Client, charlie: User, run: Run) -> None:
    given = Feedback.objects.create(run=run, verdict="wrong", reviewer_note="The segment's line is due.")
    assert "1 golden candidate proposed." in act(as_charlie, "feedback", "propose_golden", given)
    assert GoldenCandidate.objects.get().why == "The segment's line is due."
    assert "1 handled." in act(as_charlie, "feedback", "mark_handled", given)
    given.refresh_from_db()
    assert (given.status, given.handled_by, given.handled is not None) == ("handled", charlie, True)
    assert "0 handled." in act(as_charlie, "feedback", "mark_handled", given)
    assert "1 reopened." in act(as_charlie, "feedback", "reopen", given)
    given.refresh_from_db()
    assert (given.status, given.handled_by, given.handled) == ("open", None, None)


def test_who_may_not_add_candidates_proposes_none(bob: User, run: Run) -> None:
    from django.contrib.auth.models import Permission

    from tests.conftest import signed_in

    bob.is_staff = True
    bob.save()
    bob.user_permissions.add(Permission.objects.get(codename="view_run"))
    sent = {"action": "propose_golden", "_selected_action": [run.pk]}
    assert signed_in(bob).post(reverse("admin:agent_run_changelist"), sent).status_code == 403
    assert not GoldenCandidate.objects.exists()


def test_only_what_can_be_exported_is_approved(as_charlie: Client, run: Run, alice: User) -> None:
    good, _ = promote(run, None)
    empty, _ = promote(prose(alice), None)
    GoldenCandidate.objects.filter(pk=empty.pk).update(passages=[])
    refused, _ = promote(answers.run_with(answers.refusal_answer(), user=alice), None)
    GoldenCandidate.objects.filter(pk=refused.pk).update(code="")
    page = act(as_charlie, "goldencandidate", "approve", good, empty, refused)
    assert "1 approved." in page
    assert "has no fact or passage to compare" in page
    assert "Give the refusal code that is correct" in page
    assert {one.pk: one.status for one in GoldenCandidate.objects.all()} == {
        good.pk: "approved", empty.pk: "proposed", refused.pk: "proposed",
    }  # fmt: skip
    assert "1 declined." in act(as_charlie, "goldencandidate", "decline", empty)


def test_what_is_disputed_is_not_approved_before_a_reviewer_has_looked(as_charlie: Client, run: Run) -> None:
    given = Feedback.objects.create(run=run, verdict="should_have_refused", comment="Two lines fit.")
    held, _ = promote(run, None)
    said = "The feedback on the run says “should have been refused”"
    assert said in act(as_charlie, "goldencandidate", "approve", held)
    page = as_charlie.get(reverse("admin:agent_goldencandidate_change", args=[held.pk])).content.decode()
    assert "Should have been refused, open: Two lines fit." in page
    # What is due instead is nobody's dispute.
    GoldenCandidate.objects.filter(pk=held.pk).update(outcome="refused", code="ambiguous_concept")
    assert "1 approved." in act(as_charlie, "goldencandidate", "approve", held)
    GoldenCandidate.objects.filter(pk=held.pk).update(outcome="answered", code="", status="proposed")
    act(as_charlie, "feedback", "mark_handled", given)
    assert "1 approved." in act(as_charlie, "goldencandidate", "approve", held)


def test_why_no_golden_can_be_made_of_it_is_said_before_it_is_approved(
    as_charlie: Client, run: Run, alice: User
) -> None:
    derived, _ = promote(answers.run_with(answers.derived_answer(), user=alice), None)
    stale, _ = promote(prose(alice), None)
    mixed, _ = promote(run, None)
    mixed.passages = stale.passages
    mixed.save()
    section = ten_k(northwind().filings.get(fiscal_year=2025))["1A"]
    place = {"section": section.pk, "sha256": section.sha256}
    held, _ = promote(prose(alice), None)
    wordless, _ = promote(prose(alice), None)
    for candidate, end in ((held, section.text.index(SUPPLIER) + len(SUPPLIER)), (wordless, 0)):
        candidate.passages = [{**candidate.passages[0], **place, "start": 0, "end": end}]
        candidate.save()
    page = act(as_charlie, "goldencandidate", "approve", derived, stale, mixed, held, wordless)
    for words in (
        "gross_profit is computed",
        "has been ingested again",
        "An answer with both figures and text",
        "has no words",
    ):
        assert words in page
    approved = GoldenCandidate.objects.filter(status="approved")
    assert list(approved) == [held]
    assert [type(row) for row in rows(GoldenCandidate.objects.order_by("pk"))].count(NotExportable) == 4


def test_a_reviewer_edits_a_candidate(as_charlie: Client, run: Run) -> None:
    candidate, _ = promote(run, None)
    address = reverse("admin:agent_goldencandidate_change", args=[candidate.pk])
    assert answers.ACCESSION in as_charlie.get(address).content.decode()
    sent = {
        "question": "R&D of Northwind, 2024?",
        "outcome": "refused",
        "code": "conflict",
        "why": "",
        "status": "approved",
    }
    assert as_charlie.post(address, sent).status_code == 302
    candidate.refresh_from_db()
    assert (candidate.question, candidate.outcome, candidate.code) == (
        "R&D of Northwind, 2024?",
        "refused",
        "conflict",
    )
