"""Answers as they are kept with their runs."""

from typing import Any

from pydantic import ValidationError

from agent.state.answered import Answer

UNREAD = "The answer is kept in a form that is read no more, as one of a former release may be."


def read(kept: Any) -> Answer | None:
    """The answer of `Run.answer`; None where there is none, or where its form is read no more (`UNREAD`)."""
    if not kept:
        return None
    try:
        return Answer.model_validate(kept)
    except ValidationError:
        return None
