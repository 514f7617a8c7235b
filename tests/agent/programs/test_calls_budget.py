"""What calls to a model may spend, and how their usage is counted."""

import contextlib
import threading
from decimal import Decimal
from typing import Any

import pytest

from agent.programs import calls
from agent.programs.calls import ModelFailed, ask
from agent.runs.lifecycle import usage
from tests.agent.programs.asked import QUESTION, YES, DraftingProgram, WeighProgram, failure, outcomes
from tests.support import model_behaviours as replies
from tests.support.model_behaviours import says
from tests.support.model_server import LocalModel


def test_a_call_that_does_not_fit_is_not_made(model: LocalModel) -> None:
    session = model.session(tokens=2050)
    assert failure(session).reason == "budget"
    assert model.requests == []
    (call,) = session.calls
    assert (call.outcome, call.tokens_in, call.cost, call.sent) == ("budget", 0, 0, False)
    assert usage(session.calls)["requests"] == 0
    ask(session, WeighProgram(), max_tokens=100, question=QUESTION)
    assert usage(session.calls)["requests"] == 1


def test_a_call_that_would_cost_too_much_is_not_made(model: LocalModel) -> None:
    # 2,000 tokens out at $4 a million are $0.008.
    assert failure(model.session(cost=0.008)).reason == "budget"
    assert model.requests == []
    ask(model.session(cost=0.009), WeighProgram(), question=QUESTION)


def test_six_at_once_do_not_spend_the_same_tokens(model: LocalModel) -> None:
    model.always(replies.hang(0.3))
    session = model.session(tokens=2 * 2400)

    def run() -> None:
        with contextlib.suppress(ModelFailed):
            ask(session, WeighProgram(), question=QUESTION)

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes(session)) == ["budget"] * 4 + ["ok"] * 2


def test_usage_that_is_not_told_is_estimated_and_marked(model: LocalModel) -> None:
    model.behave(says(YES), replies.usage_missing)
    session = model.session()
    for _ in range(2):
        ask(session, WeighProgram(), question=QUESTION)
    told, guessed = session.calls
    assert (told.estimated, guessed.estimated) == (False, True)
    assert abs(guessed.tokens_in - told.tokens_in) <= 2
    assert guessed.tokens_out > 0
    assert guessed.cost > 0


@pytest.mark.parametrize("behaviour", [replies.broken_json, replies.truncated, replies.refusal])
def test_a_reply_that_is_of_no_use_is_paid_for(model: LocalModel, behaviour: Any) -> None:
    model.always(behaviour)
    session = model.session()
    failure(session)
    assert all(call.tokens_in > 50 and call.cost > 0 and not call.estimated for call in session.calls)
    assert session.budget.spent.cost == sum(call.cost for call in session.calls)


def test_a_session_has_what_the_settings_allow_a_run(model: LocalModel, settings: Any) -> None:
    limited(settings)
    left = calls.begin(model.session().models, "standard").budget.left()
    assert (left.tokens, left.cost) == (8, Decimal("0.5"))
    assert 90 < left.seconds <= 100
    assert calls.begin(model.session().models, "direct", seconds=5).budget.left().seconds <= 5
    assert 40 < calls.begin(model.session().models, "direct", seconds=500).budget.left().seconds <= 50


@pytest.mark.parametrize(("whole", "of_models"), [(1800.0, 1795.0), (100.0, 95.0), (8.0, 6.0)])
def test_the_end_of_a_runs_time_is_kept_for_what_is_done_without_a_model(whole: float, of_models: float) -> None:
    assert calls.of_models(whole) == of_models


def limited(settings: Any) -> None:
    settings.MODEL_RUN_DEADLINE = {"direct": 50.0, "standard": 100.0}
    settings.MODEL_RUN_TOKENS = {"direct": 7, "standard": 8}
    settings.MODEL_RUN_COST = {"direct": 0.25, "standard": 0.5}


def test_another_mode_changes_all_that_a_run_may_spend(model: LocalModel, settings: Any) -> None:
    limited(settings)
    session = calls.begin(model.session().models, "direct")
    session.budget.begun -= 20
    session.allow("standard")
    left = session.budget.left()
    assert (left.tokens, left.cost) == (8, Decimal("0.5"))
    # From the beginning of the run.
    assert 70 < left.seconds <= 80
    bounded = calls.begin(model.session().models, "direct", seconds=5)
    bounded.allow("standard")
    assert bounded.budget.left().seconds <= 5


def test_a_longer_reply_is_waited_for_longer(model: LocalModel) -> None:
    model.always(replies.hang(0.3))
    ask(model.session(timeout=0.1, max_tokens=30_000), DraftingProgram(), question=QUESTION)
    session = model.session(timeout=0.1, max_tokens=30_000)
    with pytest.raises(ModelFailed):
        ask(session, DraftingProgram(), max_tokens=3_000, question=QUESTION)
    assert outcomes(session) == ["timeout"] * len(session.calls)
