"""What a run takes of its asker's quota: held before it, counted once behind it, given back where nothing came of it."""

from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils.timezone import now
from pytest_django import Settings

from accounts import account_deletion, quotas
from accounts.identity import Identity
from accounts.models import Meter, PastUsage, Reservation, User
from agent import tasks
from agent.models import Run, Step
from agent.runs import claim, create_run, lifecycle, spending
from agent.state import AgentState
from agent.state.modes import Mode
from agent.steps import pipeline
from agent.steps.deps import LEAST, TOO_LITTLE, Deps, Grant
from filings.text.embeddings import pieces_of
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

FIGURE = "What was Apple's R&D spend in FY2024?"
UNKNOWN = "What was the weather in Paris?"
SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"
VISITOR = UUID("6c1f0a4e-0000-4000-8000-000000000001")


def visitor() -> Identity:
    return Identity(visitor=VISITOR, address="192.0.2.1")


def held(run: Run) -> Reservation:
    return Reservation.objects.get(ref=run.pk)


def answered(run: Run) -> Run:
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    return run


def old() -> None:
    past = now() - quotas.GRACE - timedelta(minutes=1)
    Reservation.objects.update(at=past)


# --- before a run ---


def test_asking_holds_the_tokens_of_question_and_answer(sample: Sample, alice: User) -> None:
    run = create_run.start(Identity(user=alice), FIGURE)
    row = held(run)
    assert (row.key, row.tier, row.state) == (f"user:{alice.pk}", "user", "open")
    assert row.tokens == len(FIGURE) + spending.ANSWER_TOKENS


def test_beyond_a_limit_there_is_neither_a_run_nor_a_reservation(sample: Sample, settings: Settings) -> None:
    settings.PLANS = {"anon": {"unfinished_runs": 1}}
    create_run.start(visitor(), FIGURE)
    with pytest.raises(quotas.QuotaExceeded) as caught:
        create_run.start(visitor(), UNKNOWN)
    assert (caught.value.question, caught.value.auth_required) == (UNKNOWN, True)
    assert (Run.objects.count(), Reservation.objects.count()) == (1, 1)


def test_a_crash_between_the_two_leaves_neither(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**fields: object) -> Run:
        raise RuntimeError

    monkeypatch.setattr(Run.objects, "create", broken)
    with pytest.raises(RuntimeError):
        create_run.start(visitor(), FIGURE)
    assert not Reservation.objects.exists()


@pytest.mark.parametrize(
    "text", ["\u0130" * 40, "\ud55c\uad6d\uc5b4 " * 20, "\ufdfa" * 10, "a\u0301e\u0308" * 30, "\U0001f600" * 30]
)
def test_no_text_has_more_word_pieces_than_it_surely_does_not_exceed(text: str) -> None:
    assert spending.pieces([text]) <= spending.most_pieces(text)


def test_a_question_that_is_too_long_is_measured_by_its_word_pieces(sample: Sample, settings: Settings) -> None:
    (pieces,) = pieces_of([FIGURE])
    settings.PLANS = {"anon": {"input_tokens": pieces}}
    create_run.start(visitor(), FIGURE)
    with pytest.raises(quotas.TooLong) as caught:
        create_run.start(visitor(), f"{FIGURE} Thanks.")
    assert caught.value.limit.used > pieces
    assert Run.objects.count() == 1


# --- behind it ---


def test_without_a_model_the_tokens_are_those_of_question_and_answer(sample: Sample) -> None:
    run = answered(create_run.start(visitor(), FIGURE))
    row = held(run)
    assert run.outcome == Run.Outcome.ANSWERED
    assert (row.state, row.answered, row.used_cost) == ("settled", True, 0)
    (asked,) = pieces_of([FIGURE])
    assert asked + 20 < row.used_tokens < row.tokens
    meter = Meter.objects.get()
    assert (meter.questions, meter.answers, meter.tokens) == (1, 1, row.used_tokens)


