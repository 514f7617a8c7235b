"""The English that a module of prose reads by: lists of words, and patterns, in the YAML of its name beside it."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from agent.words.stems import roots


@cache
def data(module: str) -> dict[str, Any]:
    """All that stands beside a module; every value a string, a list or a mapping."""
    return dict(yaml.load(Path(__file__).with_name(f"{module}.yaml").read_bytes(), yaml.CBaseLoader))  # noqa: S506


@cache
def words(module: str, *names: str) -> frozenset[str]:
    """The words of one or several lists, each as it stands there."""
    return frozenset(word for name in names for word in data(module)[name].split())


@cache
def rooted(module: str, name: str) -> frozenset[str]:
    """The words of a list of phrases, in the compared form."""
    return frozenset(word for phrase in data(module)[name] for word in roots(phrase))


@cache
def pattern(module: str, name: str) -> re.Pattern[str]:
    """A pattern, whatever the case; of a list any of its phrases in whole words."""
    told = data(module)[name]
    return re.compile(told if isinstance(told, str) else rf"\b(?:{'|'.join(told)})\b", re.IGNORECASE)
