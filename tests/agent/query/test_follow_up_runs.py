"""A question that goes on from an answer, as a run: what it is read behind is kept with it, and what it took is shown."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent.models import Run
from agent.runs import lifecycle
from agent.runs.claim import claim
from agent.runs.stored_answer import read
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


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("and in FY2023?", "Read as: Total revenue of NVIDIA in fiscal 2023."),
        ("add Apple", "Read as: Total revenue of NVIDIA and Apple in fiscal 2024."),
        ("add net income", "Read as: Total revenue and net income of NVIDIA in fiscal 2024."),
        ("two more years as a chart", "Read as: Total revenue of NVIDIA from fiscal 2022 to fiscal 2024, as a chart."),
        ("without Apple", ""),
        ("two more years", "Read as: Total revenue of NVIDIA from fiscal 2022 to fiscal 2024."),
        ("year over year", "Read as: Growth in total revenue of NVIDIA in fiscal 2024."),
    ],
)
def test_an_answer_says_how_the_question_was_read(
    as_alice: Client, alice: User, revenue: Run, said: str, line: str
) -> None:
    run = asked(alice, said, continues=revenue)
    page = shown(as_alice, run)
    assert line in page
    assert ("Read as:" in page) is bool(line)
    assert (run.question, run.composed) == (said, "")


def test_a_chart_is_shown_of_one_figure_where_it_is_asked_for(as_alice: Client, alice: User, revenue: Run) -> None:
    chart = 'id="chart-1-title"'
    assert chart not in as_alice.get(revenue.get_absolute_url()).content.decode()
    run = asked(alice, "as a chart", continues=revenue)
    assert chart in as_alice.get(run.get_absolute_url()).content.decode()


def test_a_grid_is_the_grid_page_of_the_same_table(as_alice: Client, alice: User, revenue: Run) -> None:
    table = asked(alice, "two more years", continues=revenue)
    response = as_alice.post(reverse("ask_question"), {"question": "as a grid", "continues": table.pk})
    assert response.url == f"{reverse('grid')}?companies=NVDA&measures=revenue&from=2022&to=2024"
    assert not Run.objects.filter(continues=table).exists()
    htmx = {"HTTP_HX-Request": "true"}
    moved = as_alice.post(reverse("ask_question"), {"question": "show as table", "continues": table.pk}, **htmx)
    assert moved["HX-Redirect"] == response.url


def test_a_grid_of_a_text_is_asked_as_any_question(as_alice: Client, alice: User, sample: Sample) -> None:
    text_run = asked(alice, "What risks does Northwind face from its suppliers?")
    response = as_alice.post(reverse("ask_question"), {"question": "as a grid", "continues": text_run.pk})
    assert response.url == Run.objects.get(continues=text_run).get_absolute_url()


def test_the_figures_of_a_changed_table_are_verified(alice: User, revenue: Run) -> None:
    run = asked(alice, "as a share of total assets", continues=asked(alice, "add net income", continues=revenue))
    answer = read(run.answer)
    assert answer is not None
    (block,) = (block for block in answer.blocks if block.table)
    assert [cell.formula for cell in block.table.asserted] == [
        "100 * (revenue / total_assets)",
        "100 * (net_income / total_assets)",
    ]
    assert block.checks
    assert all(check.ok for check in block.checks)


def test_a_change_that_is_refused_is_gone_on_from_as_if_it_had_not_been_asked(alice: User, revenue: Run) -> None:
    refused = asked(alice, "without Apple", continues=revenue)
    assert refused.refusal_code == "not_in_table"
    run = asked(alice, "in FY2023", continues=refused)
    assert (run.outcome, run.cik) == ("answered", revenue.cik)


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
