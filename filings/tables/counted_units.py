"""What figures of tables count beside money, shares and percent, by the names of their rows and columns."""

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from filings.tables.table_units import CACHED

_FILE = Path(__file__).with_name("counted_units.yaml")
_NUMBER_OF = re.compile(r"^\W*(?:total\s+|average\s+)?(?:number|count)\s+of\b", re.IGNORECASE)
_OF_ONE = re.compile(r"\bweighted[\s-]+average\b|\bper\s+(?!the\b|our\b|cent\b)\w", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)")
# Behind one of these a noun is not what is counted: "Due to customers".
_BEFORE = r"(?:(?!\b(?:to|from|of|for|with|and|by|per|on|in)\b)[^\n])*?"
_BEHIND = r"(?:\s*,?\s+(?:at|as\s+of|in|of|(?:un)?\w+ed|outstanding|by|end|beginning|during)\b.*)?"


@cache
def _data() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return read


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    counts, others = ("|".join(re.escape(word) for word in _data()[kind]) for kind in ("counts", "others"))
    return (
        re.compile(rf"^{_BEFORE}\b(?:{counts}){_BEHIND}\W*$", re.IGNORECASE),
        re.compile(rf"\b(?:{others})\b", re.IGNORECASE),
    )


def says_number_of(label: str) -> bool:
    """Whether a label says outright that things are counted: "Number of leased stores"."""
    return bool(_NUMBER_OF.search(label)) and not re.search(r"\bshares?\b", label, re.IGNORECASE)


@lru_cache(maxsize=CACHED)
def may_count(label: str) -> bool:
    """Whether a label ends with a noun of things: "Company-operated stores", which may also name their revenue."""
    return bool(_patterns()[0].match(_BRACKETS.sub(" ", label).strip()))


@lru_cache(maxsize=CACHED)
def is_other(label: str) -> bool:
    """Whether a label names a measure that is neither money nor a count: a ratio, a rate, days, a price of one thing."""
    return bool(_patterns()[1].search(label) or _OF_ONE.search(label))


@cache
def _unnamed() -> frozenset[str]:
    return frozenset(_data()["unnamed"])


def says_nothing(label: str) -> bool:
    """Whether a label names nothing by itself: "Total", "2026", "Thereafter"; what it is of stands above it."""
    words = re.findall(r"[^\W\d_]+", label.casefold())
    return all(word in _unnamed() for word in words)
