"""The term whose meaning a question asks for, and the patterns that definitions are told by."""

import re
from functools import lru_cache

from agent.prose.text.english import DEFINITIONS

# Words of a term.
LONGEST = 6


def term_of(text: str) -> str:
    """The term whose meaning a question asks for, as typed; empty where it asks for none. text: without the company."""
    for asked in DEFINITIONS.data["asked"]:
        if hit := compiled(asked).search(text.strip()):
            term = hit["term"].strip(" ?.,-\"'\u201c\u201d")
            return "" if DEFINITIONS.pattern("no_term").search(term) or len(term.split()) > LONGEST else term
    return ""


@lru_cache(maxsize=512)
def compiled(told: str, term: str = "") -> re.Pattern[str]:
    """A pattern of definitions, with what its names in braces stand for."""
    named = {**DEFINITIONS.data["patterns"], "term": rf"(?<!\w){term}(?!\w)"}
    while names := set(re.findall(r"\{([a-z]+)\}", told)):
        for name in names:
            told = told.replace(f"{{{name}}}", named[name])
    return re.compile(told, re.IGNORECASE)
