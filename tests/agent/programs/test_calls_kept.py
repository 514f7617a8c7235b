"""What of a call to a model must not be seen, kept, or mixed up with another."""

import gc
import logging
import threading
import traceback
from typing import Any

import pytest
from dspy.utils.exceptions import AdapterParseError

from agent.programs.adapter import StrictJSON
from agent.programs.calls import ask
from tests.agent.programs.asked import QUESTION, WeighProgram, failure
from tests.support import model_behaviours as replies
from tests.support.model_behaviours import says, status
from tests.support.model_replies import Asked, Reply
from tests.support.model_server import KEY, LocalModel


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
