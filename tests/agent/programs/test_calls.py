"""A call to a model: what is sent, and how a reply becomes typed values and a record."""

import json
from decimal import Decimal

import pytest

from agent.programs import endpoint
from agent.programs.calls import ask
from tests.agent.programs.asked import QUESTION, YES, DraftingProgram, WeighProgram
from tests.support.model_behaviours import says
from tests.support.model_server import KEY, LocalModel


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
