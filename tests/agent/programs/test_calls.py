"""Every call to a model ends in typed values or in a typed failure, within its time and budget, and leaves a record."""

import contextlib
import gc
import json
import logging
import threading
import traceback
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from dspy.utils.exceptions import AdapterParseError

from agent.programs import breaker, calls, endpoint
from agent.programs.adapter import StrictJSON
from agent.programs.calls import ModelFailed, ask
from tests.agent.programs.asked import YES, DraftingProgram, Faulty, WeighProgram
from tests.support import model_behaviours as replies
from tests.support.model_behaviours import says, status
from tests.support.model_replies import Asked, Reply
from tests.support.model_server import KEY, LocalModel

QUESTION = "Is the confidential question answered?"


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made, without making them."""
    pauses: list[float] = []
    monkeypatch.setattr(calls.time, "sleep", pauses.append)
    return pauses


@pytest.fixture
def other() -> Iterator[LocalModel]:
    with LocalModel() as server:
        yield server


def failure(session: calls.Session, program: Any = None) -> ModelFailed:
    with pytest.raises(ModelFailed) as caught:
        ask(session, program or WeighProgram(), question=QUESTION)
    return caught.value


def outcomes(session: calls.Session) -> list[str]:
    return [call.outcome for call in session.calls]


# --- what is sent, and what comes back ---


def test_a_reply_becomes_typed_values_and_a_record(model: LocalModel) -> None:
    model.behave(says(YES))
    session, program = model.session(), WeighProgram()
    found = ask(session, program, question=QUESTION)
    assert (found.verdict.side, found.verdict.echo) == ("yes", "all is well")
    (call,) = session.calls
    assert (call.program, call.version, call.model, call.role) == ("weigh", program.version, "scripted", "plan")
    assert (call.outcome, call.estimated) == ("ok", False)
    assert call.tokens_in > 50
    assert call.tokens_out > 5
    assert call.cost == (Decimal(call.tokens_in) + 4 * Decimal(call.tokens_out)) / 1_000_000
    assert call.ms >= 0
    spent = session.budget.spent
    assert (spent.tokens_in, spent.tokens_out, spent.cost) == (call.tokens_in, call.tokens_out, call.cost)


def test_a_request_asks_for_json_and_leaves_the_temperature_to_the_model(model: LocalModel) -> None:
    ask(model.session(name="meta-llama/Llama-3.3-70B"), WeighProgram(), question=QUESTION)
    ((headers, body),) = model.requests
    assert body["model"] == "meta-llama/Llama-3.3-70B"
    assert body["response_format"] == {"type": "json_object"}
    assert body["max_tokens"] == 2000
    assert set(body) == {"model", "messages", "response_format", "max_tokens"}
    assert headers["authorization"] == f"Bearer {KEY}"
    assert QUESTION in body["messages"][-1]["content"]
    assert QUESTION not in body["messages"][0]["content"]


@pytest.mark.parametrize(("asked", "sent"), [(500, 500), (None, 2000), (9000, 2000)])
def test_a_reply_is_bounded_by_the_model_and_by_who_asks(model: LocalModel, asked: int | None, sent: int) -> None:
    ask(model.session(), WeighProgram(), max_tokens=asked, question=QUESTION)
    assert model.requests[0][1]["max_tokens"] == sent


def test_a_program_asks_the_model_of_its_role(model: LocalModel, other: LocalModel) -> None:
    session = model.session()
    session.models = type(session.models)(plan=session.models.plan, draft=other.session().models.draft)
    ask(session, DraftingProgram(), question=QUESTION)
    assert (len(model.requests), len(other.requests)) == (0, 1)
    assert session.calls[0].role == "draft"


@pytest.mark.parametrize("name", ["gpt-5", "o3-mini", "openai/gpt-4o", "a:b", "x"])
def test_any_name_of_a_model_may_be_asked(model: LocalModel, name: str) -> None:
    ask(model.session(name=name, max_tokens=100), WeighProgram(), question=QUESTION)
    assert model.requests[0][1]["model"] == name


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.openai.com/v1", "max_completion_tokens"),
        ("https://x.openai.azure.com/openai/v1", "max_completion_tokens"),
        ("http://127.0.0.1:8000/v1", "max_tokens"),
        ("https://notopenai.com/v1", "max_tokens"),
    ],
)
def test_the_limit_of_a_reply_has_the_name_that_the_endpoint_knows(url: str, name: str) -> None:
    assert endpoint.max_tokens_field(url) == name


@pytest.mark.parametrize(
    "text",
    [
        f"Sure! {{as you wish}}:\n```json\n{json.dumps({'verdict': YES})}\n```\nDone.",
        f'<think>perhaps {{"verdict": 1}}</think>\n{json.dumps({"verdict": YES})}',
        json.dumps(YES),
        json.dumps({"reasoning": "hm", "verdict": YES}),
    ],
)
def test_words_around_a_reply_are_skipped(model: LocalModel, text: str) -> None:
    model.behave(says(text))
    assert ask(model.session(), WeighProgram(), question=QUESTION).verdict.side == "yes"
    assert len(model.requests) == 1


def test_what_cannot_be_seen_is_taken_out_of_a_reply(model: LocalModel) -> None:
    model.behave(says({"side": "yes", "echo": "a\u202eb\u200bc\x00d\ud800"}))
    assert ask(model.session(), WeighProgram(), question=QUESTION).verdict.echo == "abcd"


# --- failures ---


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


# --- waiting ---


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


@pytest.mark.parametrize("behaviour", [replies.broken_json, replies.refusal, replies.truncated, status(400)])
def test_a_poor_reply_is_no_reason_to_leave_an_endpoint_alone(
    model: LocalModel, slept: list[float], behaviour: Any
) -> None:
    model.always(behaviour)
    for _ in range(breaker.FAILURES + 1):
        assert failure(model.session()).reason != "breaker"


# --- budget and usage ---


def test_a_call_that_does_not_fit_is_not_made(model: LocalModel) -> None:
    session = model.session(tokens=2050)
    assert failure(session).reason == "budget"
    assert model.requests == []
    (call,) = session.calls
    assert (call.outcome, call.tokens_in, call.cost) == ("budget", 0, 0)
    ask(session, WeighProgram(), max_tokens=100, question=QUESTION)


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
    settings.MODEL_RUN_DEADLINE, settings.MODEL_RUN_COST = 100.0, 0.5
    settings.MODEL_RUN_TOKENS = {"direct": 7, "standard": 8}
    left = calls.begin(model.session().models, "standard").budget.left()
    assert (left.tokens, left.cost) == (8, Decimal("0.5"))
    assert 90 < left.seconds <= 100
    assert calls.begin(model.session().models, "direct", seconds=5).budget.left().seconds <= 5
    assert calls.begin(model.session().models, "direct", seconds=500).budget.left().seconds <= 100


# --- what must not be seen, kept, or mixed up ---


@pytest.mark.parametrize("behaviour", [replies.hostile_words, status(401), status(400), replies.server_error])
def test_no_failure_tells_a_key_a_prompt_or_a_reply(
    model: LocalModel, slept: list[float], caplog: pytest.LogCaptureFixture, behaviour: Any
) -> None:
    model.always(behaviour)
    session = model.session()
    with caplog.at_level(logging.DEBUG):
        failed = failure(session)
    chain: list[BaseException] = [failed]
    while (before := chain[-1].__cause__ or chain[-1].__context__) is not None:
        chain.append(before)
    seen = [str(failed), repr(session), caplog.text, *map(repr, chain), *traceback.format_exception(failed)]
    for secret in (KEY, QUESTION, "SECRET OF THE SERVER", "Ignore all previous"):
        assert not [one for one in seen if secret in one]
    assert "weigh: the plan model at 127.0.0.1" in caplog.text


@pytest.mark.parametrize(
    "text", ["a secret reply", '{"verdict": {"side": "a secret reply", "echo": ""}}', '{"a secret']
)
def test_what_cannot_be_read_is_not_repeated(text: str) -> None:
    with pytest.raises(AdapterParseError) as caught:
        StrictJSON().parse(WeighProgram.signature, text)
    assert "secret" not in "".join(traceback.format_exception(caught.value)) + repr(vars(caught.value))


def test_an_input_of_another_type_is_not_logged(
    model: LocalModel, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("dspy", "dspy.predict.predict"):
        monkeypatch.setattr(logging.getLogger(name), "propagate", True)
    with caplog.at_level(logging.DEBUG), caplog.at_level(logging.DEBUG, logger="dspy"):
        ask(model.session(), WeighProgram(), question=9876543210)
    assert "9876543210" in model.requests[0][1]["messages"][-1]["content"]
    assert "9876543210" not in caplog.text


def test_no_variable_of_the_environment_changes_where_a_model_is_asked(
    model: LocalModel, other: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_BASE", "OPENAI_BASE_URL", "LITELLM_API_BASE"):
        monkeypatch.setenv(name, other.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    ask(model.session(key=""), WeighProgram(), question=QUESTION)
    ask(model.session(), WeighProgram(), question=QUESTION)
    assert other.requests == []
    assert [headers["authorization"] for headers, _ in model.requests] == ["Bearer none", f"Bearer {KEY}"]


def test_the_same_question_is_asked_again(model: LocalModel) -> None:
    session = model.session()
    for _ in range(2):
        ask(session, WeighProgram(), question=QUESTION)
    assert len(model.requests) == 2


def test_nothing_of_a_call_is_kept(model: LocalModel) -> None:
    import dspy
    from dspy.clients.base_lm import GLOBAL_HISTORY

    program, session = WeighProgram(), model.session()
    # What an optimizer has run in this process before is not of these calls.
    before = len(GLOBAL_HISTORY), len(dspy.settings.trace or [])
    for _ in range(5):
        ask(session, program, question=QUESTION)
    assert (len(GLOBAL_HISTORY), len(dspy.settings.trace or [])) == before
    assert program.history == []
    assert program.predict.history == []
    assert program.predict.traces == []
    assert dspy.settings.lm is None


def test_further_calls_leave_no_objects_behind(model: LocalModel) -> None:
    """Counted in objects, after what the first calls set up."""
    program = WeighProgram()

    def after(calls_made: int) -> int:
        for _ in range(calls_made):
            ask(model.session(), program, question=QUESTION)
            # What the server keeps is not ours.
            model.requests.clear()
            model.asked.clear()
        gc.collect()
        return len(gc.get_objects())

    before = after(20)
    assert after(200) - before < 200
    assert not [thread for thread in threading.enumerate() if thread.name == "model"]


def test_six_threads_each_get_their_own_answer(model: LocalModel) -> None:
    meet = threading.Barrier(6, timeout=10)

    def echo(asked: Asked) -> Reply:
        meet.wait()
        return says({"side": "yes", "echo": asked.inputs["question"]})(asked)

    model.always(echo)
    program, session = WeighProgram(), model.session(timeout=10)
    found: dict[int, str] = {}

    def run(place: int) -> None:
        found[place] = ask(session, program, question=f"question {place}").verdict.echo

    threads = [threading.Thread(target=run, args=(place,)) for place in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {place: f"question {place}" for place in range(6)}
    assert len(session.calls) == 6
    assert session.budget.held_tokens == 0
