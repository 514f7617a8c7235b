"""Answers as they are kept with their runs."""

from typing import Any

from pydantic import ValidationError

from agent.state.answered import Answer

UNREAD = "This answer was stored in an old format that can no longer be read."


def read(kept: Any) -> Answer | None:
    """The answer of `Run.answer`; None where there is none, or where its form is read no more (`UNREAD`)."""
    if not kept:
        return None
    try:
        return Answer.model_validate(kept)
    except ValidationError:
        return None
