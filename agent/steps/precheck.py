"""Checks a question before a run starts: refuses empty and too long ones."""

import unicodedata

from django.conf import settings

from agent.refusals.codes import Code


def tidy(question: str) -> str:
    """Puts the question on one line, with single spaces and without invisible characters.

    Halves of surrogate pairs are removed too: JSON can contain them, but no database stores them.
    """
    shown = "".join(letter for letter in question if unicodedata.category(letter) not in {"Cf", "Cs"})
    return " ".join(shown.split())


def problem_with(question: str) -> Code | None:
    """The refusal code of a question that is empty or too long; None if it can be asked."""
    text = tidy(question)
    if not text:
        return Code.EMPTY
    return Code.TOO_LONG if len(text) > settings.QUESTION_MAX_LENGTH else None
