"""Caches a model's readings of questions, in this process only."""

import threading
from typing import Any

import dspy
from cachetools import TTLCache

from agent.programs.compiled_programs import digest
from agent.programs.models import Model
from agent.programs.program import Program

# Seconds that a reply is kept, and how many are.
KEPT, MOST_KEPT = 900.0, 512

_replies: TTLCache[str, dspy.Prediction] = TTLCache(MOST_KEPT, KEPT)
_lock = threading.Lock()


def key(program: Program, model: Model, inputs: dict[str, Any]) -> str:
    """Identifies everything a model is told, and which model it is."""
    return digest([program.version, model.base_url, model.name, inputs])


def reply(name: str) -> dspy.Prediction | None:
    """The cached reply to the same request, if it is not too old."""
    with _lock:
        return _replies.get(name)


def keep(name: str, prediction: dspy.Prediction) -> None:
    with _lock:
        _replies[name] = prediction


def forget() -> None:
    """Clear the cache."""
    with _lock:
        _replies.clear()
