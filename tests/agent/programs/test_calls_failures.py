"""Every call to a model that fails ends in a typed failure, within its time, and leaves a record of each request."""

import json
from typing import Any

import pytest

from agent.programs import breaker, endpoint
from agent.programs.calls import ask
from tests.agent.programs.asked import QUESTION, YES, Faulty, WeighProgram, failure, outcomes
from tests.support import model_behaviours as replies
from tests.support.model_behaviours import says, status
from tests.support.model_replies import Reply
from tests.support.model_server import LocalModel


@pytest.mark.parametrize(
    ("behaviour", "reason", "requests"),
    [
        (replies.broken_json, "unparsable", 2),
        (replies.wrong_schema, "unparsable", 2),
        (replies.empty_choice, "unparsable", 2),
        (replies.no_choice, "unparsable", 2),
        (says("I would rather chat."), "unparsable", 2),
        (says({**YES, "extra": 1}), "unparsable", 2),
        (says({**YES, "side": "maybe"}), "unparsable", 2),
        (says('{"verdict": {"side": "yes", "echo": NaN}}'), "unparsable", 2),
        (says('{"verdict": ' + "[" * 100_000), "unparsable", 2),
        (says(f'{{"verdicts": [{json.dumps({"verdict": YES})}, {{"ver'), "unparsable", 2),
        (says("{" * 100_000), "unparsable", 2),
        (replies.truncated, "truncated", 1),
        (lambda asked: Reply(content=json.dumps({"verdict": YES}), finish="length"), "truncated", 1),
        (replies.refusal, "refused", 1),
        (lambda asked: Reply(content=None, finish="content_filter"), "refused", 1),
        (replies.server_error, "unavailable", 3),
        (status(503), "unavailable", 3),
        (replies.not_json, "unavailable", 1),
        (lambda asked: Reply(body=b""), "unavailable", 1),
        (lambda asked: Reply(body=b"[1]"), "unavailable", 1),
        (
            lambda asked: Reply(body=b'{"choices": [{"message": {"content": 5}}], "usage": {"prompt_tokens": "x"}}'),
            "unavailable",
            1,
        ),
        (replies.rate_limited(), "rate_limited", 3),
        (status(429, "insufficient_quota"), "rejected", 1),
        (status(401), "rejected", 1),
        (status(403), "rejected", 1),
        (status(404), "rejected", 1),
        (status(400, "context_length_exceeded"), "rejected", 1),
        (status(422), "rejected", 1),
    ],
)
def test_each_failure_has_its_reason_and_is_tried_again_only_where_that_may_help(
    model: LocalModel, slept: list[float], behaviour: Any, reason: str, requests: int
) -> None:
    model.always(behaviour)
    session = model.session()
    assert failure(session).reason == reason
    assert len(model.requests) == requests
    assert outcomes(session) == [reason] * requests


@pytest.mark.parametrize(
    "first", [replies.broken_json, replies.empty_choice, replies.server_error, replies.rate_limited()]
)
def test_a_second_request_may_succeed(model: LocalModel, slept: list[float], first: Any) -> None:
    model.behave(first, says(YES))
    session = model.session()
    assert ask(session, WeighProgram(), question=QUESTION).verdict.side == "yes"
    assert outcomes(session)[1:] == ["ok"]


@pytest.mark.parametrize("behaviour", [replies.hang(20), replies.slow_body(0.1)])
def test_a_model_that_takes_too_long_times_out_twice_and_its_prompts_are_counted(
    model: LocalModel, slept: list[float], behaviour: Any
) -> None:
    model.always(behaviour)
    session = model.session(timeout=0.3)
    assert failure(session).reason == "timeout"
    assert outcomes(session) == ["timeout", "timeout"]
    assert all(call.estimated and call.tokens_in > 50 and call.tokens_out == 0 for call in session.calls)


@pytest.mark.parametrize("behaviour", [replies.hang(20), replies.slow_body(0.1)])
def test_a_call_ends_with_the_run(model: LocalModel, behaviour: Any) -> None:
    model.always(behaviour)
    session = model.session(timeout=15, seconds=0.4)
    assert failure(session).reason == "deadline"
    assert len(model.requests) == 1
    # That the run was over is not the endpoint's fault.
    assert breaker.of(model.url, "scripted").failed == 0
    assert failure(session).reason == "deadline"
    assert len(model.requests) == 1


def test_a_server_that_is_not_there_is_unavailable(slept: list[float]) -> None:
    with LocalModel() as gone:
        session = gone.session()
    assert failure(session).reason == "unavailable"
    assert outcomes(session) == ["unavailable"] * 3
    assert not session.budget.spent.tokens_in


def test_a_reply_without_end_is_not_read(
    model: LocalModel, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "MOST_BYTES", 1000)
    model.always(says({**YES, "echo": "x" * 2000}))
    assert failure(model.session()).reason == "unavailable"


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_no_redirect_takes_a_key_elsewhere(model: LocalModel, other: LocalModel, code: int) -> None:
    model.always(status(code, Location=f"{other.url}/chat/completions"))
    failed = failure(model.session())
    assert (failed.reason, failed.status) == ("rejected", code)
    assert other.requests == []


def test_an_error_of_ours_is_not_the_models(model: LocalModel) -> None:
    session = model.session()
    with pytest.raises(KeyError):
        ask(session, Faulty(), question=QUESTION)
    assert session.budget.held_tokens == 0


class Interrupted(Exception):
    """As a worker's time limit comes: in the midst of waiting."""


def test_what_interrupts_a_call_is_not_taken_for_a_failure_of_the_model(
    model: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*args: Any) -> None:
        raise Interrupted

    monkeypatch.setattr(endpoint, "within", interrupt)
    session = model.session()
    with pytest.raises(Interrupted):
        ask(session, WeighProgram(), question=QUESTION)
    assert breaker.of(model.url, "scripted").failed == 0
    assert session.budget.held_tokens == 0
