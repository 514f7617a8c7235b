"""The sentence that decides a question for yes or no, and what it shows."""

import re

from agent.prose.claims import Picked
from agent.prose.units import Unit
from filings.items import ITEMS

_NONE = re.compile(r"^\W*(?:none|not applicable|n/?a|no(?:ne)? (?:unresolved|applicable))\b", re.IGNORECASE)
_NEGATION = re.compile(
    r"\b(?:no|not|none|never|neither|nor|without|cannot|did not|does not|do not|has not|have not|is not|are not|were not|was not)\b",
    re.IGNORECASE,
)


def says_none(unit: Unit) -> bool:
    """Whether a unit is the "None." of its Item."""
    return bool(_NONE.match(unit.text)) and len(unit.text) < 200


def is_negative(text: str) -> bool:
    return bool(_NEGATION.search(text))


def shown(picked: Picked, text: str) -> str:
    """What a deciding sentence shows, in a sentence; empty where only the reader can tell."""
    item = picked.passage.item
    if item in ITEMS and _NONE.match(text) and len(text) < 60:
        return f"Item {item}: \u201c{text.strip()}\u201d"
    return ""
