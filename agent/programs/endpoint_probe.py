"""One small test call to a model: whether it answers, in JSON, and reports its usage."""

import json
import time
from dataclasses import dataclass
from typing import Literal

import dspy

from agent.programs import calls
from agent.programs.adapter import objects
from agent.programs.budget import Usage
from agent.programs.endpoint import Exchange
from agent.programs.model_settings import TIMED_TOKENS
from agent.programs.models import Model
from agent.programs.program import Program


class SayReady(dspy.Signature):  # type: ignore[misc]
    """Say that you are ready."""

    asked: str = dspy.InputField(desc="what is asked of you")
    word: Literal["ready"] = dspy.OutputField(desc="the word ready")


class Ready(Program):
    name = "ready"
    role = "plan"
    signature = SayReady


@dataclass(frozen=True)
class Seen:
    """The result of the call. `json`: the reply is JSON alone, within other words, or none. Milliseconds."""

    ms: int
    json: Literal["alone", "around", "none"]
    usage: Usage
    failed: calls.ModelFailed | None


def probe(model: Model) -> Seen:
    """Ask a model once, without retries or breaker."""
    program, inputs = Ready(), {"asked": "Are you ready?"}
    most = min(model.max_tokens, TIMED_TOKENS)
    exchange = Exchange(model, model.seconds(most), most)
    started = time.monotonic()
    _, failed, _ = calls.answered(program, exchange, inputs)
    ms = round(1000 * (time.monotonic() - started))
    reply = exchange.responses[-1] if exchange.responses else None
    usage = calls.used(model, exchange, calls.expected(program, inputs))
    return Seen(ms, form(calls.text_of(reply)) if reply is not None else "none", usage, failed)


def form(text: str) -> Literal["alone", "around", "none"]:
    """Whether a reply is one JSON object, contains one, or has none."""
    try:
        return "alone" if isinstance(json.loads(text), dict) else "none"
    except ValueError:
        return "around" if next(objects(text), None) is not None else "none"
