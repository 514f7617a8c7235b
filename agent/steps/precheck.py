"""A question before a run exists: what is refused without asking."""

import unicodedata

from django.conf import settings

from agent.refusals.codes import Code


def tidy(question: str) -> str:
    """The question on one line: runs of white space count as one space, characters that show nothing as none.

    Nor do halves of surrogate pairs, which JSON can carry and no database stores.
    """
    shown = "".join(letter for letter in question if unicodedata.category(letter) not in {"Cf", "Cs"})
    return " ".join(shown.split())


def problem_with(question: str) -> Code | None:
    """empty or too_long, or None for a question that can be asked."""
    text = tidy(question)
    if not text:
        return Code.EMPTY
    return Code.TOO_LONG if len(text) > settings.QUESTION_MAX_LENGTH else None
