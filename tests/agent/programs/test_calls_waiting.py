"""How long is waited before a model is asked again, and when it is left alone."""

from typing import Any

import pytest

from agent.programs import breaker, calls
from agent.programs.calls import ask
from agent.runs.lifecycle import usage
from tests.agent.programs.asked import QUESTION, YES, WeighProgram, failure, outcomes
from tests.support import model_behaviours as replies
from tests.support.model_behaviours import says, status
from tests.support.model_server import LocalModel


def test_it_waits_as_long_as_the_endpoint_asks(model: LocalModel, slept: list[float]) -> None:
    model.behave(replies.rate_limited(7), status(503, Retry_After="3"), says(YES))
    ask(model.session(), WeighProgram(), question=QUESTION)
    assert slept == [7.0, 3.0]


@pytest.mark.parametrize(("asked", "seconds"), [(21, 600), (10, 5)])
def test_it_does_not_wait_out_what_takes_too_long(
    model: LocalModel, slept: list[float], asked: float, seconds: float
) -> None:
    model.always(replies.rate_limited(asked))
    failed = failure(model.session(seconds=seconds))
    assert (failed.reason, failed.retryable, failed.wait) == ("rate_limited", True, asked)
    assert slept == []
    assert len(model.requests) == 1


@pytest.mark.parametrize("asked", ["soon", "-5", "nan", "inf", ""])
def test_a_wait_that_makes_no_sense_is_our_own(model: LocalModel, slept: list[float], asked: str) -> None:
    model.behave(replies.rate_limited(asked), says(YES))
    ask(model.session(), WeighProgram(), question=QUESTION)
    assert len(slept) == 1
    assert 0 < slept[0] <= calls.LONGEST_WAIT


def test_pauses_grow(model: LocalModel, slept: list[float]) -> None:
    model.always(replies.server_error)
    failure(model.session())
    assert len(slept) == 2
    assert 0 < slept[0] < slept[1] <= calls.LONGEST_WAIT


def test_an_endpoint_that_fails_repeatedly_is_left_alone(model: LocalModel, slept: list[float]) -> None:
    model.always(replies.server_error)
    session = model.session()
    for _ in range(4):
        failure(session)
    assert len(model.requests) == breaker.FAILURES
    assert failure(session).reason == "breaker"
    assert len(model.requests) == breaker.FAILURES
    assert outcomes(session)[-1] == "breaker"
    assert usage(session.calls)["requests"] == breaker.FAILURES


@pytest.mark.parametrize("behaviour", [replies.broken_json, replies.refusal, replies.truncated, status(400)])
def test_a_poor_reply_is_no_reason_to_leave_an_endpoint_alone(
    model: LocalModel, slept: list[float], behaviour: Any
) -> None:
    model.always(behaviour)
    for _ in range(breaker.FAILURES + 1):
        assert failure(model.session()).reason != "breaker"
