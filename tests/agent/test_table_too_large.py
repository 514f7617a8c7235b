"""What a table counts of its asker's answers: one for each fifty figures asked, known before anything is shown."""

from uuid import UUID

import pytest
from django.test import Client
from django.utils.timezone import now
from pytest_django import Settings

from accounts.identity import Identity
from accounts.models import Meter, Reservation, User
from agent import tasks
from agent.models import Run
from agent.runs import answer_cache, create_run, lifecycle, spending
from agent.runs.claim import STALE_AFTER, claim
from agent.steps import pipeline
from agent.steps.deps import Deps, Grant
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

# 4 companies, 10 years, 3 measures.
LARGE = "Apple, Microsoft, NVIDIA and Amazon revenue, net income and total assets over the last 10 years"
SMALL = "What was Apple's R&D spend in FY2024?"
VISITOR = UUID("6c1f0a4e-0000-4000-8000-000000000001")
REFUSED = "The table has 120 cells and takes 3 answers; "


def visitor() -> Identity:
    return Identity(visitor=VISITOR, address="2001:db8:0:1::/64")


def answered(identity: Identity, question: str = LARGE) -> Run:
    run = create_run.start(identity, question)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    return run


@pytest.fixture
def one_after_another(settings: Settings) -> None:
    settings.PLANS = {"user": {"answers_per_month": 4}, "anon": {"questions_in_all": 4}}


def test_a_hundred_and_twenty_figures_are_three_answers(sample: Sample, alice: User, one_after_another: None) -> None:
    run = answered(Identity(user=alice))
    assert run.outcome == "answered"
    asked = [cell for cell in run.answer["blocks"][0]["table"]["cells"] if cell["asked"]]
    assert len(asked) == 120
    meter = Meter.objects.get()
    assert (meter.questions, meter.month_answers, Reservation.objects.get().answers) == (3, 3, 3)


def test_a_visitor_of_an_ipv6_site_is_counted_with_it(sample: Sample, one_after_another: None) -> None:
    assert answered(visitor()).outcome == "answered"
    assert [meter.questions for meter in Meter.objects.all()] == [3, 3]


@pytest.mark.parametrize("kind", ["user", "anon"])
def test_where_fewer_are_left_it_is_refused_before_anything_is_shown(
    sample: Sample, alice: User, one_after_another: None, kind: str
) -> None:
    identity = Identity(user=alice) if kind == "user" else visitor()
    for _ in range(2):
        assert answered(identity, SMALL).outcome == "answered"
    run = answered(identity)
    assert (run.outcome, run.refusal_code, run.summary) == ("refused", "table_too_large", "")
    (block,) = run.answer["blocks"]
    assert block["table"] is None
    assert block["refusal"]["text"] == f"{REFUSED}2 are left."
    assert block["refusal"]["detail"] == "Ask for fewer companies, years or measures."
    # Nor is a figure in what its steps have written down.
    assert [step.node for step in run.steps.all()] == ["plan", "fetch", "locate", "retrieve"]
    assert not any("tables" in step.outputs for step in run.steps.all())
    # It was a question, and its asker may still ask a smaller one.
    meter = Meter.objects.order_by("-questions").first()
    assert meter is not None
    assert (meter.questions, meter.month_answers) == (3, 2)
    assert answered(identity, SMALL).outcome == "answered"


def test_the_page_says_how_many_are_left(sample: Sample, as_alice: Client, alice: User, settings: Settings) -> None:
    settings.PLANS = {"user": {"answers_per_month": 1}}
    run = answered(Identity(user=alice))
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert f"{REFUSED}1 is left." in page
    assert "Not enough quota left" in page


def test_an_attempt_that_follows_on_another_counts_it_once(
    sample: Sample, alice: User, one_after_another: None
) -> None:
    run = create_run.start(Identity(user=alice), LARGE)
    first = claim(run.pk)
    assert first is not None
    grant = spending.granted(Run.objects.get(pk=run.pk))
    assert grant.hold(120) == grant.hold(120) == ""
    Run.objects.filter(pk=run.pk).update(heartbeat=now() - 2 * STALE_AFTER)
    second = claim(run.pk)
    assert second == 2
    lifecycle.answer(run.pk, second)
    run.refresh_from_db()
    assert run.outcome == "answered"
    assert Meter.objects.get().month_answers == 3


@pytest.mark.parametrize(("limit", "outcome", "counted"), [(3, "answered", 3), (2, "refused", 1)])
def test_one_that_was_made_before_counts_as_much(
    sample: Sample,
    alice: User,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    limit: int,
    outcome: str,
    counted: int,
) -> None:
    settings.PLANS = {"user": {"answers_per_month": limit}}
    known = pipeline.answer(LARGE, Deps.current())
    monkeypatch.setattr(lifecycle.answer_cache, "recall", lambda *_: known)
    assert answered(Identity(user=alice)).outcome == outcome
    assert Meter.objects.get().questions == counted


def test_what_is_tried_before_it_is_offered_holds_nothing(sample: Sample) -> None:
    held: list[int] = []
    deps = Deps.current(grant=Grant(hold=lambda cells: held.append(cells) or "Too few are left."))
    (block,) = pipeline.answer(LARGE, deps).blocks
    assert held == [120]
    # Fewer figures than were refused.
    assert block.alternatives
    assert all("over the last 10 years" not in one.question for one in block.alternatives)


def test_that_too_few_are_left_is_said_to_nobody_else(sample: Sample) -> None:
    large = pipeline.answer(LARGE, Deps.current(grant=Grant(hold=lambda cells: "Too few are left.")))
    assert large.refusal_code == "table_too_large"
    assert not answer_cache.is_lasting(large)


def test_of_a_command_nothing_is_held(sample: Sample, settings: Settings) -> None:
    settings.PLANS = {"user": {"answers_per_month": 1}, "anon": {"answers_per_month": 1}}
    run = Run.objects.create(question=LARGE)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert run.outcome == "answered"
    assert not Meter.objects.exists()
