"""What is refused as a figure: the reason, and the passages of the filing that come nearest, which assert nothing."""

import pytest
from django.test import Client

from accounts.models import User
from agent.certificates.verify import reverify
from agent.refusals.codes import Code
from agent.runs.answer_json import as_text, row
from agent.runs.lifecycle import columns
from agent.state import Answer
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals import golden
from tests.support import answers
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

ABROAD = "How much of Northwind's magnets are sold to people outside Norway?"


def asked(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(golden.TODAY))


def test_the_reason_stands_above_the_nearest_passages(sample: Sample) -> None:
    answer = asked(ABROAD)
    (block,) = answer.blocks
    assert (answer.outcome, answer.refusal_code) == ("passages", "not_understood")
    assert block.refusal is not None
    assert block.passages
    assert {one.target for one in block.passages} == {block.refusal.target}
    assert any("No year was named" in note for note in block.notes)
    assert block.table is None
    assert block.claims == ()
    assert all(check.ok for check in reverify(answer))


def test_it_is_kept_counted_and_exported_as_refused_with_passages(sample: Sample) -> None:
    answer = asked(ABROAD)
    kept = columns(answer)
    assert (kept["outcome"], kept["refusal_code"], kept["refusal_stage"]) == ("passages", "not_understood", "plan")
    told = row(1, answer, 0.0)
    assert (told["refusal_code"], bool(told["passages"]), told["values"]) == ("not_understood", True, [])
    assert "Not answered (not_understood)" in as_text(answer)


def test_the_page_says_both(sample: Sample, as_alice: Client, alice: User) -> None:
    run = answers.run_with(asked(ABROAD), alice)
    html = as_alice.get(run.get_absolute_url()).content.decode()
    assert "We could not interpret" in html or "We could not interpret" in html
    assert "Closest passages" in html
    assert "Related passages" in html
    assert as_alice.get(f"/api/v1/runs/{run.pk}").json()["refusal"]["code"] == "not_understood"


def test_nothing_is_shown_of_a_company_without_text_or_of_what_no_filing_tells(sample: Sample) -> None:
    for question in (
        "How much of Apple's phones are sold to people outside Norway?",
        "Should I buy Northwind?",
        "How much did Northwind pay Xyzzy?",
    ):
        answer = asked(question)
        assert answer.outcome == "refused", question
        assert not any(block.passages for block in answer.blocks), question


def test_an_item_of_another_document_is_said_above_what_this_one_tells(sample: Sample) -> None:
    answer = asked("What are the audit fees of Northwind?")
    (block,) = answer.blocks
    assert block.refusal is not None
    assert block.refusal.code is Code.SECTION_NOT_AVAILABLE
    assert block.outcome == ("passages" if block.passages else "refused")
