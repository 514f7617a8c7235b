"""A question that goes on from an answer, as a run: what it is read behind is kept with it, and what it took is shown."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent.models import Run
from agent.runs import lifecycle
from agent.runs.claim import claim
from agent.steps import pipeline
from agent.steps.deps import Deps
from tests.agent.pages.test_views_run import text
from tests.support import answers
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

REVENUE = "What was NVIDIA's revenue in FY2024?"


def asked(user: User, question: str, **fields: object) -> Run:
    """A run of the question, worked through."""
    run = Run.objects.create(user=user, question=question, **fields)
    return worked(run)


def worked(run: Run) -> Run:
    """A queued run, claimed and answered."""
    attempt = claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    run.refresh_from_db()
    return run


def shown(client: Client, run: Run) -> str:
    return text(client.get(run.get_absolute_url()))


@pytest.fixture
def revenue(alice: User, sample: Sample) -> Run:
    return asked(alice, REVENUE)


def test_the_box_below_an_answer_asks_a_run_that_continues_it(as_alice: Client, alice: User, revenue: Run) -> None:
    page = as_alice.get(revenue.get_absolute_url()).content.decode()
    assert f'<input type="hidden" name="continues" value="{revenue.pk}">' in page
    response = as_alice.post(reverse("ask_question"), {"question": " and in\nFY2023? ", "continues": revenue.pk})
    new = Run.objects.get(continues=revenue)
    assert response.url == new.get_absolute_url()
    assert (new.user, new.question, new.composed) == (alice, "and in FY2023?", "")


def test_an_answer_tells_what_was_taken(as_alice: Client, alice: User, revenue: Run) -> None:
    run = asked(alice, "and in FY2023?", continues=revenue)
    assert (run.question, run.composed, run.outcome) == ("and in FY2023?", "", "answered")
    page = shown(as_alice, run)
    assert "Company taken from your previous question: NVIDIA" in page
    assert "Measure taken from your previous question: revenue" in page
    assert "Period taken" not in page
    assert run.summary != revenue.summary


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        ("and in FY2023?", "What was NVIDIA's revenue in FY2023?"),
        ("what about Apple?", "What was Apple's revenue in FY2024?"),
        ("and the year before?", "What was NVIDIA's revenue in FY2023?"),
        ("and the growth?", "What was NVIDIA's revenue and its growth in FY2024?"),
        ("compare with Apple", "Compare NVIDIA's and Apple's revenue in FY2024"),
    ],
)
def test_it_is_answered_as_the_whole_question_is(sample: Sample, said: str, whole: str) -> None:
    deps = Deps.current()
    before = pipeline.answer(REVENUE, deps).plan.query
    one, other = pipeline.answer(said, deps, previous=before), pipeline.answer(whole, deps)
    assert one.outcome == other.outcome == "answered"
    tables = [block.table for answer in (one, other) for block in answer.blocks if block.table]
    figures = [[(cell.cik, cell.measure, cell.fiscal_year, cell.value) for cell in table.asserted] for table in tables]
    assert figures[0] == figures[1]


def test_a_chain_goes_on_from_what_was_asked_last(alice: User, revenue: Run) -> None:
    second = asked(alice, "what about Apple?", continues=revenue)
    third = asked(alice, "and net income?", continues=second)
    assert (third.company, third.outcome) == ("Apple Inc.", "answered")
    assert {one["part"]: one["value"] for one in third.taken} == {"Company": "Apple", "Period": "fiscal 2024"}


def test_nothing_is_taken_without_the_choice(alice: User, revenue: Run) -> None:
    run = asked(alice, "and in FY2023?")
    assert (run.outcome, run.refusal_code, run.taken, run.before) == ("refused", "no_company", None, None)


def test_what_would_be_another_figure_is_refused(as_alice: Client, alice: User, revenue: Run) -> None:
    run = asked(alice, "in June 2024?", continues=revenue)
    assert (run.outcome, run.refusal_code) == ("refused", "interim_period")
    assert "Reason Period not available" in shown(as_alice, run)


def test_asked_again_it_asks_the_same_though_the_answer_before_is_gone(
    as_alice: Client, alice: User, revenue: Run
) -> None:
    run = asked(alice, "and in FY2023?", continues=revenue)
    revenue.delete()
    as_alice.post(f"/runs/{run.pk}/again")
    again = Run.objects.get(again_of=run)
    assert (again.question, again.before) == (run.question, run.before)
    assert worked(again).summary == run.summary
    assert again.taken == run.taken
    assert "The same as" in shown(as_alice, again)


def test_a_second_attempt_asks_what_the_first_one_asked(alice: User, revenue: Run) -> None:
    run = asked(alice, "and in FY2023?", continues=revenue)
    summary = run.summary
    Run.objects.filter(pk=run.pk).update(status=Run.Status.QUEUED, continues=None, summary="")
    assert worked(run).summary == summary
    assert run.attempt == 2


def test_an_answer_that_is_read_no_more_gives_nothing(alice: User, revenue: Run) -> None:
    Run.objects.filter(pk=revenue.pk).update(answer={"of": "a former release"})
    run = asked(alice, "and in FY2023?", continues=revenue)
    assert (run.refusal_code, run.taken) == ("no_company", None)


def test_an_empty_question_is_told_where_it_still_goes_on_from_the_answer(as_alice: Client, revenue: Run) -> None:
    response = as_alice.post(reverse("ask_question"), {"question": "  ", "continues": revenue.pk})
    assert response.status_code == 422
    assert "Type a question first." in text(response)
    assert "about NVIDIA, fiscal 2024 \u00d7" in text(response)
    assert Run.objects.count() == 1


def test_a_strangers_answer_is_told_as_one_that_is_not_there(as_bob: Client, revenue: Run) -> None:
    for named in (revenue.pk, "00000000-0000-0000-0000-000000000000", "x"):
        response = as_bob.post(reverse("ask_question"), {"question": "and in FY2023?", "continues": named})
        assert response.status_code == 422
        assert "is not in this browser's history" in text(response)
        assert 'value="and in FY2023?"' in response.content.decode()
        assert "NVIDIA, fiscal 2024" not in text(response)
    assert Run.objects.count() == 1


def test_a_refused_question_offers_to_go_on_and_small_talk_does_not(as_alice: Client, alice: User) -> None:
    unknown = asked(alice, "What was Apple's frobnication in FY2024?")
    assert b'id="follow"' in as_alice.get(unknown.get_absolute_url()).content
    meta = answers.run_with(answers.meta_answer(), alice)
    assert b'id="follow"' not in as_alice.get(meta.get_absolute_url()).content
