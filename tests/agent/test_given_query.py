"""A query that is given is asked as it is: no word of its name is read, and no answer to such words is kept or recalled."""

from datetime import date

import pytest

from accounts.identity import Identity
from accounts.models import User
from agent import tasks
from agent.models import Run
from agent.numbers.registry import registry
from agent.registrants.registrant_index import Companies
from agent.runs import answer_cache, create_run
from agent.state import AgentState, Answer, CompanyRef, Period, PeriodForm, QuestionType, Versions
from agent.state.query import Concept, Query, Row, Years
from agent.steps import pipeline
from agent.steps import plan as planning
from agent.steps.deps import Deps
from agent.steps.plan import plan
from tests.support.sample import Sample

NAME = "Tesla net income in fiscal 2020"
APPLE = CompanyRef(cik=320193, name="Apple Inc.", symbol="AAPL", covered=True)
GIVEN = Query(
    companies=(APPLE,),
    periods=Years(periods=(Period(form=PeriodForm.FISCAL, year=2024),)),
    rows=(Row(measure=Concept(key="revenue")),),
)


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads a word fails."""
    monkeypatch.setattr(planning, "read", lambda *told: pytest.fail("The name was read."))


def test_the_plan_is_that_of_the_query_and_no_word_is_read(unread: None) -> None:
    held = registry.load()
    deps = Deps(Companies.of([]), held, date(2026, 11, 21), Versions(code="", registry="", corpus=""))
    # However long a name is, it is none of the plan's.
    for name in (NAME, "", "x" * 100_000):
        state = plan(AgentState(question=name, given=GIVEN), deps)
        assert state.plan is not None
        assert (state.plan.query, state.plan.type) == (GIVEN, QuestionType.NUMERIC)
        (target,) = state.plan.targets
        assert (target.company, target.period.year, target.figures) == (APPLE, 2024, True)
        assert (state.refusals, state.blocks) == ((), ())


@pytest.mark.django_db
def test_it_is_answered_like_the_question_that_says_the_same(sample: Sample) -> None:
    company = Deps.current().companies.get(APPLE.cik)
    assert company is not None
    given = pipeline.answer(NAME, Deps.current(), given=GIVEN.model_copy(update={"companies": (company,)}))
    asked = pipeline.answer("Apple revenue in fiscal 2024", Deps.current())
    assert given.question == NAME
    assert given.blocks[0].table == asked.blocks[0].table
    assert given.blocks[0].checks == asked.blocks[0].checks
    assert given.blocks[0].checks


@pytest.mark.django_db
def test_the_run_of_a_query_asks_it_and_not_the_answers_that_are_kept(
    sample: Sample, alice: User, monkeypatch: pytest.MonkeyPatch, unread: None
) -> None:
    def kept(*told: object, **more: object) -> Answer | None:
        pytest.fail("An answer to words was looked for or kept.")

    monkeypatch.setattr(answer_cache, "recall", kept)
    monkeypatch.setattr(answer_cache, "keep", kept)
    run = create_run.start(Identity(user=alice), NAME, given=GIVEN)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.outcome, run.question) == (Run.Status.DONE, "answered", NAME)
    assert run.answer["plan"]["query"] == GIVEN.model_dump(mode="json")
    assert [step.node for step in run.steps.all()][:1] == ["plan"]
    again = create_run.start(Identity(user=alice), NAME, again_of=run)
    assert again.given == run.given == GIVEN.model_dump(mode="json")


@pytest.mark.django_db
def test_a_question_without_one_is_read_as_ever(sample: Sample, alice: User) -> None:
    run = create_run.start(Identity(user=alice), NAME)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert run.given is None
    assert run.answer["blocks"][0]["table"]["cells"][0]["company"] == "Tesla"
