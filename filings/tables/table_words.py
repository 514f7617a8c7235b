"""The closed classes of English by which tables tell their units and periods (table_words.yaml), as parts of patterns."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_FILE = Path(__file__).with_name("table_words.yaml")


@cache
def table_words() -> dict[str, Any]:
    """The classes by name: words joined by "|", or a mapping from words to what they mean."""
    read: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return read


def any_of(name: str) -> str:
    """A pattern of the words of a class, the longest first; without what bounds them."""
    held = table_words()[name]
    words = sorted(held.split("|") if isinstance(held, str) else held, key=len, reverse=True)
    joined = "|".join(r"\s+".join(map(re.escape, word.split(" "))) for word in words)
    return f"(?:{joined})"


def word_of(name: str) -> str:
    """A pattern of a whole word of a class."""
    return rf"(?<!\w){any_of(name)}(?!\w)"
