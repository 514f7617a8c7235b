"""Whether words are one of the labels that the registry accepts of a concept."""

import re
from functools import lru_cache

from agent.numbers.concept import Concept

_WILD = re.compile(r"\.\*|\.\+|\\w\+")


def accepts(concept: Concept, typed: str) -> bool:
    """Whether words are one of the concept's labels, where its patterns let no unknown word through."""
    return bool(_strict(concept.accept).fullmatch(typed)) and not concept.rejects(typed)


@lru_cache(maxsize=512)
def _strict(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Patterns of labels without those that let any word through."""
    closed = [_WILD.sub("(?!)", pattern) for pattern in patterns]
    return re.compile("|".join(f"(?:{pattern})" for pattern in closed) or r"(?!)")
