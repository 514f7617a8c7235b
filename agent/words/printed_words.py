"""Words beside the names of figures that documents print (printed_words.yaml)."""

from functools import lru_cache
from pathlib import Path

import yaml


@lru_cache(maxsize=1)
def _classes() -> dict[str, str]:
    text = Path(__file__).with_name("printed_words.yaml").read_bytes()
    found: dict[str, str] = yaml.load(text, yaml.CBaseLoader)  # noqa: S506 - strings only
    return found


@lru_cache(maxsize=16)
def said(name: str) -> str:
    """The words of a class; the name of another class among them stands for that class's words."""
    own = _classes()[name].split()
    return " ".join(said(word) if word in _classes() and word != name else word for word in own)
