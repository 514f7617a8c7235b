"""Words beside the names of figures that documents print (printed_words.yaml)."""

from functools import lru_cache
from pathlib import Path

import yaml

from agent.words.stems import STOP
from agent.words.tokens import stems


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


@lru_cache(maxsize=1024)
def names_nothing(label: str) -> bool:
    """Whether a label names no figure by itself: "Other", "Total", "Thereafter", "2026"; what it is of stands above it."""
    told = (word for word in stems(label) if word not in STOP and not word.isdigit())
    return _generic().issuperset(told)


@lru_cache(maxsize=1)
def _generic() -> frozenset[str]:
    return frozenset(stems(said("generic")))