def test_an_attempt_has_what_those_before_it_have_left(sample: Sample) -> None:
    run = create_run.start(visitor(), FIGURE)
    Reservation.objects.update(tokens=37_500)
    assert spending.granted(run).tokens == 37_500
    Step.objects.create(
        run=run, attempt=1, sequence=1, node="plan", ms=1, requests=2, tokens_in=30_000, tokens_out=5_000
    )
    assert spending.granted(run).tokens == 2_500
    Step.objects.create(run=run, attempt=2, sequence=1, node="plan", ms=1, requests=1, tokens_in=3_000)
    assert spending.granted(run).tokens == 0


def test_a_refusal_is_a_question_and_no_answer(sample: Sample) -> None:
    run = answered(create_run.start(visitor(), UNKNOWN))
    assert run.outcome == Run.Outcome.REFUSED
    meter = Meter.objects.get()
    assert (meter.questions, meter.answers, held(run).answered) == (1, 0, False)


def test_a_run_that_failed_on_our_side_is_no_question(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(state: AgentState, deps: Deps) -> AgentState:
        raise RuntimeError

    monkeypatch.setattr(pipeline, "NODES", (broken,))
    run = answered(create_run.start(visitor(), FIGURE))
    assert (run.status, held(run).state) == ("failed", "settled")
    assert Meter.objects.get().questions == 0


def test_a_run_that_is_tried_again_is_settled_once_by_the_attempt_that_ends_it(sample: Sample) -> None:
    run = create_run.start(visitor(), FIGURE)
    first = claim.claim(run.pk)
    assert first is not None
    Run.objects.update(heartbeat=now() - claim.STALE_AFTER - timedelta(seconds=1))
    second = claim.claim(run.pk)
    assert second is not None
    lifecycle.answer(run.pk, first)
    assert held(run).state == "open"
    lifecycle.answer(run.pk, second)
    tasks.answer(str(run.pk))
    assert (held(run).state, Meter.objects.get().questions) == ("settled", 1)


def test_what_models_used_is_the_sum_of_all_attempts(sample: Sample, alice: User) -> None:
    run = create_run.start(Identity(user=alice), FIGURE)
    for attempt in (1, 2):
        Step.objects.create(
            run=run, attempt=attempt, sequence=1, node="plan", ms=1, requests=2, tokens_in=700, tokens_out=50,
            cost=Decimal("0.002"),
        )  # fmt: skip
    Run.objects.update(attempt=2)
    answered(run)
    row = held(run)
    assert (row.used_tokens, row.used_cost) == (1500, Decimal("0.004"))


# --- where nothing comes of it ---


def test_a_question_deleted_before_it_is_begun_gives_back_what_it_held(as_alice: Client, alice: User) -> None:
    run = create_run.start(Identity(user=alice), FIGURE)
    as_alice.post(f"/runs/{run.pk}/delete")
    assert Reservation.objects.get().state == "released"


def test_one_deleted_while_it_is_worked_on_is_settled_by_its_worker(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = create_run.start(visitor(), FIGURE)
    node = pipeline.NODES[0]

    def deleted(state: AgentState, deps: Deps) -> AgentState:
        Run.objects.all().delete()
        assert Reservation.objects.get().state == "open"
        return node(state, deps)

    deleted.__name__ = node.__name__
    monkeypatch.setattr(pipeline, "NODES", (deleted, *pipeline.NODES[1:]))
    tasks.answer(str(run.pk))
    assert (Reservation.objects.get().state, Meter.objects.get().questions) == ("settled", 1)


def test_what_models_did_for_one_that_was_deleted_and_then_failed_counts_and_the_question_does_not(
    sample: Sample, scripted: LocalModel, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = create_run.start(Identity(user=alice), SUPPLY)
    node = pipeline.NODES[0]

    def broken(state: AgentState, deps: Deps) -> AgentState:
        node(state, deps)
        run.delete()
        raise LookupError

    broken.__name__ = node.__name__
    monkeypatch.setattr(pipeline, "NODES", (broken, *pipeline.NODES[1:]))
    tasks.answer(str(run.pk))
    row, meter, past = Reservation.objects.get(), Meter.objects.get(), PastUsage.objects.get()
    assert (row.state, row.used_tokens) == ("settled", past.tokens_in + past.tokens_out)
    assert (meter.questions, meter.tokens) == (0, row.used_tokens)
    assert row.used_tokens > 0


def test_one_deleted_behind_its_last_step_is_settled_by_its_worker(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = create_run.start(visitor(), FIGURE)
    used = spending.used

    def deleted(*args: Any) -> Any:
        Run.objects.all().delete()
        return used(*args)

    monkeypatch.setattr(spending, "used", deleted)
    tasks.answer(str(run.pk))
    row = Reservation.objects.get()
    assert (row.state, row.used_tokens > 0, Meter.objects.get().questions) == ("settled", True, 1)


def test_the_sweep_gives_back_what_no_run_stands_for(sample: Sample) -> None:
    lost = uuid4()
    spending.reserve(visitor(), lost, FIGURE)
    waiting = create_run.start(visitor(), FIGURE)
    tasks.sweep()
    assert Reservation.objects.get(ref=lost).state == "open"
    old()
    tasks.sweep()
    assert Reservation.objects.get(ref=lost).state == "expired"
    assert held(waiting).state == "open"


def test_the_sweep_settles_a_run_that_cost_too_many_workers(sample: Sample) -> None:
    run = create_run.start(visitor(), FIGURE)
    Step.objects.create(run=run, attempt=5, sequence=1, node="plan", ms=1, requests=1, tokens_in=30, tokens_out=3)
    gone = now() - timedelta(hours=1)
    Run.objects.update(
        attempt=claim.MAX_ATTEMPTS, status=Run.Status.RUNNING, heartbeat=gone, created=gone, queued=gone
    )
    old()
    tasks.sweep()
    run.refresh_from_db()
    row = held(run)
    assert (run.status, row.state, row.used_tokens) == ("failed", "settled", 33)
    assert Meter.objects.get().questions == 0


def test_a_run_of_a_command_needs_no_quota(sample: Sample) -> None:
    run = answered(Run.objects.create(question=FIGURE))
    assert run.outcome == Run.Outcome.ANSWERED
    assert not Reservation.objects.exists()
    assert not Meter.objects.exists()


# --- with a model ---


@pytest.fixture
def limit(settings: Settings) -> object:
    def put(tokens: int) -> None:
        settings.PLANS = {"user": {"tokens_per_minute": tokens}}

    return put


@pytest.mark.usefixtures("searched_once")
def test_a_run_has_the_tokens_of_its_mode_where_its_asker_has(
    sample: Sample, scripted: LocalModel, alice: User, settings: Settings
) -> None:
    settings.PLANS = {}
    run = create_run.start(Identity(user=alice), SUPPLY, "standard")
    assert held(run).tokens == settings.MODEL_RUN_TOKENS["standard"]
    answered(run)
    spent = sum(step.tokens_in + step.tokens_out for step in run.steps.all())
    assert held(run).used_tokens == spent > 0
    assert "standard" in run.answer["mode"]
    assert TOO_LITTLE not in str(run.answer)


@pytest.mark.usefixtures("searched_once")
@pytest.mark.parametrize("breaks", [False, True])
@pytest.mark.parametrize("at", [0, 3])
def test_what_models_did_while_the_account_was_deleted_is_in_the_sums(
    sample: Sample, scripted: LocalModel, alice: User, monkeypatch: pytest.MonkeyPatch, at: int, breaks: bool
) -> None:
    run = create_run.start(Identity(user=alice), SUPPLY, "standard")
    node = pipeline.NODES[at]

    def left(state: AgentState, deps: Deps) -> AgentState:
        after = node(state, deps)
        account_deletion.delete(alice)
        if breaks:
            raise LookupError
        return after

    left.__name__ = node.__name__
    monkeypatch.setattr(pipeline, "NODES", (*pipeline.NODES[:at], left, *pipeline.NODES[at + 1 :]))
    tasks.answer(str(run.pk))
    assert not Run.objects.exists()
    used = PastUsage.objects.get()
    assert used.requests == len(scripted.requests) > 0
    assert used.tokens_in > 0 < used.tokens_out


@pytest.mark.usefixtures("searched_once")
def test_with_too_few_tokens_for_its_mode_it_steps_down_and_says_so(
    sample: Sample, scripted: LocalModel, alice: User, limit: object
) -> None:
    limit(LEAST[Mode.STANDARD] + spending.LEFT_TO_OTHERS - 1)
    run = create_run.start(Identity(user=alice), SUPPLY, "detailed")
    assert held(run).tokens >= LEAST[Mode.DIRECT]
    run = answered(run)
    notes = [note for block in run.answer["blocks"] for note in block["notes"]]
    assert run.answer["plan"]["mode"] == "direct"
    assert f"{TOO_LITTLE} for the mode \u201cDetailed\u201d, so \u201cDirect\u201d was used." in notes
    assert held(run).used_tokens <= held(run).tokens


@pytest.mark.usefixtures("searched_once")
def test_with_too_few_for_any_it_is_answered_without_a_model_and_says_so(
    sample: Sample, scripted: LocalModel, alice: User, limit: object
) -> None:
    limit(LEAST[Mode.DIRECT] + spending.LEFT_TO_OTHERS - 1)
    run = answered(create_run.start(Identity(user=alice), SUPPLY))
    notes = [note for block in run.answer["blocks"] for note in block["notes"]]
    assert (run.outcome, scripted.requests) == (Run.Outcome.ANSWERED, [])
    assert f"{TOO_LITTLE} for a language model, so none was used." in notes
    refused = answered(create_run.start(Identity(user=alice), UNKNOWN))
    (block,) = refused.answer["blocks"]
    assert any(TOO_LITTLE in value for _, value in block["refusal"]["looked_for"])


def test_while_one_has_a_model_others_are_answered_without_and_then_there_is_a_model_again(
    sample: Sample, scripted: LocalModel, alice: User, limit: object
) -> None:
    limit(LEAST[Mode.DETAILED] + spending.LEFT_TO_OTHERS)
    first = create_run.start(Identity(user=alice), SUPPLY)
    assert held(first).tokens == LEAST[Mode.DETAILED]
    others = [create_run.start(Identity(user=alice), FIGURE) for _ in range(4)]
    assert all(held(one).tokens < 1_000 for one in others)
    first.delete()
    assert held(create_run.start(Identity(user=alice), SUPPLY)).tokens > LEAST[Mode.STANDARD]


@pytest.mark.usefixtures("searched_once")
def test_what_the_months_money_does_not_pay_for_is_answered_without_a_model(
    sample: Sample, scripted: LocalModel, alice: User, settings: Settings
) -> None:
    settings.DRAFT_MODEL_PRICE_OUT = 10.0
    settings.PLANS = {"user": {"cost_per_month": 0.4}}
    run = create_run.start(Identity(user=alice), SUPPLY)
    assert held(run).cost == Decimal("0.375")
    assert held(run).tokens == 37_500
    assert held(create_run.start(Identity(user=alice), SUPPLY)).cost == 0


def test_a_grant_steps_down_as_far_as_it_must() -> None:
    assert [Grant(tokens).mode(Mode.DETAILED) for tokens in (None, 46_000, 45_999, 23_999, 15_999)] == [
        Mode.DETAILED, Mode.DETAILED, Mode.STANDARD, Mode.DIRECT, None,
    ]  # fmt: skip
    assert Grant(60_000).note(Mode.DETAILED) == ""
